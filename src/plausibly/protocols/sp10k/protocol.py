"""SP-10K: selectional preference of word pairs (Zhang et al., 2019)."""

from __future__ import annotations

from importlib.resources import files

from plausibly.datasets.sp10k.released import released as released_files
from plausibly.protocols.sp10k.exhibits import exhibits
from plausibly.protocols.sp10k.made_up import question, surveys_of
from plausibly.ratings.collection import check_collection
from plausibly.ratings.simulated.examples import ExampleStudy
from plausibly.study.protocol import Finished, ReleaseFiles
from plausibly.study.protocol_folder import declared_in
from plausibly.verbs import agree, analyse, ask, clean, compare, describe, evaluate, extract, label
from plausibly.verbs.audit import audit
from plausibly.verbs.browse import browse
from plausibly.verbs.build.checks import build_checks
from plausibly.verbs.build.match import build_match
from plausibly.verbs.build.sp10k import build_sp10k
from plausibly.verbs.describe_frequency import describe_frequency
from plausibly.verbs.describe_pairs import describe_pairs
from plausibly.verbs.experts import experts_compare
from plausibly.verbs.experts_coding import experts_codes, experts_sheet
from plausibly.verbs.models.fit import models_fit
from plausibly.verbs.models.predict import models_predict
from plausibly.verbs.models.pseudo import score_pseudo
from plausibly.verbs.models.tune import models_tune
from plausibly.verbs.read import read
from plausibly.verbs.report import report
from plausibly.verbs.score_overlap import score_overlap

KEPT = {"ratings": clean.KEPT_RATINGS}


def released(study: Finished) -> tuple[ReleaseFiles, tuple[str, ...]]:
    """Return the files in the form of the published ones."""
    return released_files(study.items, study.ratings), ()


SP10K = declared_in(
    files(__package__),
    steps=(
        extract.extract.step(),
        build_sp10k.step(),
        build_match.step(files={"surveys": "build/surveys.parquet"}),
        build_checks.step(files={"surveys": "build/surveys.parquet"}),
        read.step(),
        clean.clean.step(),
        label.label.step(files=KEPT),
        agree.agree.step(files=KEPT),
        ask.step("sp10k"),
        evaluate.RATINGS_STEP.step(graded=True, files=KEPT),
        models_fit.step(),
        models_tune.step(),
        models_predict.step(),
        evaluate.STEP.step(scheme="sp10k", files=KEPT),
        compare.STEP.step(files=KEPT),
        describe.describe.step(files=KEPT),
        describe_frequency.step(files=KEPT),
        describe_pairs.step(),
        score_overlap.step(),
        score_pseudo.step(),
        analyse.analyse.step(files=KEPT),
        experts_compare.step(),
        experts_sheet.step(files=KEPT),
        experts_codes.step(),
        audit.step(files={"source": clean.KEPT_RATINGS}),
        browse.step(),
        report.step(),
    ),
    check=check_collection,
    example=ExampleStudy(phrase=question, surveys=surveys_of),
    released=released,
    exhibits=exhibits,
)
