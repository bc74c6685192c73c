"""SP-10K: selectional preference of word pairs (Zhang et al., 2019)."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from plausibly.ratings.collection import COLLECTION, check_collection
from plausibly.ratings.simulated.examples import ExampleStudy
from plausibly.stimuli.sp10k.surveys import surveys, wording
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
from plausibly.verbs.build.match import build_match
from plausibly.verbs.build.sp10k import build_sp10k
from plausibly.verbs.models.predict import models_predict
from plausibly.verbs.read import read
from plausibly.verbs.report import report

KEPT = {"ratings": clean.KEPT_RATINGS}
SIDES = "1,2|3|4,5"
UNSURE = "not sure,0"  # appendix A.1: who is not sure is stored as 0


def _question(pair: Mapping[str, str]) -> str:
    return wording("en").question(pair["relation"], pair["head"], pair["dependent"])


def _surveys(items: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Return one survey a relation, with its three checkpoints among the pairs."""
    pairs, checks = (items.filter(kind=kind) for kind in ("item", "check"))
    return surveys(pairs, checks, per_survey=100, checks_each=3, seed=seed)


SP10K = Protocol(
    "sp10k",
    seed=1,
    steps=(
        extract.extract.step(),
        build_sp10k.step(
            source="Section 3: 500 heads a relation, two frequent and two random dependents each"
        ),
        build_match.step(files={"surveys": "build/surveys.parquet"}),
        read.step(
            missing=UNSURE,
            source="Section 3.1: 11 people a pair at least, in surveys of 103 questions",
        ),
        clean.clean.step(
            preset="sp10k",
            sides=SIDES,
            source="Section 3.1 and appendix A.1; section 3.3, with the other rules, is lost",
        ),
        label.label.step(
            method="mean",
            rescale="1,5|0,10",
            files=KEPT,
            source="The release: means of 1 to 5 moved to 0 to 10; who is not sure is left out",
        ),
        agree.agree.step(sides=SIDES, files=KEPT),
        ask.step("sp10k"),
        evaluate.RATINGS_STEP.step(graded=True, files=KEPT),
        models_predict.step(),
        evaluate.STEP.step(scheme="sp10k", files=KEPT),
        compare.STEP.step(files=KEPT),
        report.step(),
    ),
    sections=COLLECTION["sp10k"],
    check=check_collection,
    example=ExampleStudy(
        "sp10k", "plausibly.protocols.examples", phrase=_question, surveys=_surveys
    ),
)
