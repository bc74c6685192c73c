"""Implicit knowledge: sentences that fill a gap, judged by the annotation manual in two steps."""

from __future__ import annotations

from importlib.resources import files

from plausibly.datasets.iks.released import released as released_files
from plausibly.protocols.iks.exhibits import exhibits
from plausibly.ratings.collection import check_collection
from plausibly.ratings.simulated.examples import ExampleStudy
from plausibly.study.protocol import Finished, ReleaseFiles
from plausibly.study.protocol_folder import declared_in
from plausibly.verbs import (
    agree,
    analyse,
    ask,
    clean,
    describe,
    evaluate,
    generate,
    label,
    score_iks,
)
from plausibly.verbs.audit import audit
from plausibly.verbs.browse import browse
from plausibly.verbs.build.checks import build_checks
from plausibly.verbs.build.iks import build_iks
from plausibly.verbs.build.match import build_match
from plausibly.verbs.describe_frequency import describe_frequency
from plausibly.verbs.experts import experts_compare
from plausibly.verbs.experts_coding import experts_codes, experts_sheet
from plausibly.verbs.read import read
from plausibly.verbs.report import report
from plausibly.verbs.score_candidates import score_candidates

KEPT = {"ratings": clean.KEPT_RATINGS}


def released(study: Finished) -> tuple[ReleaseFiles, tuple[str, ...]]:
    """Return the files in the form of the published ones."""
    return released_files(study.items, study.ratings), ()


IKS = declared_in(
    files(__package__),
    steps=(
        generate.generate.step(),
        build_iks.step(),
        build_match.step(),
        build_checks.step(),
        read.step(),
        clean.clean.step(),
        score_iks.score_iks.step(files=KEPT),
        score_candidates.step(files=KEPT),
        label.label.step(files=KEPT),
        agree.agree.step(files=KEPT),
        ask.step(),
        evaluate.RATINGS_STEP.step(files=KEPT),
        describe.describe.step(files=KEPT),
        describe_frequency.step(files=KEPT),
        analyse.analyse.step(files=KEPT),
        experts_compare.step(),
        experts_sheet.step(files=KEPT),
        experts_codes.step(),
        audit.step(files={"source": clean.KEPT_RATINGS}),
        browse.step(),
        report.step(),
    ),
    check=check_collection,
    example=ExampleStudy(),
    released=released,
    exhibits=exhibits,
    shared={
        ("generate", "sources"): ("build", "sources"),
        ("score_candidates", "sources"): ("build", "sources"),
    },
)
