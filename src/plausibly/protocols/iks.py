"""Implicit knowledge: sentences that fill a gap, judged by the annotation manual in two steps."""

from __future__ import annotations

from plausibly.ratings.collection import COLLECTION, check_collection
from plausibly.ratings.simulated.examples import ExampleStudy
from plausibly.study import Protocol
from plausibly.verbs import agree, clean, generate, label, score_iks
from plausibly.verbs.build.iks import build_iks
from plausibly.verbs.build.match import build_match
from plausibly.verbs.read import read
from plausibly.verbs.report import report

KEPT = {"ratings": clean.KEPT_RATINGS}

IKS = Protocol(
    "iks",
    seed=1,
    steps=(
        generate.generate.step(),
        build_iks.step(),
        build_match.step(),
        read.step(source="Annotation manual: step 1 unseen, step 2 beside the reference"),
        clean.clean.step(
            preset="recommended",
            sides="",
            source="The manual names no rules; these are ours",
        ),
        score_iks.score_iks.step(
            files=KEPT,
            source="The manual says what is asked; what is computed from it is our design",
        ),
        label.label.step(method="agreed-by", at_least=2, files=KEPT),
        agree.agree.step(files=KEPT),
        report.step(question="content_c"),
    ),
    sections=COLLECTION["iks"],
    check=check_collection,
    example=ExampleStudy("iks", "plausibly.protocols.examples"),
    shared={("generate", "sources"): ("build", "sources")},
)
