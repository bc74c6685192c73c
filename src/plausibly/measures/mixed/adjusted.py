"""Scores of items, adjusted for who happened to rate them.

A linear mixed model with random intercepts of items and annotators. A score is the mean plus the
best linear predictor of the item (Henderson 1975): an item rated by severe annotators moves up,
and one with few ratings moves towards the mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plausibly.measures.mixed.crossed import Factor, Floats, Integers, RandomFactor
from plausibly.measures.mixed.design import INTERCEPT, FixedDesign
from plausibly.measures.mixed.linear import LinearFit, LinearTable, fit_linear
from plausibly.measures.mixed.structure import Grouping, random_structure
from plausibly.measures.threads import one_thread

ITEM, ANNOTATOR = "item", "annotator"


@dataclass(frozen=True, eq=False)
class AdjustedScores:
    """Scores on the scale of the answers.

    Args:
        scores: One number for each item.
        errors: Standard errors of prediction; NaN if the ratings do not determine them.
        reliability: Share of the variance of scores that is due to items; None likewise.
        adjusted: Whether the ratings tell items from annotators; if not, scores are plain means.
    """

    scores: Floats
    errors: Floats
    reliability: float | None
    adjusted: bool


def adjusted_scores(numbers: Floats, item: Integers, annotator: Integers) -> AdjustedScores:
    """Return the score of each item.

    Neither the order of ratings nor the numbers of annotators change any digit.

    Args:
        numbers: The answers.
        item: Number of the item of each answer; every number up to the largest occurs.
        annotator: Number of the annotator of each answer, likewise.

    >>> numbers = np.array([1.0, 2.0, 3.0, 4.0, 2.0, 6.0])
    >>> found = adjusted_scores(numbers, np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 0, 1]))
    >>> bool(found.scores[0] < found.scores[2])
    True
    """
    order = _canonical(numbers, item, annotator)
    people = _first_met(annotator[order])
    values, items = numbers[order], item[order]
    factors = _factors(items, people)
    if np.ptp(values) == 0 or ITEM not in [factor.name for factor in factors]:
        sums = np.bincount(items, values)
        plain = sums / np.bincount(items)
        return AdjustedScores(plain, np.full(len(plain), np.nan), None, adjusted=False)
    with one_thread():
        fit = fit_linear(LinearTable(values, np.ones((len(values), 1)), factors))
        return _predicted(fit, [factor.name for factor in factors].index(ITEM))


def _canonical(numbers: Floats, item: Integers, annotator: Integers) -> Integers:
    """Return an order of ratings that follows from who gave which answers, not from names."""
    within = np.lexsort((numbers, item, annotator))
    starts = np.flatnonzero(np.diff(annotator[within], prepend=-1))
    parts = np.split(within, starts[1:])
    keys = [tuple(zip(item[part].tolist(), numbers[part].tolist(), strict=True)) for part in parts]
    ranked = sorted(range(len(parts)), key=lambda place: keys[place])
    return np.concatenate([parts[place] for place in ranked])


def _first_met(annotator: Integers) -> Integers:
    """Return annotators numbered in the order in which they come."""
    _, first, numbers = np.unique(annotator, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[numbers]


def _factors(item: Integers, annotator: Integers) -> tuple[RandomFactor, ...]:
    ones = np.ones((len(item), 1))
    design = FixedDesign(ones, (INTERCEPT,), np.array([0]), (), {})
    groupings = [
        Grouping(name, int(group.max()) + 1, group)
        for name, group in ((ITEM, item), (ANNOTATOR, annotator))
    ]
    return random_structure(design, groupings).factors


def _predicted(fit: LinearFit, place: int) -> AdjustedScores:
    """Return mean plus predictors, with the error of both together (Henderson 1975)."""
    crossing = fit.model.crossing
    scaled = crossing.scaled(fit.theta)
    factor = Factor(crossing, scaled, np.ones(crossing.rows))
    shares = factor.solve(crossing.matrix(scaled).T @ np.ones(crossing.rows))
    where = crossing.order.index(place)
    own = slice(int(crossing.starts[where]), int(crossing.starts[where + 1]))
    relative = float(crossing.cholesky(fit.theta)[place][0, 0])
    variance = fit.residual**2
    mean, uncertainty = float(fit.effects[0]), float(fit.covariance[0, 0])
    left = variance * relative**2 * factor.diagonal()[own]
    shift = relative * shares[own]
    errors = np.sqrt(left + (1 - shift) ** 2 * uncertainty)
    between = variance * relative**2
    unexplained = float((left + shift**2 * uncertainty).mean())
    reliability = max(0.0, 1 - unexplained / between) if between > 0 else 0.0
    scores = mean + relative * fit.profile.modes[own]
    return AdjustedScores(scores, errors, reliability, adjusted=True)
