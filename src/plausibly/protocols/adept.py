"""ADEPT: how an adjective changes the plausibility of an event (Emami et al., 2021)."""

from __future__ import annotations

from plausibly.ratings.collection import COLLECTION, check_collection
from plausibly.ratings.simulated.examples import ExampleStudy
from plausibly.study import Protocol
from plausibly.verbs import (
    agree,
    ask,
    clean,
    compare,
    evaluate,
    extract,
    label,
    models_predict,
)
from plausibly.verbs.build.adept import build_adept
from plausibly.verbs.build.match import build_match
from plausibly.verbs.read import collect_step
from plausibly.verbs.report import report_step

KEPT = {"ratings": clean.KEPT_RATINGS}

ADEPT = Protocol(
    "adept",
    seed=1,
    steps=(
        extract.extract.step(),
        build_adept.step(
            source="Section 4.1: three predicates a noun, four adjectives a predicate"
        ),
        build_match.step(),
        collect_step(source="Section 4.1: three people a pair, 100 pairs a person at most"),
        clean.clean.step(
            preset="adept",
            sides="",
            source="Section 4.1: attention checks, and gold pairs missed by two steps or more",
        ),
        label.label.step(
            method="agreed-by",
            scheme="adept-5",
            at_least=2,
            files=KEPT,
            source="Section 4.1: a pair is kept with the label that two of its three people gave",
        ),
        agree.agree.step(files=KEPT),
        ask.ask_step("adept"),
        evaluate.evaluate_ratings_step(kept=clean.KEPT_RATINGS),
        models_predict.STEP,
        evaluate.evaluate_step(scheme="adept-5", kept=clean.KEPT_RATINGS),
        compare.compare_step(kept=clean.KEPT_RATINGS),
        report_step(kept=clean.KEPT_RATINGS, exclusions=clean.LEDGER, label_names={}),
    ),
    sections=COLLECTION["adept"],
    check=check_collection,
    example=ExampleStudy("adept", "plausibly.protocols.examples"),
)
