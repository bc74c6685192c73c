"""SP-10K: selectional preference of word pairs (Zhang et al., 2019)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

import polars as pl

from plausibly.datasets.sp10k.released import released as released_files
from plausibly.ratings.collection import check_collection
from plausibly.ratings.simulated.examples import ExampleStudy
from plausibly.stimuli.sp10k.surveys import surveys, wording
from plausibly.study.protocol import Finished, ReleaseFiles
from plausibly.study.protocol_folder import declared_in
from plausibly.verbs import agree, analyse, ask, clean, compare, describe, evaluate, extract, label
from plausibly.verbs.build.match import build_match
from plausibly.verbs.build.sp10k import build_sp10k
from plausibly.verbs.models.predict import models_predict
from plausibly.verbs.read import read
from plausibly.verbs.report import report

KEPT = {"ratings": clean.KEPT_RATINGS}


def _question(pair: Mapping[str, str]) -> str:
    return wording("en").question(pair["relation"], pair["head"], pair["dependent"])


def _surveys(items: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Return one survey a relation, with its three checkpoints among the pairs."""
    pairs, checks = (items.filter(kind=kind) for kind in ("item", "check"))
    return surveys(pairs, checks, per_survey=100, checks_each=3, seed=seed)


def released(study: Finished) -> tuple[ReleaseFiles, tuple[str, ...]]:
    """Return the files in the form of the published ones."""
    return released_files(study.items, study.ratings), ()


SP10K = declared_in(
    files(__package__),
    steps=(
        extract.extract.step(),
        build_sp10k.step(),
        build_match.step(files={"surveys": "build/surveys.parquet"}),
        read.step(),
        clean.clean.step(),
        label.label.step(files=KEPT),
        agree.agree.step(files=KEPT),
        ask.step("sp10k"),
        evaluate.RATINGS_STEP.step(graded=True, files=KEPT),
        models_predict.step(),
        evaluate.STEP.step(scheme="sp10k", files=KEPT),
        compare.STEP.step(files=KEPT),
        describe.describe.step(files=KEPT),
        analyse.analyse.step(files=KEPT),
        report.step(),
    ),
    check=check_collection,
    example=ExampleStudy(phrase=_question, surveys=_surveys),
    released=released,
)
