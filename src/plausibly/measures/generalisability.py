"""How reliable item means are where not everyone rated everything, and how many ratings they need.

A rating is the sum of its item, its annotator and a rest (see `reliability`). Where two items have
the same annotators, what annotators add cancels out of the comparison; where they have different
ones, it does not. G(q,k) (Putka, Le, McCloy and Diaz 2008, "Ill-structured measurement designs in
organizational research") counts as much of the annotators' variance as the design leaves in: none
where everyone rated everything, all of it where no two items share an annotator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

import numpy as np

from plausibly.domain import Measure
from plausibly.measures._crossing import Crossing
from plausibly.measures._estimating import estimates
from plausibly.measures._grouping import sums
from plausibly.measures._sample import Number, Sample, Statistic
from plausibly.measures._undefined import ONE_ANSWER, not_numbers, unpaired
from plausibly.measures.chance import percent
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.krippendorff import Metric, alpha
from plausibly.measures.reliability import components
from plausibly.measures.resampling import Resampling

LOWEST = -0.99
MEANS, ONE_RATING, ALPHA, SAME = "means", "one_rating", "alpha", "same_answer"
NO_SPREAD = "the means of items do not differ"
NOT_SEPARATE = "items and annotators cannot be separated in this design"


@dataclass(frozen=True, slots=True)
class Design:
    """How many ratings items have, and how far comparisons of items rest on the same people.

    Args:
        ratings: Harmonic mean of the ratings per item, over items with two or more.
        counted: Share of the annotators' variance that is left in a comparison of two items.
    """

    ratings: float
    counted: float


def reliabilities(
    coded: Coded, *, metric: Metric, people: bool = True, resampling: Resampling | None = None
) -> dict[str, Measure]:
    """Return agreement and the reliability of one rating and of item means, all with intervals.

    Args:
        coded: The ratings of one question.
        metric: The level of alpha.
        people: Whether it is known who gave which rating; without, every rating counts as that
            of somebody else, and intervals are for new items only.
        resampling: What is left out in turn; without it there are no intervals.

    >>> import polars as pl
    >>> from plausibly.measures.coded import code
    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2", "t3", "t3"],
    ...                         "annotator": ["a", "b"] * 3,
    ...                         "answer": ["1", "2", "4", "5", "5", "5"]})
    >>> round(reliabilities(code(ratings), metric="interval")["means"].value, 3)
    0.977
    """
    statistics: dict[str, Statistic] = {
        MEANS: _statistic(people, whole=True),
        ONE_RATING: _statistic(people, whole=False),
        ALPHA: alpha(metric),
        SAME: percent,
    }
    plan = resampling or Resampling(resamples=0)
    return estimates(statistics, Crossing(coded), plan, least={SAME: 0.0})


def design_of(coded: Coded, *, people: bool = True) -> Design | None:
    """Return the design of the ratings; None if no item has two."""
    sample = Sample(Crossing(coded))
    return _design(sample, people) if sample.paired.any() else None


def variances(coded: Coded, *, people: bool = True) -> Mapping[str, float] | None:
    """Return the variances of items, annotators and the rest, none below 0; None without any."""
    sample = Sample(Crossing(coded))
    parts = None if _undefined(sample) else _parts(sample, people)
    return parts and {name: max(part, 0.0) for name, part in parts.items()}


def reliability_of(one_rating: float, ratings: float) -> float:
    """Return the reliability of the mean of so many ratings (Spearman 1910, Brown 1910).

    >>> round(reliability_of(0.5, 4), 3)
    0.8
    """
    return ratings * one_rating / (1 + (ratings - 1) * one_rating)


def ratings_for(one_rating: float | None, wanted: float) -> int | None:
    """Return how many ratings an item needs for means of a wanted reliability; None if it has none.

    >>> [ratings_for(0.5, wanted) for wanted in (0.8, 0.9)], ratings_for(0.0, 0.8)
    ([4, 9], None)
    """
    if one_rating is None or not 0 < one_rating <= 1:
        return None
    return max(1, ceil(wanted / (1 - wanted) * (1 - one_rating) / one_rating - 1e-9))


def _statistic(people: bool, *, whole: bool) -> Statistic:
    def statistic(sample: Sample) -> Number:
        if reason := _undefined(sample):
            return Number(None, reason)
        parts, design = _parts(sample, people), _design(sample, people)
        if parts is None:
            return Number(None, NOT_SEPARATE)
        error = design.counted * max(parts["annotator"], 0.0) + parts["residual"]
        total = parts["item"] + error / (design.ratings if whole else 1.0)
        if total <= 1e-9 * (abs(parts["item"]) + abs(error)):
            return Number(None, NO_SPREAD)
        return Number(max(parts["item"] / total, LOWEST))

    return statistic


def _undefined(sample: Sample) -> str | None:
    if sample.coded.values is None:
        return not_numbers(sample.coded)
    if reason := unpaired(sample):
        return reason
    if sample.paired.sum() < 2:
        return "fewer than two items have two ratings"
    return ONE_ANSWER if np.count_nonzero(sample.marginal > 0) < 2 else None


def _parts(sample: Sample, people: bool) -> dict[str, float] | None:
    return components(sample) if people else _one_way(sample)


def _one_way(sample: Sample) -> dict[str, float]:
    """Return the variances of items and of ratings within items, by analysis of variance."""
    kept = sample.paired > 0
    ratings, (first, second) = sample.ratings[kept], sample.moments
    total, squares = first[kept], second[kept]
    n, size = len(ratings), float(ratings.sum())
    means = float(np.sum(np.square(total) / ratings))
    within = (float(squares.sum()) - means) / (size - n)
    between = (means - float(total.sum()) ** 2 / size) / (n - 1)
    each = (size - float(np.square(ratings).sum()) / size) / (n - 1)
    return {"item": (between - within) / each, "annotator": 0.0, "residual": within}


def _design(sample: Sample, people: bool) -> Design:
    kept = sample.paired > 0
    part = np.divide(1.0, sample.ratings, out=np.zeros(len(kept)), where=kept)
    n, ratings = int(kept.sum()), float(kept.sum() / part.sum())
    if not people or n < 2:
        return Design(ratings, 1.0)
    shared = _shared(sample, part) / (n * (n - 1))
    return Design(ratings, float(np.clip(1 - shared * ratings, 0.0, 1.0)))


def _shared(sample: Sample, part: Floats) -> float:
    """Return the sum over pairs of items of shared annotators, by the ratings of both."""
    coded = sample.coded
    weight = part[coded.item] if sample.kept is None else part[coded.item] * sample.kept
    own = sums(weight, coded.annotator, n_groups=coded.n_annotators)
    return float(np.square(own).sum() - part.sum())
