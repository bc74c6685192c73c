"""GITA: physical commonsense in Italian stories (Pensa et al., 2024)."""

from __future__ import annotations

from importlib.resources import files

from plausibly.datasets.gita.released import released as released_files
from plausibly.protocols.gita.exhibits import exhibits
from plausibly.ratings.collection import check_collection
from plausibly.ratings.simulated.examples import ExampleStudy
from plausibly.study.protocol import Finished, ReleaseFiles
from plausibly.study.protocol_folder import declared_in
from plausibly.verbs import agree, analyse, ask, clean, describe, evaluate, label, score_gita
from plausibly.verbs.audit import audit
from plausibly.verbs.browse import browse
from plausibly.verbs.build.checks import build_checks
from plausibly.verbs.build.gita import build_gita
from plausibly.verbs.build.match import build_match
from plausibly.verbs.describe_frequency import describe_frequency
from plausibly.verbs.experts import experts_compare
from plausibly.verbs.experts_coding import experts_codes, experts_sheet
from plausibly.verbs.read import read
from plausibly.verbs.report import report

KEPT = {"ratings": clean.KEPT_RATINGS}


def released(study: Finished) -> tuple[ReleaseFiles, tuple[str, ...]]:
    """Return the files in the form of the published ones."""
    return released_files(study.items, study.labels), ()


GITA = declared_in(
    files(__package__),
    steps=(
        build_gita.step(),
        build_match.step(),
        build_checks.step(),
        read.step(),
        clean.clean.step(),
        label.label.step(files=KEPT),
        agree.agree.step(files=KEPT),
        ask.step("gita"),
        evaluate.RATINGS_STEP.step(files=KEPT),
        score_gita.score_gita.step(),
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
)
