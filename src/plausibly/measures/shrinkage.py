"""Item means, shrunk towards what is expected of them: how much, is learnt from other items.

An item with few ratings lies by chance far from where more ratings would put it. With a variance
s2 of single ratings and a variance t2 of items around their prior, the mean of n ratings counts
n / (n + k), k = s2 / t2, and the prior the rest (the best linear predictor; for shares, the
posterior mean under a Beta distribution that is worth k ratings). Prior and k are cross-fitted:
those of an item are learnt from the items of the other folds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from plausibly.measures._grouping import Floats, Ints, sums

LEAST_ITEMS = 10
"""Items with ratings below which nothing is learnt, and means stay raw."""
LEAST_IN_CONDITION = 5
"""Items of a condition, outside the fold, below which it has the prior of all conditions."""
ROUNDS = 3
FLAT = 1e-12

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ItemRatings:
    """The ratings of items that have any, one number each.

    Args:
        value: The number of each rating.
        item: Code of its item; every code occurs.
        condition: Code of the condition of each item.
        fold: Fold of each item.
        ends: Lowest and highest value that a prior may have.
    """

    value: Floats
    item: Ints
    condition: Ints
    fold: Ints
    ends: tuple[float, float]


@dataclass(frozen=True, eq=False)
class ShrunkMeans:
    """Means of items, shrunk.

    Args:
        value: The shrunk mean of each item.
        raw: The mean of its ratings.
        prior: What was expected of it.
        weight: What its ratings count, from 0 to 1; the prior counts the rest.
        worth: How many ratings the prior of each item is worth; infinite where items do not
            differ from it.
        slope: How far the prior moves with the prediction, by fold; empty without predictions.
        error: Root mean square of how far the shrunk mean of an item's other ratings is from a
            rating left out; None if no item has two ratings.
        raw_error: The same for the raw mean of the other ratings.
        learnt: Whether anything was learnt; else means are raw.
    """

    value: Floats
    raw: Floats
    prior: Floats
    weight: Floats
    worth: Floats
    slope: Floats
    error: float | None
    raw_error: float | None
    learnt: bool


@dataclass(frozen=True, eq=False)
class _Items:
    """One row per item: mean, number of ratings, squares within, condition, prediction."""

    mean: Floats
    n: Floats
    squares: Floats
    condition: Ints
    predicted: Floats | None

    def part(self, chosen: Flags) -> _Items:
        own = None if self.predicted is None else self.predicted[chosen]
        return _Items(
            self.mean[chosen], self.n[chosen], self.squares[chosen], self.condition[chosen], own
        )


def shrunk_means(ratings: ItemRatings, predicted: Floats | None = None) -> ShrunkMeans:
    """Return the mean of each item, shrunk towards its condition or towards a prediction.

    Args:
        ratings: The ratings of one question.
        predicted: A prediction for each item, on any scale, NaN for none; None for a common prior.

    >>> value = np.tile([0.0, 1.0, 1.0], 20)
    >>> item, none = np.repeat(np.arange(20), 3), np.zeros(20, dtype=np.int64)
    >>> alike = shrunk_means(ItemRatings(value, item, none, np.arange(20) % 5, (0.0, 1.0)))
    >>> float(alike.weight.max()), round(float(alike.value[0]), 3)
    (0.0, 0.667)
    """
    n_items = len(ratings.condition)
    n = sums(np.ones(len(ratings.value)), ratings.item, n_groups=n_items)
    mean = sums(ratings.value, ratings.item, n_groups=n_items) / n
    squares = sums(np.square(ratings.value - mean[ratings.item]), ratings.item, n_groups=n_items)
    items = _Items(mean, n, squares, ratings.condition, predicted)
    if n_items < LEAST_ITEMS or not (n > 1).any():
        ones = np.ones(n_items)
        return ShrunkMeans(
            mean, mean, mean, ones, 0 * ones, np.empty(0), *_errors(ratings, n, mean), learnt=False
        )
    prior, worth, slopes = np.empty(n_items), np.empty(n_items), []
    for fold in np.unique(ratings.fold):
        inside = ratings.fold == fold
        own, expected, slope = _fitted(items.part(~inside), items.part(inside))
        prior[inside], worth[inside] = np.clip(expected, *ratings.ends), own
        slopes += [] if slope is None else [slope]
    weight = weights_of(n, worth)
    value = weight * mean + (1 - weight) * prior
    errors = _errors(ratings, n, mean, prior=prior, worth=worth)
    return ShrunkMeans(value, mean, prior, weight, worth, np.array(slopes), *errors, learnt=True)


def weights_of(n: Floats, worth: Floats) -> Floats:
    """Return what n ratings count against a prior that is worth some ratings.

    >>> weights_of(np.array([3.0, 3.0, 3.0]), np.array([0.0, 6.0, np.inf])).round(3).tolist()
    [1.0, 0.333, 0.0]
    """
    share: Floats = np.where(n > 0, n / np.where(n + worth > 0, n + worth, 1.0), 0.0)
    return share


def _fitted(others: _Items, own: _Items) -> tuple[float, Floats, float | None]:
    """Return what the prior is worth, the prior of each own item, and its slope, from others."""
    noise, everywhere = _noise(others), _Everywhere.of(others)
    n_conditions = 1 + max(int(one.condition.max(initial=0)) for one in (others, own))
    large = np.bincount(others.condition, minlength=n_conditions) >= LEAST_IN_CONDITION
    if not large.any():
        large[:] = True
        others, own = (replace(one, condition=0 * one.condition) for one in (others, own))
    known = others.part(large[others.condition])
    centre = _centres(known, everywhere.predicted, n_conditions)
    table, spread = _design(known, n_conditions, centre), 0.0
    fitted: Floats = np.zeros(table.shape[1])
    for turn in range(ROUNDS):
        scale = np.ones(len(known.mean))
        if turn and spread + noise > FLAT:
            scale = 1 / (spread + noise / known.n)
            scale /= scale.mean()
        root = np.sqrt(scale)
        solved = np.linalg.lstsq(table * root[:, None], known.mean * root, rcond=None)[0]
        fitted = np.asarray(solved, dtype=np.float64)
        spread = _between(known.mean - table @ fitted, known.n, noise, table)
    slope = None if centre is None else float(fitted[-1])
    common: Floats = np.full(len(own.mean), everywhere.mean)
    if slope is not None and own.predicted is not None:
        common = common + slope * np.nan_to_num(own.predicted - everywhere.predicted)
    expected = np.where(large[own.condition], _design(own, n_conditions, centre) @ fitted, common)
    worth = noise / spread if spread > FLAT else (0.0 if noise <= FLAT else np.inf)
    return worth, expected, slope


@dataclass(frozen=True, slots=True)
class _Everywhere:
    """Mean and mean prediction over all conditions."""

    mean: float
    predicted: float

    @classmethod
    def of(cls, items: _Items) -> _Everywhere:
        known = np.empty(0) if items.predicted is None else items.predicted
        known = known[~np.isnan(known)]
        return cls(float(items.mean.mean()), float(known.mean()) if len(known) else 0.0)


def _design(items: _Items, n_conditions: int, centre: Floats | None) -> Floats:
    """Return a column for each condition and, with predictions, their distance from its mean."""
    columns = np.zeros((len(items.mean), n_conditions))
    columns[np.arange(len(items.mean)), items.condition] = 1.0
    if centre is None or items.predicted is None:
        return columns
    return np.column_stack([columns, np.nan_to_num(items.predicted - centre[items.condition])])


def _centres(items: _Items, otherwise: float, n_conditions: int) -> Floats | None:
    """Return the mean prediction in each condition; None where predictions say nothing there."""
    if items.predicted is None:
        return None
    known = ~np.isnan(items.predicted)
    at, numbers = items.condition[known], items.predicted[known]
    counts = np.bincount(at, minlength=n_conditions)
    centre: Floats = np.bincount(at, numbers, minlength=n_conditions) / np.maximum(counts, 1)
    centre[counts == 0] = otherwise
    gap = float(np.abs(numbers - centre[at]).max(initial=0.0))
    return centre if gap > FLAT * max(float(np.abs(numbers).max(initial=0.0)), 1.0) else None


def _noise(items: _Items) -> float:
    """Return the variance of ratings within items."""
    freedom = float(np.sum(items.n - 1))
    return float(items.squares.sum()) / freedom if freedom else 0.0


def _between(rest: Floats, n: Floats, noise: float, table: Floats) -> float:
    """Return the variance of items around their prior, by moments; at least 0."""
    used = int((np.abs(table).sum(axis=0) > 0).sum())
    freedom = max(len(rest) - used, 1)
    found = float(np.sum(np.square(rest))) / freedom - noise * float(np.mean(1 / n))
    return max(found, 0.0)


def _errors(
    ratings: ItemRatings,
    n: Floats,
    mean: Floats,
    *,
    prior: Floats | None = None,
    worth: Floats | None = None,
) -> tuple[float | None, float | None]:
    """Return how far shrunk and raw means of an item's other ratings are from one left out."""
    kept = n[ratings.item] > 1
    if not kept.any():
        return None, None
    value, item = ratings.value[kept], ratings.item[kept]
    rest = n[item] - 1
    raw = (n[item] * mean[item] - value) / rest
    raw_error = float(np.sqrt(np.mean(np.square(value - raw))))
    if prior is None or worth is None:
        return raw_error, raw_error
    weight = weights_of(rest, worth[item])
    shrunk = weight * raw + (1 - weight) * prior[item]
    return float(np.sqrt(np.mean(np.square(value - shrunk)))), raw_error
