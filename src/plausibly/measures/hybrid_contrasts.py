"""Differences between conditions from people and a model.

The difference between two means is corrected as each mean is (see `hybrid`): by w times the
difference between the mean prediction for all items and that for rated items. Within groups of
items, the unit is the group: what is predicted is the difference within it. The variance is
clustered by annotators across both conditions and by groups, as that of people's contrast is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from plausibly.measures._grouping import Floats, Ints, sums
from plausibly.measures._intervals import LEVEL, NOTHING
from plausibly.measures._two_way import Spreading
from plausibly.measures.crossed import Rated, item_weights
from plausibly.measures.differences import (
    DifferenceParts,
    group_differences,
    paired_parts,
    unpaired_parts,
)
from plausibly.measures.hybrid import (
    ALIKE,
    ALL_RATED,
    FEW_ITEMS,
    LEAST_ITEMS,
    LEAST_RARER,
    NO_SPREAD,
    RARE,
    Hybrid,
    PredictedItems,
    cross_fitted_slopes,
    sampling_warning,
    weighted_correlation,
    with_predictions,
)

FEW_PAIRS = "{} groups have rated items in both conditions; it takes {}"
SHARE = (0.0, 1.0)


@dataclass(frozen=True, eq=False)
class _Cell:
    """The rated items of one condition: their codes in both together, weights and means."""

    codes: Ints
    share: Floats
    mean: Floats


def hybrid_within_groups(
    ratings: Rated,
    side: Ints,
    predicted: PredictedItems,
    *,
    bounds: tuple[float, float] | None = None,
) -> Hybrid:
    """Return the difference between two conditions within groups, from people and a model.

    Args:
        ratings: The ratings of groups that have both conditions.
        side: 1 for ratings of the condition that counts positively, 0 for the other.
        predicted: The predicted difference of each group, rated or not; a group is its own item.
        bounds: Lowest and highest value of the scale; for a share 0 and 1.
    """
    answer = Hybrid(predicted=len(predicted.every))
    n = len(predicted.rated)
    if n < LEAST_ITEMS:
        return replace(answer, reason=FEW_PAIRS.format(n, LEAST_ITEMS))
    reason = _rare(ratings, side, bounds) or _nothing_to_add([predicted])
    if reason:
        return replace(answer, reason=reason)
    share, own = item_weights(n), group_differences(ratings, side)
    slope = cross_fitted_slopes(own, predicted, share)
    average = float(np.mean(predicted.every))
    sign = 2 * side - 1
    moved = ratings.value - sign * (slope * (predicted.rated - average))[ratings.group] / 2
    people = paired_parts(ratings, side)
    both = paired_parts(replace(ratings, value=moved), side)
    weight = float(np.mean(slope))
    added = weight * (predicted.every - average) / len(predicted.every)
    [groups] = both.items
    if groups is not None:
        groups = with_predictions(groups, both.pull, ratings.group, added, predicted.group)
    return replace(
        _estimate(answer, people, replace(both, items=(groups,)), bounds),
        weight=weight,
        rho=weighted_correlation(own, predicted.rated, share),
        warning=sampling_warning(predicted),
    )


def hybrid_between_items(
    ratings: Rated,
    side: Ints,
    predicted: Sequence[PredictedItems],
    *,
    bounds: tuple[float, float] | None = None,
) -> Hybrid:
    """Return the difference between conditions with different items, from people and a model.

    Args:
        ratings: The columns of both conditions together.
        side: 1 for ratings of the condition that counts positively, 0 for the other.
        predicted: The predictions for the items of the condition that is subtracted, then those
            for the other.
        bounds: Lowest and highest value of the scale; for a share 0 and 1.
    """
    answer = Hybrid(predicted=sum(len(one.every) for one in predicted))
    few = min(len(one.rated) for one in predicted)
    if few < LEAST_ITEMS:
        return replace(answer, reason=FEW_ITEMS.format(few, LEAST_ITEMS))
    reason = _rare(ratings, side, bounds) or _nothing_to_add(predicted)
    if reason:
        return replace(answer, reason=reason)
    cells = [_cell(ratings, side == place, one) for place, one in enumerate(predicted)]
    n = int(ratings.item.max()) + 1
    shift, share, weights = np.zeros(n), np.zeros(n), []
    for cell, one in zip(cells, predicted, strict=True):
        slope = cross_fitted_slopes(cell.mean, one, cell.share)
        shift[cell.codes] = slope * (one.rated - np.mean(one.every))
        share[cell.codes] = cell.share
        weights.append(float(np.sum(cell.share * slope)))
    people = unpaired_parts(ratings, side, share)
    moved = replace(ratings, value=ratings.value - shift[ratings.item])
    both = _with_all_items(unpaired_parts(moved, side, share), ratings, side, predicted, weights)
    warnings = [sampling_warning(one) for one in predicted]
    return replace(
        _estimate(answer, people, both, bounds),
        weight=float(np.mean(weights)),
        rho=_within_conditions(cells, predicted),
        warning=next(filter(None, warnings), None),
    )


def _cell(
    ratings: Rated, own: np.ndarray[tuple[int], np.dtype[np.bool_]], predicted: PredictedItems
) -> _Cell:
    codes, item = np.unique(ratings.item[own], return_inverse=True)
    mean = sums(ratings.value[own], item, n_groups=len(codes)) / np.bincount(item)
    return _Cell(codes, item_weights(len(codes), predicted.chance), mean)


def _with_all_items(
    parts: DifferenceParts,
    ratings: Rated,
    side: Ints,
    predicted: Sequence[PredictedItems],
    weights: Sequence[float],
) -> DifferenceParts:
    """Return the parts with what the mean predictions for all items add to those of items."""
    items = []
    for place, (part, one, weight) in enumerate(zip(parts.items, predicted, weights, strict=True)):
        own = side == place
        group = np.unique(ratings.group[own], return_inverse=True)[1]
        sign = 2 * place - 1
        added = sign * weight * (one.every - np.mean(one.every)) / len(one.every)
        whole = part and with_predictions(part, parts.pull[own], group, added, one.group)
        items.append(whole)
    return replace(parts, items=tuple(items))


def _within_conditions(cells: Sequence[_Cell], predicted: Sequence[PredictedItems]) -> float | None:
    """Return the correlation of predictions and item means, both centred on their condition."""
    pairs = list(zip(cells, predicted, strict=True))
    means = [cell.mean - np.sum(cell.share * cell.mean) for cell, _ in pairs]
    said = [one.rated - np.sum(cell.share * one.rated) for cell, one in pairs]
    share = np.concatenate([cell.share for cell in cells]) / len(cells)
    return weighted_correlation(np.concatenate(means), np.concatenate(said), share)


def _rare(ratings: Rated, side: Ints, bounds: tuple[float, float] | None) -> str | None:
    """Return why a share in one of the conditions is too rare; None if none is, or for means."""
    if bounds != SHARE:
        return None
    rarer = []
    for place in (0, 1):
        own = side == place
        item = np.unique(ratings.item[own], return_inverse=True)[1]
        mean = sums(ratings.value[own], item, n_groups=int(item.max()) + 1) / np.bincount(item)
        rarer.append(min(float(mean.sum()), float((1 - mean).sum())))
    least = min(rarer)
    return RARE.format(least, LEAST_RARER) if least < LEAST_RARER - NOTHING else None


def _nothing_to_add(predicted: Sequence[PredictedItems]) -> str | None:
    if all(len(one.every) <= len(one.rated) for one in predicted):
        return ALL_RATED
    return ALIKE if all(float(np.ptp(one.rated)) <= NOTHING for one in predicted) else None


def _estimate(
    answer: Hybrid,
    people: DifferenceParts,
    both: DifferenceParts,
    bounds: tuple[float, float] | None,
) -> Hybrid:
    alone, spread = people.spread, both.spread
    if not _usable(alone) or not _usable(spread) or alone is None or spread is None:
        return replace(answer, reason=NO_SPREAD)
    half = float(stdtrit(spread.freedom, (1 + LEVEL) / 2) * np.sqrt(spread.variance))
    most = bounds[1] - bounds[0] if bounds else np.inf
    return replace(
        answer,
        value=both.value,
        low=max(both.value - half, -most),
        high=min(both.value + half, most),
        gain=alone.variance / spread.variance,
    )


def _usable(spread: Spreading | None) -> bool:
    return spread is not None and spread.variance > 0
