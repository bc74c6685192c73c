"""How two models are compared under each scheme: on pairs, on classes, on events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.domain import LabelScheme, Measure
from plausibly.errors import TableError
from plausibly.evaluation.answers import matched
from plausibly.evaluation.classes import Classified, cluster_tables
from plausibly.evaluation.clusters import alone, recoded, summed
from plausibly.evaluation.comparison import (
    Basis,
    Chance,
    Comparison,
    difference,
)
from plausibly.evaluation.events import Judged
from plausibly.evaluation.pairs import WITHIN, Undefined, head_correlations, pair_items
from plausibly.evaluation.soft import Scale, Shared
from plausibly.measures.graded import accuracies, macro_f1s
from plausibly.measures.mcnemar import mcnemar
from plausibly.measures.permutation import sign_flip_test, swap_test
from plausibly.measures.ranking import (
    Floats,
    Ints,
    auc_draws,
    auc_parts,
    correlation_of_sums,
    rank_sums,
    sorted_column,
    spearman_draws,
    unit_draws,
    weighted_ranks,
)

Bools = npt.NDArray[np.bool_]
NOTHING_SHARED = "the two models share no judged item"


def pairs_of(
    predictions: pl.DataFrame,
    pairs: pl.DataFrame,
    models: tuple[str, str],
    chance: Chance,
    *,
    undefined: Undefined = "drop",
) -> list[Comparison]:
    """Return the two Spearman measures of two models, compared relation by relation.

    Inside heads, only those heads count on which both models have a value (`undefined`).
    """
    named = pair_items(pairs)
    first, second = (matched(predictions, named, model=model) for model in models)
    both = first.with_columns(other=second["predicted"]).drop_nulls(["predicted", "other"])
    if both.is_empty():
        raise TableError(f"{models[0]} and {models[1]}: {NOTHING_SHARED}.")
    comparisons: list[Comparison] = []
    for relation in pairs["relation"].unique(maintain_order=True):
        rows = both.filter(pl.col("relation") == relation)
        if rows.height > 1:
            comparisons += _of_relation(rows, (str(relation), models), chance, undefined)
    return comparisons


Where = tuple[str, tuple[str, str]]


def _of_relation(
    rows: pl.DataFrame, where: Where, chance: Chance, undefined: Undefined
) -> list[Comparison]:
    heads = rows["head"].rank("dense").cast(pl.Int64).to_numpy() - 1
    truth = rows["score"].to_numpy()
    scores = [rows[column].to_numpy() for column in ("predicted", "other")]
    rho = np.stack(
        [head_correlations(column, truth, heads, undefined=undefined) for column in scores], axis=1
    )
    return [
        _with_zeros(_within(rho, heads, where, chance), rho, (scores, truth, heads), undefined),
        _pooled(scores, truth, heads, where, chance),
    ]


def _with_zeros(
    within: Comparison, rho: Floats, columns: tuple[list[Floats], Floats, Ints], undefined: str
) -> Comparison:
    """Return the comparison with the number of heads that count as 0 for one of the models."""
    if undefined != "zero":
        return within
    scores, truth, heads = columns
    without = np.stack([np.isnan(head_correlations(one, truth, heads)) for one in scores], axis=1)
    zero = int((without & ~np.isnan(rho)).any(axis=1).sum())
    counts = {**within.difference.counts, "heads_zero": zero}
    return replace(within, difference=replace(within.difference, counts=counts))


def _within(rho: Floats, heads: Ints, where: Where, chance: Chance) -> Comparison:
    """Return the comparison on the heads where both models have a value."""
    common = np.asarray(~np.isnan(rho).any(axis=1), dtype=np.bool_)
    n, apart = int(common[heads].sum()), int((~common).sum())
    rho = rho[common]
    draws = _drawn_means(rho, np.arange(len(rho)), chance) if len(rho) > 1 else np.empty((0, 2))
    means = (
        (np.nan, np.nan) if len(rho) == 0 else (float(rho[:, 0].mean()), float(rho[:, 1].mean()))
    )
    gap = difference(
        means,
        draws,
        Basis(n, len(rho)),
        asked=chance.resamples,
        reason="no head on which both models' scores vary",
        most=2.0,
    )
    gap = replace(gap, counts={"heads": len(rho), "heads_undefined": apart})
    p = None
    if gap.value is not None:
        p = sign_flip_test(rho[:, 0] - rho[:, 1], **chance.drawn)
    a, b = where[1]
    return Comparison(a, b, WITHIN, where[0], gap, p, chance.permutation)


def _pooled(
    scores: list[Floats], truth: Floats, heads: Ints, where: Where, chance: Chance
) -> Comparison:
    columns, true_column = [sorted_column(column) for column in scores], sorted_column(truth)
    once = np.ones((1, len(truth)))
    values = spearman_draws(columns, true_column, once)[0]
    draws = [
        spearman_draws(columns, true_column, weights)
        for weights in unit_draws(heads, resamples=chance.resamples, seed=chance.seed)
        if heads.max() > 0
    ]
    gap = difference(
        (float(values[0]), float(values[1])),
        np.concatenate(draws) if draws else np.empty((0, 2)),
        Basis(len(truth), int(heads.max()) + 1),
        asked=chance.resamples,
        reason="the scores of one model are all the same",
        most=2.0,
    )
    p = None
    if gap.value is not None:
        true_ranks = weighted_ranks(true_column, once)[0]
        parts = [rank_sums(weighted_ranks(c, once)[0], true_ranks, heads) for c in columns]
        p = swap_test(parts[0], parts[1], correlation_of_sums, **chance.drawn)
    a, b = where[1]
    return Comparison(a, b, "spearman_pooled", where[0], gap, p, chance.permutation)


def classes_of(
    classified: Mapping[str, Classified],
    scheme: LabelScheme,
    models: tuple[str, str],
    chance: Chance,
) -> list[Comparison]:
    """Return accuracy and macro-F1 of two models on the rows both judged, compared."""
    first, second = _shared(classified[models[0]], classified[models[1]], models)
    size = len(scheme.labels)
    tables = [cluster_tables(side, size) for side in (first, second)]
    drawn = _table_draws(tables, size, chance)
    comparisons = []
    for metric, measure in {"accuracy": accuracies, "macro_f1": macro_f1s}.items():
        values = [float(measure(table.sum(axis=0).reshape(1, size, size))[0]) for table in tables]
        gap = difference(
            (values[0], values[1]),
            np.stack([measure(side) for side in drawn], axis=1),
            Basis(len(first.truth), len(tables[0])),
            asked=chance.resamples,
            reason="not defined on these rows",
        )
        if metric == "accuracy" and alone(first.cluster):
            right = (first.truth == first.said, second.truth == second.said)
            p, test = mcnemar(*right, exact=chance.exact), chance.mcnemar
        else:
            p, test = _swapped(tables, size, measure, chance), chance.permutation
        comparisons.append(Comparison(*models, metric, "all", gap, p, test))
    return comparisons


def _swapped(
    tables: list[Floats], size: int, measure: Callable[[Floats], Floats], chance: Chance
) -> float:
    return swap_test(
        tables[0],
        tables[1],
        lambda totals: measure(totals.reshape(-1, size, size)),
        **chance.drawn,
    )


def _table_draws(tables: list[Floats], size: int, chance: Chance) -> list[Floats]:
    parts: list[list[Floats]] = [[], []]
    units = np.arange(len(tables[0]))
    for weights in unit_draws(units, resamples=chance.resamples, seed=chance.seed):
        for side, table in zip(parts, tables, strict=True):
            side.append(weights @ table)
    empty = np.empty((0, size * size))
    return [np.concatenate([empty, *side]).reshape(-1, size, size) for side in parts]


def _shared_rows(
    first: pl.Series, second: pl.Series, models: tuple[str, str]
) -> tuple[Bools, Bools]:
    """Return which rows of each model are about an item that the other one judged too."""
    mine, theirs = first.is_in(second.implode()), second.is_in(first.implode())
    if not mine.any():
        raise TableError(f"{models[0]} and {models[1]}: {NOTHING_SHARED}.")
    return mine.to_numpy(), theirs.to_numpy()


def _shared(
    first: Classified, second: Classified, models: tuple[str, str]
) -> tuple[Classified, Classified]:
    """Return both on the rows they share, with the same clusters."""
    mine, theirs = _shared_rows(first.item, second.item, models)
    kept = np.unique(first.cluster[mine], return_inverse=True)[1].astype(np.int64)
    sides = [
        Classified(s.truth[rows], s.said[rows], kept, None, s.asked, s.item.filter(rows))
        for s, rows in ((first, mine), (second, theirs))
    ]
    return sides[0], sides[1]


def events_of(
    judged: Mapping[str, Judged], models: tuple[str, str], chance: Chance
) -> list[Comparison]:
    """Return area under the ROC curve and accuracy of two models, compared."""
    first, second = judged[models[0]], judged[models[1]]
    mine, theirs = _shared_rows(first.item, second.item, models)
    positive = first.positive[mine]
    scores = np.stack([first.score[mine], second.score[theirs]], axis=1)
    right = np.stack([first.right[mine], second.right[theirs]], axis=1)
    cluster = first.cluster[mine]
    return [
        _areas(scores, positive, cluster, models, chance),
        _shares(right, cluster, models, chance),
    ]


def _areas(
    scores: Floats, positive: Bools, cluster: Ints, models: tuple[str, str], chance: Chance
) -> Comparison:
    kept = ~np.isnan(scores).any(axis=1)
    scores, positive, cluster = scores[kept], positive[kept], recoded(cluster[kept])
    n, n_positive = len(positive), int(positive.sum())
    if n_positive in (0, n):
        gap = Measure(None, n, reason="all events have the same label")
        return Comparison(*models, "auc", "all", gap, None, chance.permutation)
    columns = [sorted_column(scores[:, side]) for side in (0, 1)]
    once = np.ones((1, n))
    values = auc_draws(columns, positive, once)[0]
    draws = [
        auc_draws(columns, positive, weights)
        for weights in unit_draws(cluster, resamples=chance.resamples, seed=chance.seed)
    ]
    gap = difference(
        (float(values[0]), float(values[1])),
        np.concatenate(draws) if draws else np.empty((0, 2)),
        Basis(n, int(cluster.max()) + 1),
        asked=chance.resamples,
        reason="not defined",
    )
    # Ranks, because two models may score on different scales.
    ranks = [weighted_ranks(column, once)[0] for column in columns]
    added = summed(auc_parts(ranks[0], ranks[1], positive), cluster)
    p = sign_flip_test(added, **chance.drawn)
    return Comparison(*models, "auc", "all", gap, p, chance.permutation)


def _shares(right: Floats, cluster: Ints, models: tuple[str, str], chance: Chance) -> Comparison:
    kept = ~np.isnan(right).any(axis=1)
    right, cluster = right[kept], recoded(cluster[kept])
    means = (np.nan, np.nan) if len(right) == 0 else tuple(right.mean(axis=0).tolist())
    gap = difference(
        (means[0], means[1]),
        _drawn_means(right, cluster, chance),
        Basis(len(right), len(np.unique(cluster))),
        asked=chance.resamples,
        reason="the predictions carry no labels",
    )
    if alone(cluster):
        p = mcnemar(right[:, 0], right[:, 1], exact=chance.exact) if len(right) else None
        return Comparison(*models, "accuracy", "all", gap, p, chance.mcnemar)
    p = sign_flip_test(summed(right[:, 0] - right[:, 1], cluster), **chance.drawn)
    return Comparison(*models, "accuracy", "all", gap, p, chance.permutation)


def _drawn_means(values: Floats, cluster: Ints, chance: Chance) -> Floats:
    """Return the mean of each column in every resample of the clusters, one row per resample."""
    draws = [
        weights @ values / weights.sum(axis=1, keepdims=True)
        for weights in unit_draws(cluster, resamples=chance.resamples, seed=chance.seed)
    ]
    return np.concatenate(draws) if draws else np.empty((0, 2))


def distances_of(
    shared: Mapping[str, Shared], scale: Scale, models: tuple[str, str], chance: Chance
) -> list[Comparison]:
    """Return every distance of two models' distributions from people's, compared item by item."""
    first, second = shared[models[0]], shared[models[1]]
    mine, theirs = _shared_rows(first.item, second.item, models)
    counts, cluster = first.counts[mine], recoded(first.cluster[mine])
    people = counts / counts.sum(axis=1, keepdims=True)
    comparisons = []
    for metric, distance in scale.distances().items():
        values = np.stack(
            [distance(people, first.model[mine]), distance(people, second.model[theirs])], axis=1
        )
        gap = difference(
            (float(values[:, 0].mean()), float(values[:, 1].mean())),
            _drawn_means(values, cluster, chance),
            Basis(len(values), len(np.unique(cluster))),
            asked=chance.resamples,
            reason="not defined",
            most=None,
        )
        p = sign_flip_test(summed(values[:, 0] - values[:, 1], cluster), **chance.drawn)
        comparisons.append(Comparison(*models, metric, "all", gap, p, chance.permutation))
    return comparisons
