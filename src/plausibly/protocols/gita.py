"""GITA: physical commonsense in Italian stories (Pensa et al., 2024)."""

from __future__ import annotations

from plausibly.ratings.collection import COLLECTION, check_collection
from plausibly.ratings.simulated.examples import ExampleStudy
from plausibly.study import Protocol
from plausibly.verbs import agree, ask, clean, evaluate, label, score_gita
from plausibly.verbs.build.gita import build_gita
from plausibly.verbs.build.match import build_match
from plausibly.verbs.read import read
from plausibly.verbs.report import report

KEPT = {"ratings": clean.KEPT_RATINGS}

# A conflict is labelled where the story is labelled implausible, a state where its sentences are.
ONLY_IF = (
    "conflict_sentence: plausible=false; breakpoint: plausible=false; "
    "state: conflict_sentence; state: breakpoint"
)

GITA = Protocol(
    "gita",
    seed=1,
    steps=(
        build_gita.step(),
        build_match.step(language="it"),
        read.step(source="Section 3.3: plausible, then the conflict, then the state"),
        clean.clean.step(
            preset="recommended",
            sides="",
            source="The paper names no rules; these are ours",
        ),
        label.label.step(
            method="agreed-by",
            at_least=2,
            only_if=ONLY_IF,
            files=KEPT,
            source="Section 3.3: conflict and state of implausible stories; majorities are ours",
        ),
        agree.agree.step(files=KEPT),
        ask.step("gita"),
        evaluate.RATINGS_STEP.step(files=KEPT),
        score_gita.score_gita.step(),
        report.step(question="plausible"),
    ),
    sections=COLLECTION["gita"],
    check=check_collection,
    example=ExampleStudy("gita", "plausibly.protocols.examples"),
)
