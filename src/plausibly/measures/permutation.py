"""Paired permutation tests: what would come out if the two systems were exchanged at random.

Systems are exchanged unit by unit (head, sentence, item), so rows of one unit stay together. The
p-value counts the observed arrangement as one of those drawn (Phipson and Smyth 2010). Arrangements
drawn that are as far apart as the observed one count half (mid-p), or in full in the exact test,
which finds too few differences where sums repeat. Without ties the two are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from plausibly.errors import StudyError
from plausibly.measures._grouping import Floats
from plausibly.measures.draws import drawable

PERMUTATIONS = 10_000
_AT_ONCE = 1 << 22
# Sums of the same numbers in another order differ in their last digits.
_EQUAL = 1e-10

Swaps = npt.NDArray[np.float64]
Statistic = Callable[[Floats], Floats]


def sign_flip_test(
    differences: Floats, *, permutations: int = PERMUTATIONS, seed: int = 0, exact: bool = False
) -> float:
    """Return the two-sided p that the differences of units have mean 0.

    Args:
        differences: First system less second, one number for each unit.
        permutations: How many arrangements are drawn.
        seed: Random seed; the same seed gives the same p.
        exact: Count ties in full (exact test) instead of half (mid-p).

    >>> sign_flip_test(np.zeros(5), permutations=10)
    1.0
    >>> sign_flip_test(np.ones(20), permutations=1000, seed=1) < 0.01
    True
    """
    kept = differences[differences != 0]
    _check(permutations)
    if len(kept) == 0:
        return 1.0
    observed = abs(float(kept.sum()))
    equal = _EQUAL * float(np.abs(kept).sum())
    beyond = 0.0
    for swaps in _swaps(len(kept), permutations, seed):
        drawn = np.abs((1.0 - 2.0 * swaps) @ kept)
        beyond += _as_far(drawn - observed, equal, exact=exact)
    return (beyond + 1) / (permutations + 1)


def swap_test(
    first: Floats,
    second: Floats,
    statistic: Statistic,
    *,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
    exact: bool = False,
) -> float:
    """Return the two-sided p that a statistic of sums over units is the same for two systems.

    Args:
        first: What each unit (row) adds to every sum (column), for the first system.
        second: The same for the second.
        statistic: From sums, one row per arrangement, to the statistic of each row; a row on
            which it is not defined is not a number, and counts as no difference.
        permutations: How many arrangements are drawn.
        seed: Random seed; the same seed gives the same p.
        exact: Count ties in full (exact test) instead of half (mid-p).

    Of six items (rows) the first system has all right, the second none; the statistic is the
    share of right ones:

    >>> right, n = np.ones((6, 1)), np.ones((6, 1))
    >>> first, second = np.hstack([right, n]), np.hstack([0 * right, n])
    >>> share = lambda sums: sums[:, 0] / sums[:, 1]
    >>> 0.01 < swap_test(first, second, share, seed=1) < 0.02
    True
    >>> 0.02 < swap_test(first, second, share, seed=1, exact=True) < 0.04
    True
    """
    if first.shape != second.shape:
        raise StudyError("the two systems must have the same units and sums.")
    _check(permutations)
    gap = second - first
    moved = np.any(gap != 0, axis=1)
    if not moved.any():
        return 1.0
    total_a, total_b = first.sum(axis=0)[None, :], second.sum(axis=0)[None, :]
    sides = np.abs(np.nan_to_num([statistic(total_a)[0], statistic(total_b)[0]]))
    observed = abs(float(np.nan_to_num(statistic(total_a) - statistic(total_b))[0]))
    equal = _EQUAL * float(sides.max())
    beyond = 0.0
    for swaps in _swaps(int(moved.sum()), permutations, seed):
        change = swaps @ gap[moved]
        drawn = statistic(total_a + change) - statistic(total_b - change)
        beyond += _as_far(np.abs(np.nan_to_num(drawn)) - observed, equal, exact=exact)
    return (beyond + 1) / (permutations + 1)


def _as_far(excess: Floats, equal: float, *, exact: bool) -> float:
    """Return how many arrangements are as far apart as the observed one; ties count half."""
    if exact:
        return float(np.sum(excess >= -equal))
    return float(np.sum(excess > equal) + np.sum(np.abs(excess) <= equal) / 2)


def _check(permutations: int) -> None:
    if drawable(permutations, what="permutations") < 1:
        raise StudyError(f"permutations must be 1 or more; got {permutations}.")


def _swaps(units: int, permutations: int, seed: int) -> Iterator[Swaps]:
    """Yield blocks of arrangements: 1 if the systems of a unit are exchanged."""
    generator = np.random.default_rng(seed)
    left = permutations
    while left > 0:
        rows = min(left, max(1, _AT_ONCE // units))
        yield generator.integers(2, size=(rows, units), dtype=np.int8).astype(np.float64)
        left -= rows
