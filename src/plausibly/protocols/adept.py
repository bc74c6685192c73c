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
)
from plausibly.verbs.build.match_step import match_step
from plausibly.verbs.build.step import STEPS
from plausibly.verbs.models.predict import models_predict
from plausibly.verbs.read import collect_step
from plausibly.verbs.report import report_step

KEPT = {"ratings": clean.KEPT_RATINGS}

ADEPT = Protocol(
    "adept",
    seed=1,
    steps=(
        extract.STEP,
        STEPS["adept"](source="Section 4.1: three predicates a noun, four adjectives a predicate"),
        match_step("adept"),
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
        ask.step("adept"),
        evaluate.RATINGS_STEP.step(files=KEPT),
        models_predict.step(),
        evaluate.STEP.step(scheme="adept-5", files=KEPT),
        compare.STEP.step(files=KEPT),
        report_step(kept=clean.KEPT_RATINGS, exclusions=clean.LEDGER, label_names={}),
    ),
    sections=COLLECTION["adept"],
    check=check_collection,
    example=ExampleStudy("adept", "plausibly.protocols.examples"),
)
