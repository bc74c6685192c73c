"""A protocol of one's own: any items, any form, the whole journey."""

from __future__ import annotations

from plausibly.ratings.collection import COLLECTION, check_collection
from plausibly.ratings.simulated.examples import ExampleStudy
from plausibly.study import Protocol
from plausibly.verbs import agree, clean, compare, evaluate, label
from plausibly.verbs.build.custom import build_custom
from plausibly.verbs.build.match import build_match
from plausibly.verbs.models.predict import models_predict
from plausibly.verbs.read import read
from plausibly.verbs.report import report

KEPT = {"ratings": clean.KEPT_RATINGS}

CUSTOM = Protocol(
    "custom",
    seed=1,
    steps=(
        build_custom.step(),
        build_match.step(),
        read.step(),
        clean.clean.step(preset="recommended", sides=""),
        label.label.step(method="plurality", at_least=2, ties="undecided", files=KEPT),
        agree.agree.step(files=KEPT),
        models_predict.step(),
        evaluate.STEP.step(files=KEPT),
        compare.STEP.step(files=KEPT),
        report.step(),
    ),
    sections=COLLECTION["custom"],
    check=check_collection,
    example=ExampleStudy("custom", "plausibly.protocols.examples"),
    shared={("clean", "sides"): ("agree", "sides")},
)
