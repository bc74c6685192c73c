"""Predicted classes against people's, for ordered classes (ADEPT's effects, PAP's two sides).

Emami et al. (2021, section 5) report accuracy; most pairs have one label, so what comes with
it matters more. Intervals draw whole clusters (pairs made from one sentence).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.domain import LabelScheme, Measure
from plausibly.errors import TableError
from plausibly.evaluation.answers import labels_in, matched, probabilities
from plausibly.evaluation.clusters import cluster_codes
from plausibly.evaluation.report import WHOLE, Evaluation, Measures
from plausibly.io.ranks import shuffled
from plausibly.measures.draws import drawable
from plausibly.measures.graded import MEASURES, calibration_error
from plausibly.measures.ranking import Floats, Ints
from plausibly.measures.recall import mean_recall
from plausibly.measures.resampling import with_interval

_REASONS = {
    "mcc": "all true or all predicted labels are the same",
    "quadratic_kappa": "all labels are the same",
}
_LEAST = {"mcc": -1.0, "quadratic_kappa": -1.0}


@dataclass(frozen=True, eq=False)
class Classified:
    """True and predicted classes of the rows a model judged.

    Args:
        truth: Place of the true label in the scheme, for each row.
        said: Place of the predicted one.
        cluster: Code of what is drawn together.
        probability: One row of probabilities over the labels each, where there are any.
        asked: Names of the rows there were to judge.
        item: Names of the rows.
    """

    truth: Ints
    said: Ints
    cluster: Ints
    probability: Floats | None
    asked: pl.Series
    item: pl.Series


def spellings(scheme: LabelScheme) -> dict[str, str]:
    """Return every spelling of a label the scheme accepts, with the label."""
    return {**scheme.of, **{label: label for label in scheme.labels}}


def classify(
    predictions: pl.DataFrame,
    truth: pl.DataFrame,
    scheme: LabelScheme,
    *,
    model: str,
    left_out: Mapping[str, str] | None = None,
) -> Classified:
    """Return truth and prediction of every row under a scheme.

    A distribution decides before a label: its probabilities are added up by the scheme's
    classes, and what the scheme leaves out is scaled away. Rows whose true label the scheme
    leaves out do not count.

    Args:
        predictions: Checked predictions.
        truth: item, label, and cluster (null = alone).
        scheme: From spellings to labels.
        model: Whose predictions.
        left_out: From labels that belong to the scale but not to this scheme to the nearest
            label that does; a true label among them takes its row out.
    """
    nearest = dict(left_out or {})
    names = spellings(scheme)
    counted = truth.filter(~pl.col("label").is_in(list(nearest)).fill_null(False))
    counted = counted.with_columns(
        labels_in(counted["label"], names, labels=scheme.labels, where="the file").alias("label")
    ).drop_nulls("label")
    if counted.is_empty():
        raise TableError("the file to evaluate against has no row with a label of the scheme.")
    rows = matched(predictions, counted, model=model)
    shares = rows.filter(pl.col("said").is_not_null() | pl.col("distribution").is_not_null())
    if shares.is_empty():
        raise TableError(
            f"predictions of {model!r} carry neither labels nor distributions. "
            f"Expected one of: {', '.join(scheme.labels)}."
        )
    return _coded(shares, scheme, {**nearest, **names}, asked=rows["item"])


def _coded(
    rows: pl.DataFrame, scheme: LabelScheme, names: Mapping[str, str], *, asked: pl.Series
) -> Classified:
    place = {label: number for number, label in enumerate(scheme.labels)}
    # A distribution over labels that are left out says nothing about the rest of the scale.
    own = spellings(scheme)
    outside = {name: name for name in names if name not in own}
    nearest = {name: names[name] for name in outside}
    table = probabilities(
        rows["distribution"], {**outside, **own}, labels=scheme.labels, nearest=nearest
    )
    if table is None:
        said = labels_in(rows["said"], names, labels=scheme.labels, where="predictions")
        codes = said.replace_strict(place, return_dtype=pl.Int64)
        if codes.is_null().any():
            raise TableError("predictions: some rows have a distribution and no label.")
        predicted = codes.to_numpy()
    else:
        predicted = table.argmax(axis=1).astype(np.int64)
    cluster = cluster_codes(rows)
    truth = rows["label"].replace_strict(place, return_dtype=pl.Int64).to_numpy()
    return Classified(truth, predicted, cluster, table, asked, rows["item"])


def cluster_tables(classified: Classified, size: int) -> Floats:
    """Return how often each cluster (row) has each true and predicted label (cells)."""
    cells = classified.truth * size + classified.said
    n_clusters = int(classified.cluster.max()) + 1
    flat = np.bincount(classified.cluster * size**2 + cells, minlength=n_clusters * size**2)
    return flat.reshape(n_clusters, size**2).astype(np.float64)


def part_of(classified: Classified, items: pl.Series) -> Classified | None:
    """Return what was said about some items; None if nothing was."""
    kept = classified.item.is_in(items.implode()).to_numpy()
    if not kept.any():
        return None
    cluster = np.unique(classified.cluster[kept], return_inverse=True)[1].astype(np.int64)
    probability = classified.probability
    return Classified(
        classified.truth[kept],
        classified.said[kept],
        cluster,
        None if probability is None else probability[kept],
        classified.asked.filter(classified.asked.is_in(items.implode())),
        classified.item.filter(pl.Series(kept)),
    )


def score_classes(
    classified: Classified,
    scheme: LabelScheme,
    *,
    model: str,
    resamples: int,
    seed: int,
    parts: Mapping[str, pl.Series] | None = None,
) -> Evaluation:
    """Return every measure of the predicted classes, with intervals and the confusion table.

    Args:
        classified: Truth and prediction of every row.
        scheme: The classes.
        model: Whose predictions.
        resamples: Draws of clusters for the intervals; 0 for none.
        seed: Random seed; the same seed gives the same intervals.
        parts: Items to evaluate apart as well, by name; parts nothing was said about are left out.
    """
    size = len(scheme.labels)
    apart = {name: part_of(classified, items) for name, items in (parts or {}).items()}
    rows = {WHOLE: classified, **{name: part for name, part in apart.items() if part is not None}}
    slices: dict[str, Measures] = {
        name: _measures_of(part, size, resamples=resamples, seed=seed)
        for name, part in rows.items()
    }
    whole = cluster_tables(classified, size).sum(axis=0).reshape(size, size)
    details: dict[str, object] = {
        "labels": list(scheme.labels),
        "confusion": whole.astype(np.int64).tolist(),
        "n": len(classified.truth),
    }
    if apart:
        details["labels_by_slice"] = {
            name: np.bincount(part.truth, minlength=size).tolist() for name, part in rows.items()
        }
    return Evaluation(scheme.name, model, slices, details, judged=_judged(classified, scheme))


def _judged(classified: Classified, scheme: LabelScheme) -> pl.DataFrame:
    """Return item, label and predicted label of every row."""
    names = {
        "label": [scheme.labels[place] for place in classified.truth],
        "predicted": [scheme.labels[place] for place in classified.said],
    }
    return pl.DataFrame({"item": classified.item, **names}, schema_overrides={"item": pl.String})


def examples_of(
    judged: pl.DataFrame, texts: pl.DataFrame, *, count: int, seed: int
) -> pl.DataFrame:
    """Return as many items a model predicts rightly as wrongly, drawn, each with its text.

    Emami et al. (2021, Table 6) print three of each.

    Args:
        judged: item, label and predicted.
        texts: item and text; an item that has none keeps its row.
        count: How many of each at most.
        seed: Random seed; the same seed gives the same examples.
    """
    rows = judged.with_columns(right=pl.col("label") == pl.col("predicted"))
    drawn = shuffled(rows, key=pl.lit("examples|") + pl.col("item"), seed=seed)
    parts = [drawn.filter(pl.col("right") == right).head(count) for right in (True, False)]
    known = texts.unique("item", maintain_order=True)
    joined = pl.concat(parts).join(known, on="item", how="left", maintain_order="left")
    return joined.select("item", "text", "label", "predicted", "right")


def _measures_of(classified: Classified, size: int, *, resamples: int, seed: int) -> Measures:
    tables = cluster_tables(classified, size)
    whole = tables.sum(axis=0).reshape(1, size, size)
    drawn = _draws(tables, resamples, seed).reshape(-1, size, size)
    n = len(classified.truth)
    measures: dict[str, Measure] = {
        name: replace(
            _measure(name, measure(whole)[0], measure(drawn), len(tables), resamples), n=n
        )
        for name, measure in MEASURES.items()
    }
    if resamples:  # draws know nothing of labels that occur once or twice
        measures["balanced_accuracy"] = mean_recall(tables.reshape(-1, size, size))
    measures["coverage"] = Measure(n / len(classified.asked), len(classified.asked))
    measures["majority_accuracy"] = Measure(float(whole[0].sum(axis=1).max()) / n, n)
    measures["calibration_error"] = _calibration(classified)
    return measures


def _measure(name: str, value: float, drawn: Floats, clusters: int, asked: int) -> Measure:
    if np.isnan(value):
        return Measure(None, clusters, reason=_REASONS.get(name, "not defined on these rows"))
    values = drawn[~np.isnan(drawn)].tolist()
    within = (_LEAST.get(name, 0.0), 1.0)
    return with_interval(float(value), clusters, values, asked=asked, within=within)


def _calibration(classified: Classified) -> Measure:
    n = len(classified.truth)
    if classified.probability is None:
        return Measure(None, n, reason="the predictions carry no distributions")
    return Measure(calibration_error(classified.probability, classified.truth), n)


def _draws(tables: Floats, resamples: int, seed: int) -> Floats:
    """Return the table of every draw of clusters, a cluster as often as it was drawn."""
    clusters = len(tables)
    generator = np.random.default_rng(seed)
    drawn = np.zeros((drawable(resamples), tables.shape[1]))
    weights: npt.NDArray[np.float64]
    for row in range(resamples):
        chosen = generator.integers(clusters, size=clusters)
        weights = np.bincount(chosen, minlength=clusters).astype(np.float64)
        drawn[row] = weights @ tables
    return drawn
