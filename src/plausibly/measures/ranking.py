"""Rankings against a truth: Spearman pooled and within groups, area under the ROC curve.

Resamples draw whole units (heads, items). A row counts as often as its unit was drawn; its rank
then follows from running totals over the sorted column, so nothing is sorted again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plausibly.errors import StudyError
from plausibly.measures._grouping import sums
from plausibly.measures.draws import drawable

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_AT_ONCE = 1 << 19


@dataclass(frozen=True, eq=False)
class Sorted:
    """A column sorted once: which rows share a value, and the order of the values.

    Args:
        order: Positions of the rows, smallest value first.
        starts: Where each distinct value begins in that order.
        place: For each row the number of its value, from 0.

    >>> Sorted(np.array([1, 0]), np.array([0, 1]), np.array([1, 0])).place.tolist()
    [1, 0]
    """

    order: Ints
    starts: Ints
    place: Ints


def sorted_column(column: npt.ArrayLike) -> Sorted:
    """Return the column sorted; raise if it holds what is not a number.

    >>> sorted_column([0.5, 0.1, 0.5]).place.tolist()
    [1, 0, 1]
    """
    values = np.asarray(column, dtype=np.float64)
    if np.isnan(values).any():
        raise StudyError(f"{int(np.isnan(values).sum())} of {values.size} scores are NaN.")
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    new = np.ones(len(ordered), dtype=np.bool_)
    new[1:] = ordered[1:] != ordered[:-1]
    place = np.empty(len(values), dtype=np.int64)
    place[order] = np.cumsum(new) - 1
    return Sorted(order, np.flatnonzero(new), place)


def weighted_ranks(column: Sorted, weights: Floats) -> Floats:
    """Return the average rank of every row, less the mean rank, one row of ranks per draw.

    Args:
        column: The sorted column.
        weights: How often each row counts (columns), for each draw (rows).

    >>> weighted_ranks(sorted_column([3, 1, 2]), np.ones((1, 3))).tolist()
    [[1.0, -1.0, 0.0]]
    """
    per_value = np.add.reduceat(weights[:, column.order], column.starts, axis=1)
    below = np.cumsum(per_value, axis=1)
    middle = below - per_value / 2 - below[:, -1:] / 2
    ranks: Floats = middle[:, column.place]
    return ranks


def unit_draws(units: Ints, *, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of draws: how often each row counts when whole units are drawn.

    >>> (draws,) = unit_draws(np.array([0, 0, 1]), resamples=50, seed=1)
    >>> draws.shape, bool(np.all(draws[:, 0] == draws[:, 1]))
    ((50, 3), True)
    """
    n_units = int(units.max()) + 1 if len(units) else 0
    generator = np.random.default_rng(seed)
    left = drawable(resamples) if n_units else 0
    while left > 0:
        rows = min(left, max(1, _AT_ONCE // max(len(units), n_units)))
        draws = generator.integers(n_units, size=(rows, n_units))
        draws += np.arange(rows)[:, None] * n_units
        counts = np.bincount(draws.ravel(), minlength=rows * n_units).reshape(rows, n_units)
        yield counts.astype(np.float64)[:, units]
        left -= rows


def spearman_draws(columns: list[Sorted], truth: Sorted, weights: Floats) -> Floats:
    """Return Spearman's rho of every column with the truth (columns), for each draw (rows).

    >>> truth, scores = sorted_column([1, 2, 3]), sorted_column([9, 5, 1])
    >>> spearman_draws([truth, scores], truth, np.ones((1, 3))).tolist()
    [[1.0, -1.0]]
    """
    # A row of all draws lies together, so that sorting moves rows and not single numbers.
    weights_by_row = np.ascontiguousarray(weights.T)
    ranks, spread = _ranks_and_spread(truth, weights_by_row)
    weighted_truth = ranks[truth.place] * weights_by_row
    found = np.empty((len(weights), len(columns)))
    for number, column in enumerate(columns):
        ranks, own = _ranks_and_spread(column, weights_by_row)
        # Added up by value first: a row of ranks is then read once and in order.
        by_value = _by_value(column, weighted_truth)
        product = np.einsum("ij,ij->j", by_value, ranks)
        found[:, number] = _quotient(product, np.sqrt(own * spread))
    return np.clip(found, -1.0, 1.0)


def _by_value(column: Sorted, rows: Floats) -> Floats:
    """Return the sums of the rows that share a value, smallest value first."""
    ordered = rows[column.order]
    if len(column.starts) == len(column.order):
        return ordered
    added: Floats = np.add.reduceat(ordered, column.starts, axis=0)
    return added


def _ranks_and_spread(column: Sorted, weights: Floats) -> tuple[Floats, Floats]:
    """Return the centred rank of every value (rows) in each draw, and the sum of their squares.

    The squares of average ranks of n rows, t of them at each value, add up to (n³ - Σt³) / 12.
    """
    at_value = _by_value(column, weights)
    ranks: Floats = np.cumsum(at_value, axis=0)
    n = ranks[-1].copy()
    ranks -= at_value / 2
    ranks -= n / 2
    cubes = np.einsum("ij,ij->j", at_value * at_value, at_value)
    return ranks, (n * n * n - cubes) / 12


def auc_draws(columns: list[Sorted], positive: npt.NDArray[np.bool_], weights: Floats) -> Floats:
    """Return the area under the ROC curve of every column, for each draw; ties count a half.

    >>> plausible = np.array([True, False, True, False])
    >>> auc_draws([sorted_column([4, 1, 2, 3])], plausible, np.ones((1, 4))).tolist()
    [[0.75]]
    """
    on_top = weights * positive
    n_positive = on_top.sum(axis=1)
    n_negative = weights.sum(axis=1) - n_positive
    found = np.empty((len(weights), len(columns)))
    for number, column in enumerate(columns):
        rank_sum = np.einsum("ij,ij->i", on_top, weighted_ranks(column, weights))
        found[:, number] = 0.5 + _quotient(rank_sum, n_positive * n_negative)
    return found


def auc_parts(first: Floats, second: Floats, positive: npt.NDArray[np.bool_]) -> Floats:
    """Return what each row adds to the area of the first column less that of the second.

    If rows exchange their two values, the difference of the areas is the sum of the parts with
    the signs of these rows changed (Bandos, Rockette and Gur 2005, "A permutation test sensitive
    to differences in areas for comparing ROC curves from a paired design"). A part compares the
    two values of a row with both values of every row of the other label.

    Args:
        first: Ranks by one model.
        second: Ranks by the other.
        positive: Whether each row is positive; both labels occur.

    >>> parts = auc_parts(np.array([3.0, 1.0]), np.array([1.0, 3.0]), np.array([True, False]))
    >>> parts.tolist()
    [0.5, 0.5]
    """
    parts = np.empty(len(positive))
    for side, sign in ((positive, 1.0), (~positive, -1.0)):
        others = np.sort(np.concatenate([first[~side], second[~side]]))
        parts[side] = sign * (_below(first[side], others) - _below(second[side], others))
    return parts / (2.0 * np.count_nonzero(positive) * np.count_nonzero(~positive))


def _below(values: Floats, ordered: Floats) -> Floats:
    """Return how many sorted numbers are below each value; equal ones count a half."""
    return np.asarray(
        (np.searchsorted(ordered, values) + np.searchsorted(ordered, values, side="right")) / 2
    )


def _quotient(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, np.where(whole > 0, whole, np.nan))


def spearman_within(scores: npt.ArrayLike, truth: npt.ArrayLike, groups: Ints) -> Floats:
    """Return Spearman's rho inside each group; not a number where either side does not vary.

    >>> spearman_within([1, 2, 5, 5], [3, 4, 1, 2], np.array([0, 0, 1, 1])).tolist()
    [1.0, nan]
    """
    n_groups = int(groups.max()) + 1 if len(groups) else 0
    first, second = (ranks_within(column, groups) for column in (scores, truth))
    product = sums(first * second, groups, n_groups=n_groups)
    spread = sums(first**2, groups, n_groups=n_groups) * sums(second**2, groups, n_groups=n_groups)
    return np.clip(_quotient(product, np.sqrt(spread)), -1.0, 1.0)


def ranks_within(column: npt.ArrayLike, groups: Ints) -> Floats:
    """Return the average rank of each row in its group, less the mean rank of the group.

    >>> ranks_within([10, 30, 20, 5], np.array([0, 0, 0, 1])).tolist()
    [-1.0, 1.0, 0.0, 0.0]
    """
    values = np.asarray(column, dtype=np.float64)
    n = len(values)
    if n == 0:
        return values
    order = np.lexsort((values, groups))
    ordered, group = values[order], groups[order]
    new = np.ones(n, dtype=np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]) | (group[1:] != group[:-1])
    starts = np.flatnonzero(new)
    sizes = np.diff(np.append(starts, n))
    ranks = np.empty(n)
    ranks[order] = np.repeat(starts + (sizes + 1) / 2, sizes)
    n_groups = int(groups.max()) + 1
    members = sums(np.ones(n), groups, n_groups=n_groups)
    means = sums(ranks, groups, n_groups=n_groups) / np.maximum(members, 1)
    centred: Floats = ranks - means[groups]
    return centred


def rank_sums(ranks: Floats, true_ranks: Floats, groups: Ints) -> Floats:
    """Return what each group (row) adds to n, the sums, squares and products of two columns.

    >>> rank_sums(np.array([1.0, 2.0]), np.array([3.0, 1.0]), np.array([0, 0])).tolist()
    [[2.0, 3.0, 5.0, 5.0, 4.0, 10.0]]
    """
    n_groups = int(groups.max()) + 1
    once = np.ones(len(ranks))
    columns = (once, ranks, ranks**2, ranks * true_ranks, true_ranks, true_ranks**2)
    return np.stack([sums(column, groups, n_groups=n_groups) for column in columns], axis=1)


def correlation_of_sums(totals: Floats) -> Floats:
    """Return the correlation of two columns from their sums, one for each row of totals.

    >>> totals = rank_sums(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]), np.zeros(3, int))
    >>> correlation_of_sums(totals).tolist()
    [1.0]
    """
    n, x, xx, xy, y, yy = totals.T
    spread = (xx - x * x / n) * (yy - y * y / n)
    return _quotient(xy - x * y / n, np.sqrt(np.maximum(spread, 0.0)))
