"""Krippendorff's alpha, from value counts (Krippendorff 2011, "Computing alpha-reliability").

alpha = 1 - observed / expected disagreement. All metrics but the ratio are differences of
something squared: of 0 and 1 (nominal), of numbers (interval), of average ranks (ordinal:
the published sum over the categories between two answers is the difference of their average
ranks). So two sums over each item's answers give its disagreement.
"""

from __future__ import annotations

from functools import partial
from typing import Literal, get_args

import numpy as np

from plausibly.domain import Measure
from plausibly.errors import UnknownName
from plausibly.measures._estimating import estimate
from plausibly.measures._grouping import sums, weighted_sum
from plausibly.measures._sample import Number, Sample, Statistic
from plausibly.measures._tallies import FullTally
from plausibly.measures._undefined import ONE_ANSWER, no_shared_item, not_numbers, unpaired
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.resampling import Resampling

Metric = Literal["nominal", "ordinal", "interval", "ratio"]
METRICS: tuple[Metric, ...] = get_args(Metric)
MOST_COMPARED = 4096


def krippendorff_alpha(
    coded: Coded, metric: Metric = "nominal", *, resampling: Resampling | None = None
) -> Measure:
    """Return Krippendorff's alpha; items with a single rating do not enter.

    Undefined when no item has two ratings, when all answers are the same, when answers that
    are no numbers meet a metric other than the nominal, and for negative numbers on a ratio scale.

    >>> import polars as pl
    >>> from plausibly.measures.coded import code
    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2", "t3", "t3"],
    ...                         "annotator": ["a", "b"] * 3,
    ...                         "answer": ["1", "1", "4", "5", "5", "5"]})
    >>> round(krippendorff_alpha(code(ratings), "interval").value, 3)
    0.957
    """
    return estimate(alpha(metric), coded, resampling)


def alpha(metric: Metric) -> Statistic:
    """Return the statistic of one metric."""
    if metric not in METRICS:
        raise UnknownName("metric", metric, METRICS)
    return partial(_of_metric, metric)


def _of_metric(metric: Metric, sample: Sample) -> Number:
    if isinstance(sample.tally, FullTally):
        return _few_answers(metric, sample)
    return _nominal(sample) if metric == "nominal" else _numeric(metric, sample)


def _few_answers(metric: Metric, sample: Sample) -> Number:
    """Return alpha from how often every two answers meet: one table for all metrics."""
    values = sample.coded.values
    if values is None and metric != "nominal":
        return Number(None, not_numbers(sample.coded))
    table = sample.coincidences
    given = np.rint(table.sum(axis=1))
    if not given.any():
        return Number(None, no_shared_item(sample.coded))
    if values is None or metric == "nominal":
        apart = 1 - np.eye(len(table))
    elif metric == "ratio":
        if reason := _no_ratio(values):
            return Number(None, reason)
        apart = sample.crossing.ratio_distances
    else:
        points = values if metric == "interval" else _average_ranks(values, given)
        points = points / (np.ptp(points) or 1.0)
        apart = np.square(points[:, None] - points)
    return _alpha(float((table * apart).sum()), float(given @ apart @ given), given)


def _nominal(sample: Sample) -> Number:
    if reason := unpaired(sample):
        return Number(None, reason)
    same = sample.squares
    observed = weighted_sum(np.square(sample.ratings) - same, pairing_weight(sample))
    given = sample.marginal
    return _alpha(observed, float(np.square(given.sum())) - weighted_sum(given, given), given)


def _numeric(metric: Metric, sample: Sample) -> Number:
    values = sample.coded.values
    if values is None:
        return Number(None, not_numbers(sample.coded))
    if reason := unpaired(sample):
        return Number(None, reason)
    if metric == "interval":
        return _squared(sample, values)
    if metric == "ordinal":
        return _squared(sample, _average_ranks(values, sample.marginal))
    if reason := _no_ratio(values):
        return Number(None, reason)
    return by_distance(sample, sample.crossing.ratio_distances)


def _no_ratio(values: Floats) -> str | None:
    if values.min() < 0:
        return f"a ratio scale has no negative numbers; {values.min():g} is among the answers"
    if len(values) > MOST_COMPARED:
        return (
            f"the ratio metric compares every two answers, and {len(values)} different ones "
            f"are more than {MOST_COMPARED}"
        )
    return None


def _squared(sample: Sample, points: Floats) -> Number:
    """Return alpha where two answers differ by the squared distance of their points."""
    given = sample.marginal
    points = (points - np.average(points, weights=given)) / (np.ptp(points) or 1.0)
    first, second = sample.tally.of_items(points), sample.tally.of_items(np.square(points))
    within = sample.ratings * second - np.square(first)
    observed = 2 * weighted_sum(within, pairing_weight(sample))
    varied = np.ptp(points[given > 0]) > 0
    spread = float(given.sum()) * weighted_sum(given, np.square(points))
    expected = 2 * (spread - weighted_sum(given, points) ** 2)
    return _alpha(observed, expected if varied else 0.0, given)


def by_distance(sample: Sample, distances: Floats) -> Number:
    """Return alpha with any matrix of distances between answers."""
    observed = weighted_sum(sample.tally.apart(distances), pairing_weight(sample))
    given = sample.marginal
    return _alpha(observed, float(given @ distances @ given), given)


def _alpha(observed: float, expected: float, given: Floats) -> Number:
    if expected <= 0:
        return Number(None, ONE_ANSWER)
    return Number(1 - (float(given.sum()) - 1) * observed / expected)


def pairing_weight(sample: Sample) -> Floats:
    """Return the weight of an item's ordered pairs: 1 / (ratings - 1)."""
    return sample.paired / np.maximum(sample.ratings - 1, 1.0)


def _average_ranks(values: Floats, given: Floats) -> Floats:
    """Return the average rank of each answer, from how often each was given; ties share one."""
    known, place = np.unique(values, return_inverse=True)
    frequency = sums(given, place, n_groups=len(known))
    return (np.cumsum(frequency) - frequency / 2)[place]
