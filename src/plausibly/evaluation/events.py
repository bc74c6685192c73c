"""Scores of events against two classes, plausible and implausible: ranking and accuracy."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.domain import Measure
from plausibly.errors import TableError, option
from plausibly.evaluation.answers import labels_in, matched
from plausibly.evaluation.clusters import cluster_codes, recoded, summed
from plausibly.evaluation.report import WHOLE, Evaluation
from plausibly.measures.ranking import Floats, Ints, auc_draws, sorted_column, unit_draws
from plausibly.measures.ratios import ratio_bootstrap
from plausibly.measures.resampling import with_interval

LABELS = ("0", "1")
NAMES = {"0": "0", "1": "1", "implausible": "0", "plausible": "1"}
ROLES = ("subject", "verb", "object")


@dataclass(frozen=True, eq=False)
class Judged:
    """Truth, score and label of the events a model judged.

    Args:
        item: Names of the events.
        positive: Whether each is plausible.
        score: What the model says; NaN if it says nothing.
        right: 1 where its label is the true one, 0 if not, NaN if it gives none.
        asked: How many events there were to judge.
        cluster: Code of what is drawn together.
    """

    item: pl.Series
    positive: npt.NDArray[np.bool_]
    score: Floats
    right: Floats
    asked: int
    cluster: Ints


def event_items(events: pl.DataFrame) -> pl.DataFrame:
    """Return the events with the name each has as an item: subject, verb and object."""
    return events.with_columns(item=pl.concat_str(*ROLES, separator=" "))


def judge(predictions: pl.DataFrame, truth: pl.DataFrame, *, model: str) -> Judged:
    """Return what a model says about each event whose true label is known.

    Args:
        predictions: Checked predictions.
        truth: item and label: 0 or implausible, 1 or plausible, null = not decided; cluster.
        model: Whose predictions.
    """
    _refuse_grades(predictions.filter(pl.col("model") == model))
    true = labels_in(truth["label"], NAMES, labels=LABELS, where="the file")
    rows = matched(predictions, truth.with_columns(true.alias("label")), model=model)
    rows = rows.drop_nulls("label")
    asked = rows.height
    rows = rows.filter(pl.col("predicted").is_not_null() | pl.col("said").is_not_null())
    said = labels_in(rows["said"], NAMES, labels=LABELS, where="predictions")
    right = (said == rows["label"]).cast(pl.Float64).fill_null(np.nan).to_numpy()
    score = rows["predicted"].fill_null(np.nan).to_numpy()
    positive = (rows["label"] == "1").to_numpy()
    return Judged(rows["item"], positive, score, right, asked, cluster_codes(rows))


def _refuse_grades(predictions: pl.DataFrame) -> None:
    """Raise if a model graded events: its grade 1, the worst, would pass for `plausible`."""
    if "distribution" not in predictions.columns:
        return
    for text in predictions["distribution"].drop_nulls().head(1):
        if set(json.loads(text)) - set(NAMES):
            raise TableError(
                "predictions: the model gave grades, not one of two labels. "
                f"Compare its shares with people's: {option('scheme')} pap-soft."
            )


def score_events(
    judged: Judged, *, scheme: str, model: str, resamples: int, seed: int
) -> Evaluation:
    """Return the area under the ROC curve, accuracy and coverage of a model's judgements."""
    n = len(judged.positive)
    commonest = max(int(judged.positive.sum()), int((~judged.positive).sum())) if n else 0
    measures = {
        "auc": _auc(judged, resamples=resamples, seed=seed),
        "accuracy": _accuracy(judged, resamples=resamples, seed=seed),
        "majority_accuracy": Measure(commonest / n, n) if n else _nothing(),
        "coverage": Measure(n / judged.asked, judged.asked) if judged.asked else _nothing(),
    }
    return Evaluation(scheme, model, {WHOLE: measures}, {"n": n})


def _nothing() -> Measure:
    return Measure(None, 0, reason="no event has a true label")


def _auc(judged: Judged, *, resamples: int, seed: int) -> Measure:
    scored = ~np.isnan(judged.score)
    positive, score = judged.positive[scored], judged.score[scored]
    cluster = recoded(judged.cluster[scored])
    n = len(score)
    if n == 0:
        return Measure(None, 0, reason="the predictions carry no scores")
    if positive.all() or not positive.any():
        return Measure(None, n, reason="all events have the same label")
    column = [sorted_column(score)]
    value = float(auc_draws(column, positive, np.ones((1, n)))[0, 0])
    drawn = [
        float(area)
        for weights in unit_draws(cluster, resamples=resamples, seed=seed)
        for area in auc_draws(column, positive, weights)[:, 0]
        if not np.isnan(area)
    ]
    units = int(cluster.max()) + 1
    area = with_interval(value, units, drawn, asked=resamples, within=(0.0, 1.0))
    return replace(area, n=n)


def _accuracy(judged: Judged, *, resamples: int, seed: int) -> Measure:
    labelled = ~np.isnan(judged.right)
    right = judged.right[labelled]
    if len(right) == 0:
        return Measure(None, 0, reason="the predictions carry no labels")
    cluster = recoded(judged.cluster[labelled])
    share = ratio_bootstrap(
        summed(right, cluster), summed(np.ones(len(right)), cluster), resamples=resamples, seed=seed
    )
    return replace(share, n=len(right))
