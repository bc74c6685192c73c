"""ADEPT: how an adjective changes the plausibility of an event (Emami et al., 2021)."""

from __future__ import annotations

from importlib.resources import files

from plausibly.datasets.adept.released import alternates
from plausibly.datasets.adept.released import released as released_files
from plausibly.io import read_records
from plausibly.protocols.adept.exhibits import exhibits
from plausibly.ratings.collection import check_collection
from plausibly.ratings.simulated.examples import ExampleStudy
from plausibly.study.protocol import Finished, ReleaseFiles
from plausibly.study.protocol_folder import declared_in
from plausibly.verbs import agree, analyse, ask, clean, compare, describe, evaluate, extract, label
from plausibly.verbs.audit import audit
from plausibly.verbs.browse import browse
from plausibly.verbs.build.adept import build_adept
from plausibly.verbs.build.checks import build_checks
from plausibly.verbs.build.match import build_match
from plausibly.verbs.describe_frequency import describe_frequency
from plausibly.verbs.experts import experts_compare
from plausibly.verbs.experts_coding import experts_codes, experts_sheet
from plausibly.verbs.models.predict import models_predict
from plausibly.verbs.models.tune import models_tune
from plausibly.verbs.read import read
from plausibly.verbs.report import report

TRACE = "trace.jsonl"
KEPT = {"ratings": clean.KEPT_RATINGS}


def released(study: Finished) -> tuple[ReleaseFiles, tuple[str, ...]]:
    """Return ADEPT's files, with the alternates of each entry where the study has built them."""
    made = released_files(study.items, study.labels)
    if (study.folder / TRACE).is_file():
        trace = read_records(study.folder / TRACE)[1]
        made["alternates.json"] = alternates(trace, study.labels)
    return made, ()


ADEPT = declared_in(
    files(__package__),
    steps=(
        extract.extract.step(),
        build_adept.step(),
        build_match.step(),
        build_checks.step(),
        read.step(),
        clean.clean.step(),
        label.label.step(files=KEPT),
        agree.agree.step(files=KEPT),
        ask.step("adept"),
        evaluate.RATINGS_STEP.step(files=KEPT),
        models_tune.step(),
        models_predict.step(),
        evaluate.STEP.step(scheme="adept-5", files=KEPT),
        compare.STEP.step(files=KEPT),
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
