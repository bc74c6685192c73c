"""The difference between two conditions, and the parts of its variance.

Within groups of items, each group counts once, and ratings are centred on their group. Between
conditions with different items, each item counts once. Either way an annotator who rated both
conditions counts as one: what they add to both alike does not count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from plausibly.measures._grouping import Floats, Ints, quotients, sums
from plausibly.measures._intervals import NOTHING
from plausibly.measures._two_way import Clustering, Spreading, clustering, of_ratings, spreading
from plausibly.measures.crossed import Rated


@dataclass(frozen=True, eq=False)
class DifferenceParts:
    """A difference between two conditions, and the parts of its variance.

    Args:
        value: The difference.
        pull: What each rating adds to it, centred.
        people: The part of annotators; None where there are too few to generalise to others.
        items: The part of groups; for different items, that of each condition.
        ratings: The part that annotators and items both contain.
    """

    value: float
    pull: Floats
    people: Clustering | None
    items: tuple[Clustering | None, ...]
    ratings: float

    @property
    def spread(self) -> Spreading | None:
        """The variance of the difference; None if there is nothing to generalise from."""
        return spreading(self.people, reduce(_added, self.items), self.ratings)


def paired_parts(part: Rated, side: Ints) -> DifferenceParts:
    """Return the mean difference within groups, every group counting once.

    Args:
        part: The ratings of groups that have both conditions.
        side: 1 for ratings of the condition that counts positively, 0 for the other.
    """
    weight, means = _group_means(part, side)
    value = float(np.mean(means[:, 1] - means[:, 0]))
    sign = (2 * side - 1).astype(np.float64)
    rest = part.value - means.mean(axis=1)[part.group] - sign * value / 2
    weight = weight / len(means)
    pull = sign * weight * rest
    people = clustering(pull, weight / 2, part.annotator)
    groups = clustering(pull, weight / 2, part.group)
    shared = of_ratings(pull, part.group, part.annotator)
    return DifferenceParts(value, pull, people, (groups,), shared)


def group_differences(part: Rated, side: Ints) -> Floats:
    """Return the difference within each group; the arguments are those of `paired_parts`."""
    means = _group_means(part, side)[1]
    return np.asarray(means[:, 1] - means[:, 0], dtype=np.float64)


def _group_means(part: Rated, side: Ints) -> tuple[Floats, Floats]:
    """Return each rating's weight in its group and condition, and the means of these."""
    n_groups = int(part.group.max()) + 1
    cell = 2 * part.group + side
    known, unit = np.unique(2 * part.item + side, return_inverse=True)
    size = sums(np.ones(len(unit)), unit, n_groups=len(known))
    once = 1 / size[unit]
    weight = quotients(once, sums(once, cell, n_groups=2 * n_groups)[cell])
    means = sums(weight * part.value, cell, n_groups=2 * n_groups).reshape(n_groups, 2)
    return weight, means


def unpaired_parts(ratings: Rated, side: Ints, share: Floats | None = None) -> DifferenceParts:
    """Return the difference between the means of two conditions with different items.

    Args:
        ratings: The columns of both conditions together.
        side: 1 for ratings of the condition that counts positively, 0 for the other.
        share: Weight of each item, adding up to 1 in each condition; None for equal weights.
    """
    weight = rating_weights(ratings, side, share)
    mean = sums(weight * ratings.value, side, n_groups=2)
    sign = (2 * side - 1).astype(np.float64)
    pull = sign * weight * (ratings.value - mean[side])
    items = _by_side(pull, weight, ratings.group, side)
    people = _people_part(pull, weight, ratings.annotator, side)
    shared = of_ratings(pull, ratings.group, ratings.annotator)
    return DifferenceParts(float(mean[1] - mean[0]), pull, people, items, shared)


def rating_weights(ratings: Rated, side: Ints, share: Floats | None = None) -> Floats:
    """Return the weight of each rating in its condition; the arguments are those above."""
    counts = np.bincount(ratings.item)
    own = np.ones(len(counts)) if share is None else share
    weight = np.asarray(own[ratings.item] / counts[ratings.item], dtype=np.float64)
    return quotients(weight, sums(weight, side, n_groups=2)[side])


def _people_part(pull: Floats, weight: Floats, annotator: Ints, side: Ints) -> Clustering | None:
    """Return the part of annotators, corrected for their leverage in each condition."""
    n = int(annotator.max()) + 1
    shares = sums(weight, 2 * annotator + side, n_groups=2 * n).reshape(n, 2)
    most = shares.max(axis=1)
    if n < 2 or float(most.max()) > 1 - NOTHING:
        return None
    if not (shares > 0).all(axis=1).any():
        return reduce(_added, _by_side(pull, weight, annotator, side))
    whole = clustering(pull, weight / 2, annotator)
    total = np.square(sums(pull, annotator, n_groups=n))
    variance = float(np.sum(total / (1 - most)))
    return None if whole is None else replace(whole, variance=variance)


def _by_side(
    pull: Floats, weight: Floats, cluster: Ints, side: Ints
) -> tuple[Clustering | None, ...]:
    """Return the part of clusters in each condition, none of which is in both."""
    found = []
    for one in (0, 1):
        own = side == one
        codes = np.unique(cluster[own], return_inverse=True)[1]
        found.append(clustering(pull[own], weight[own], codes))
    return tuple(found)


def _added(one: Clustering | None, other: Clustering | None) -> Clustering | None:
    """Return the variance of a difference of independent means, with Welch's degrees of freedom."""
    if one is None or other is None:
        return None
    variance = one.variance + other.variance
    doubt = sum(part.variance**2 / part.freedom for part in (one, other))
    freedom = variance**2 / doubt if doubt > 0 else min(one.freedom, other.freedom)
    return Clustering(variance, freedom, one.clusters + other.clusters)
