"""The variance of a mean that is about these items, not about more like them.

Where n of N items are rated, their mean differs from that of all N by what the other N - n add,
and by the noise of ratings, which stays however many items are rated: the two-stage variance
(Cochran 1977, section 10.6) (1 - f) s2 / n + f s2_within / (n k), with f = n / N, s2 the variance
of the means of items and s2_within that of the k ratings of an item. So only the part of the
variance that comes from items is reduced, by f. It is estimated as the variance between items less
that within them, which needs two annotators for every item; items that belong together are one
unit, and all of them must be rated.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from plausibly.measures._grouping import Floats, Ints, cells_of, sums
from plausibly.measures._two_way import Clustering, Spreading

ONE_RATING = "some items have ratings by one annotator only"
PARTLY = "some groups of items are rated in part"
UNEQUAL = "the items had different chances of being rated"


def rated_share(group: Ints, is_rated: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float | None:
    """Return the share of units that are rated; None where some are rated in part.

    >>> rated_share(np.array([0, 0, 1, 2]), np.array([True, True, False, True]))
    0.6666666666666666
    """
    whole = np.bincount(group)
    rated = np.bincount(group, weights=is_rated.astype(np.float64))
    whole, rated = whole[whole > 0], rated[whole > 0]
    if ((rated > 0) & (rated < whole)).any():
        return None
    return float(np.mean(rated > 0))


def within_units(pull: Floats, group: Ints, annotator: Ints) -> float | None:
    """Return the part of the variance between units that is the noise of their ratings.

    Args:
        pull: For each rating, its weight times its distance from the mean.
        group: Code of the unit of each rating.
        annotator: Code of the annotator of each rating.

    Returns:
        None where a unit has ratings by one annotator only.
    """
    place = cells_of(group, annotator, n_answers=int(annotator.max()) + 1).place
    by_cell: Floats = np.bincount(place, weights=pull).astype(np.float64)
    unit = np.zeros(len(by_cell), dtype=np.int64)
    unit[place] = group
    n = int(group.max()) + 1
    people = np.bincount(unit, minlength=n)
    if (people < 2).any():
        return None
    mean = sums(by_cell, unit, n_groups=n) / people
    squares = sums(np.square(by_cell - mean[unit]), unit, n_groups=n)
    return float(np.sum(squares * people / (people - 1)))


def of_these(spread: Spreading, items: Clustering, *, within: float, share: float) -> Spreading:
    """Return the variance of a mean about these items.

    Args:
        spread: The variance for more items like them.
        items: The part of it that comes from units.
        within: The part of that which is the noise of ratings.
        share: The share of units that are rated.
    """
    between = max(items.variance - within, 0.0)
    return replace(spread, variance=max(spread.variance - share * between, within))
