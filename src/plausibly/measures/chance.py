"""Agreement item by item and its corrections for chance: percent, Fleiss, Gwet's AC1 and AC2.

All four follow Gwet (2014), "Handbook of inter-rater reliability", which generalises them to
items with unequal numbers of ratings: an item agrees as far as its pairs of ratings do, items
with two ratings or more are averaged, and the share of an answer is the mean of its shares in
all items, those with one rating included.
"""

from __future__ import annotations

import numpy as np

from plausibly.domain import Measure
from plausibly.measures._estimating import estimate
from plausibly.measures._grouping import weighted_sum
from plausibly.measures._sample import Number, Sample
from plausibly.measures._undefined import ONE_ANSWER, not_numbers, unpaired
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.resampling import Resampling


def percent_agreement(coded: Coded, *, resampling: Resampling | None = None) -> Measure:
    """Return the share of an item's pairs of ratings that are equal, averaged over items.

    >>> import polars as pl
    >>> from plausibly.measures.coded import code
    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2", "t3", "t3"],
    ...                         "annotator": ["a", "b"] * 3,
    ...                         "answer": ["1", "1", "4", "5", "5", "5"]})
    >>> percent_agreement(code(ratings)).value
    0.6666666666666666
    """
    return estimate(percent, coded, resampling, least=0.0)


def fleiss_kappa(coded: Coded, *, resampling: Resampling | None = None) -> Measure:
    """Return Fleiss' kappa (Fleiss 1971); with unequal numbers of ratings in Gwet's form.

    >>> import polars as pl
    >>> from plausibly.measures.coded import code
    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2", "t3", "t3"],
    ...                         "annotator": ["a", "b"] * 3,
    ...                         "answer": ["1", "1", "4", "5", "5", "5"]})
    >>> round(fleiss_kappa(code(ratings)).value, 3)
    0.455
    """
    return estimate(fleiss, coded, resampling)


def gwet_ac1(coded: Coded, *, resampling: Resampling | None = None) -> Measure:
    """Return Gwet's AC1 (Gwet 2008) over the answers that occur.

    >>> import polars as pl
    >>> from plausibly.measures.coded import code
    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2", "t3", "t3"],
    ...                         "annotator": ["a", "b"] * 3,
    ...                         "answer": ["1", "1", "4", "5", "5", "5"]})
    >>> round(gwet_ac1(code(ratings)).value, 3)
    0.52
    """
    return estimate(ac1, coded, resampling)


def gwet_ac2(coded: Coded, *, resampling: Resampling | None = None) -> Measure:
    """Return Gwet's AC2 with quadratic weights on the numbers that occur.

    Two answers agree to 1 - (difference / range) squared; `range` is that of the answers given.

    >>> import polars as pl
    >>> from plausibly.measures.coded import code
    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2", "t3", "t3"],
    ...                         "annotator": ["a", "b"] * 3,
    ...                         "answer": ["1", "1", "4", "5", "5", "5"]})
    >>> round(gwet_ac2(code(ratings)).value, 3)
    0.95
    """
    return estimate(ac2, coded, resampling)


def percent(sample: Sample) -> Number:
    """Return the mean agreement of items."""
    if reason := unpaired(sample):
        return Number(None, reason)
    return Number(_mean_of_items(sample, _equal(sample)))


def fleiss(sample: Sample) -> Number:
    """Return Fleiss' kappa of a sample."""
    if reason := unpaired(sample):
        return Number(None, reason)
    shares = sample.answer_shares
    if np.count_nonzero(shares) < 2:
        return Number(None, ONE_ANSWER)
    return _corrected(_mean_of_items(sample, _equal(sample)), weighted_sum(shares, shares))


def ac1(sample: Sample) -> Number:
    """Return AC1 of a sample."""
    if reason := unpaired(sample) or _single_answer(sample.coded):
        return Number(None, reason)
    shares = sample.answer_shares
    by_chance = weighted_sum(shares, 1 - shares) / (sample.coded.n_answers - 1)
    return _corrected(_mean_of_items(sample, _equal(sample)), by_chance)


def ac2(sample: Sample) -> Number:
    """Return AC2 of a sample."""
    values = sample.coded.values
    if values is None:
        return Number(None, not_numbers(sample.coded))
    if reason := unpaired(sample) or _single_answer(sample.coded):
        return Number(None, reason)
    points = (values - values.min()) / (np.ptp(values) or 1.0)
    n = len(points)
    weights = n * n - 2 * (n * weighted_sum(points, points) - float(points.sum()) ** 2)
    shares = sample.answer_shares
    by_chance = weights * weighted_sum(shares, 1 - shares) / (n * (n - 1))
    return _corrected(_mean_of_items(sample, _near(sample, points)), by_chance)


def _single_answer(coded: Coded) -> str | None:
    return ONE_ANSWER if coded.n_answers < 2 else None


def _equal(sample: Sample) -> Floats:
    """Return for each item how many ordered pairs of ratings are equal."""
    return sample.squares - sample.ratings


def _near(sample: Sample, points: Floats) -> Floats:
    """Return for each item its ordered pairs of ratings, each counted as far as it agrees."""
    first, second = sample.tally.of_items(points), sample.tally.of_items(np.square(points))
    return sample.pairs - 2 * (sample.ratings * second - np.square(first))


def _mean_of_items(sample: Sample, agreeing: Floats) -> float:
    share = agreeing / np.where(sample.pairs > 0, sample.pairs, 1.0)
    return weighted_sum(share, sample.paired) / float(sample.paired.sum())


def _corrected(observed: float, by_chance: float) -> Number:
    return Number((observed - by_chance) / (1 - by_chance))
