"""Scores of head-dependent pairs against people's (Zhang et al. 2019, section 4).

Spearman's rho inside each head's pairs, averaged over heads, is what the paper reports; rho over
all pairs of a relation is reported too, because the two can disagree. Pairs the model gives no
score are left out, and `coverage` shows how many it does score on evidence. Rho is undefined inside
a head whose scores are all the same: such heads are dropped or count as 0, and are counted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import polars as pl

from plausibly.domain import Measure
from plausibly.errors import TableError
from plausibly.evaluation.answers import matched
from plausibly.evaluation.clusters import recoded, summed
from plausibly.evaluation.report import Evaluation, Measures
from plausibly.measures.correlation import kendall
from plausibly.measures.ranking import (
    Floats,
    Ints,
    sorted_column,
    spearman_draws,
    spearman_within,
    unit_draws,
)
from plausibly.measures.ratios import ratio_bootstrap
from plausibly.measures.resampling import with_interval

HALVES = ("all", "frequent", "random")
UNKNOWN = "unknown"
WITHIN = "spearman_within_head"
NO_HALVES = "the file does not say which pairs are frequent and which random"


Undefined = Literal["drop", "zero"]


def pair_items(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs with their names as items: their own, or relation|head|dependent."""
    if "item" in pairs.columns:
        return pairs
    name = pl.concat_str("relation", "head", "dependent", separator="|")
    return pairs.with_columns(item=name)


def score_pairs(
    predictions: pl.DataFrame,
    pairs: pl.DataFrame,
    *,
    model: str,
    resamples: int,
    seed: int,
    undefined: Undefined = "drop",
) -> Evaluation:
    """Return how the scores of a model go with people's, by relation and half.

    Args:
        predictions: Checked predictions; a column `evidence` shows what a score rests on.
        pairs: relation, head, dependent, score, and source (frequent, random, or null).
        model: Whose predictions.
        resamples: Draws of heads for the intervals; 0 for none.
        seed: Random seed; the same seed gives the same intervals.
        undefined: Heads on which the model's scores are all the same: dropped, or 0.
    """
    if pairs["score"].is_null().any():
        raise TableError("pairs to evaluate against need a score each; some have none.")
    rows = matched(predictions, pair_items(pairs), model=model)
    slices: dict[str, Measures] = {}
    for relation in pairs["relation"].unique(maintain_order=True):
        of_relation = rows.filter(pl.col("relation") == relation)
        for half in HALVES:
            part = of_relation if half == "all" else of_relation.filter(pl.col("source") == half)
            slices[f"{relation}/{half}"] = _measures(
                part, resamples=resamples, seed=seed, undefined=undefined
            )
    return Evaluation("sp10k", model, slices, {"undefined": undefined}, nested="relations")


def _measures(rows: pl.DataFrame, *, resamples: int, seed: int, undefined: Undefined) -> Measures:
    if rows.is_empty():
        absent = Measure(None, 0, reason=NO_HALVES)
        return dict.fromkeys((WITHIN, "spearman_pooled", "kendall", "coverage", "ties"), absent)
    scored = rows.drop_nulls("predicted")
    heads = scored["head"].rank("dense").cast(pl.Int64).to_numpy() - 1
    said, truth = scored["predicted"].to_numpy(), scored["score"].to_numpy()
    return {
        WITHIN: within_head(
            said, truth, heads, resamples=resamples, seed=seed, undefined=undefined
        ),
        "spearman_pooled": pooled(said, truth, heads, resamples=resamples, seed=seed),
        "kendall": kendall(said, truth) if len(said) else Measure(None, 0, reason="no scores"),
        "coverage": _coverage(rows, resamples=resamples, seed=seed),
        "ties": _ties(said),
    }


def head_correlations(
    said: Floats, truth: Floats, heads: Ints, *, undefined: Undefined = "drop"
) -> Floats:
    """Return rho inside each head; not a number where it is undefined.

    With `zero`, a model whose scores do not vary where people's do has a rho of 0.

    >>> said, truth = np.array([1.0, 2.0, 5.0, 5.0]), np.array([3.0, 4.0, 1.0, 2.0])
    >>> heads = np.array([0, 0, 1, 1])
    >>> head_correlations(said, truth, heads, undefined="zero").tolist()
    [1.0, 0.0]
    """
    rho = spearman_within(said, truth, heads)
    if undefined == "drop":
        return rho
    varied = ~np.isnan(spearman_within(truth, truth, heads))
    return np.where(np.isnan(rho) & varied, 0.0, rho)


def within_head(
    said: Floats,
    truth: Floats,
    heads: Ints,
    *,
    resamples: int,
    seed: int,
    undefined: Undefined = "drop",
) -> Measure:
    """Return the mean rho inside a head; n counts the pairs of the heads that are in it."""
    rho = head_correlations(said, truth, heads, undefined=undefined)
    used = ~np.isnan(rho)
    own = rho[used]
    counts = {"heads": len(own), "heads_undefined": len(rho) - len(own)}
    if undefined == "zero":
        counts["heads_zero"] = int((used & np.isnan(spearman_within(said, truth, heads))).sum())
    n = int(used[heads].sum())
    if n == 0:
        return Measure(None, 0, reason="no head's scores vary", counts=counts)
    drawn = [
        float(mean)
        for weights in unit_draws(np.arange(len(own)), resamples=resamples, seed=seed)
        for mean in weights @ own / len(own)
    ]
    mean = with_interval(float(own.mean()), len(own), drawn, asked=resamples, within=(-1.0, 1.0))
    return replace(mean, n=n, counts=counts)


def pooled(said: Floats, truth: Floats, heads: Ints, *, resamples: int, seed: int) -> Measure:
    """Return rho over all pairs, its interval from drawing whole heads."""
    if len(said) < 2:
        return Measure(None, len(said), reason="fewer than two scores")
    columns, true_column = [sorted_column(said)], sorted_column(truth)
    value = float(spearman_draws(columns, true_column, np.ones((1, len(said))))[0, 0])
    if np.isnan(value):
        return Measure(None, len(said), reason="all scores are the same")
    drawn = [
        float(rho)
        for weights in unit_draws(heads, resamples=resamples, seed=seed)
        for rho in spearman_draws(columns, true_column, weights)[:, 0]
        if not np.isnan(rho)
    ]
    units = len(np.unique(heads))
    rho = with_interval(value, units, drawn, asked=resamples, within=(-1.0, 1.0))
    return replace(rho, n=len(said))


def _coverage(rows: pl.DataFrame, *, resamples: int, seed: int) -> Measure:
    """Return the share of pairs the model has evidence on, its interval from drawing heads."""
    covered = rows["predicted"].is_not_null()
    if "evidence" in rows.columns and rows["evidence"].is_not_null().any():
        covered = covered & (rows["evidence"].fill_null(UNKNOWN) != UNKNOWN)
    heads = recoded(rows["head"].to_numpy())
    hits = summed(covered.cast(pl.Float64).to_numpy(), heads)
    pairs = summed(np.ones(rows.height), heads)
    share = ratio_bootstrap(hits, pairs, resamples=resamples, seed=seed)
    return replace(share, n=rows.height)


def _ties(said: Floats) -> Measure:
    """Return the share of pairs that share their score with another pair."""
    if len(said) == 0:
        return Measure(None, 0, reason="no scores")
    counts = np.unique(said, return_counts=True)[1]
    return Measure(float(counts[counts > 1].sum()) / len(said), len(said))
