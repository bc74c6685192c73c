"""A hierarchical ordered probit, by expectation maximisation over a grid of places."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from plausibly.labels._climb import by_item, normalised
from plausibly.labels._layout import Layout
from plausibly.labels.results import Effort
from plausibly.measures.coded import Floats

POINTS = 81
FAR = 4.5
FLOOR = 1e-12
GAP = 1e-3
SPREAD = 0.8
LONGEST = 0.5
# What two annotators would say before any has answered: variances of shifts and log spreads.
ASIDE = 2.0
SHIFTS = 0.25
SPREADS = 0.1

GRID = np.linspace(-FAR, FAR, POINTS)
EDGES = np.append(GRID - FAR / (POINTS - 1), FAR * POINTS / (POINTS - 1))
LOG_PRIOR = -np.square(GRID) / 2 - np.log(np.exp(-np.square(GRID) / 2).sum())


@dataclass(frozen=True, eq=False)
class OrderedCrowd:
    """What is learnt about the scale and the annotators.

    Args:
        thresholds: Between neighbouring answers.
        first: Where thresholds began, from how often each answer was given.
        shift: How far each annotator sees items moved.
        log_spread: The log of how far each annotator's view scatters.
        mean: Mean of the log spreads.
        variance: Of shifts, and of log spreads.
    """

    thresholds: Floats
    first: Floats
    shift: Floats
    log_spread: Floats
    mean: float
    variance: tuple[float, float]

    def chances(self) -> tuple[Floats, Floats, Floats]:
        """Return the chance of each answer, and z and its density at every threshold.

        The axes are annotator, answer or threshold (one at each end is infinite), place.
        """
        from scipy.special import ndtr

        spread = np.exp(self.log_spread)[:, None, None]
        ends = np.concatenate([[-np.inf], self.thresholds, [np.inf]])
        z = (ends[None, :, None] - GRID - self.shift[:, None, None]) / spread
        density = np.exp(-np.square(z) / 2) / np.sqrt(2 * np.pi)
        z[~np.isfinite(z)] = 0.0
        upper = np.where(ends[None, :, None] == np.inf, 1.0, ndtr(z))
        below = np.where(ends[None, :, None] == -np.inf, 0.0, upper)
        return np.maximum(np.diff(below, axis=1), FLOOR), z, density


@dataclass(frozen=True, eq=False)
class Fit:
    """Where items lie, and what the crowd is like.

    Args:
        posterior: Probability of each place of the grid (column) for each item (row).
        crowd: The scale and the annotators.
        log_likelihood: Of the answers.
        iterations: Steps made.
    """

    posterior: Floats
    crowd: OrderedCrowd
    log_likelihood: float
    iterations: int

    def evidence(self) -> float:
        """Return the log likelihood less the number of parameters that the answers determine.

        This predicts how likely answers of other items are (Akaike 1974). Shifts and log spreads
        count as far as they are learnt and not shrunk (MacKay 1992, "Bayesian interpolation").
        """
        of_shift, of_spread = self.crowd.variance
        shifts = np.square(self.crowd.shift).sum() / of_shift
        spreads = np.square(self.crowd.log_spread - self.crowd.mean).sum() / of_spread
        return float(self.log_likelihood - shifts - spreads - len(self.crowd.thresholds))

    def up_to(self, place: float) -> Floats:
        """Return the probability that each item lies at a place or below it."""
        share = np.clip((place - EDGES[:-1]) / np.diff(EDGES), 0.0, 1.0)
        return np.asarray(self.posterior @ share)

    def answers(self) -> Floats:
        """Return the probability that each item lies between the thresholds of each answer."""
        cuts = [self.up_to(cut) for cut in self.crowd.thresholds.tolist()]
        whole = np.ones(len(self.posterior))
        between = np.diff(np.column_stack([0 * whole, *cuts, whole]), axis=1)
        return np.asarray(np.clip(between, 0.0, 1.0))

    def quantile(self, level: float) -> Floats:
        """Return the place below which each item lies with a probability."""
        below = np.cumsum(self.posterior, axis=1)
        at = (below >= level - FLOOR).argmax(axis=1)
        rows = np.arange(len(below))
        mass = self.posterior[rows, at]
        missing = level - (below[rows, at] - mass)
        return np.asarray(EDGES[at] + np.diff(EDGES)[at] * missing / np.maximum(mass, FLOOR))

    def mean(self) -> Floats:
        """Return the mean place of each item."""
        return np.asarray(self.posterior @ GRID)


def fit(layout: Layout, effort: Effort) -> Fit:
    """Return the places of the items that have ratings."""
    votes = by_item(layout)
    crowd = _start(layout.used)
    before, made = -np.inf, 0
    while True:
        chance, z, density = crowd.chances()
        log_weight = votes.of_columns(np.log(chance).reshape(layout.n_cells, POINTS))
        log_weight += LOG_PRIOR
        posterior, log_likelihood = normalised(log_weight)
        made += 1
        gain = abs(log_likelihood - before)
        if made == effort.iterations or gain <= effort.tolerance * len(layout.cell):
            return Fit(posterior, crowd, log_likelihood, made)
        before = log_likelihood
        counts = votes.of_rows(posterior).reshape(chance.shape)
        crowd = _annotators(crowd, counts, chance, z, density)
        crowd = _thresholds(crowd, counts)


def _start(used: Floats) -> OrderedCrowd:
    from scipy.special import ndtri

    given = used.sum(axis=0) + 0.5
    share = np.cumsum(given)[:-1] / given.sum()
    first = ndtri(share) * np.sqrt(1 + SPREAD**2)
    people = len(used)
    log_spread = np.full(people, np.log(SPREAD))
    return OrderedCrowd(
        first, first, np.zeros(people), log_spread, np.log(SPREAD), (SHIFTS, SPREADS)
    )


def _annotators(
    crowd: OrderedCrowd, counts: Floats, chance: Floats, z: Floats, density: Floats
) -> OrderedCrowd:
    """Return the crowd after a step of Fisher scoring for shifts and spreads, and their pooling."""
    spread = np.exp(crowd.log_spread)[:, None, None]
    slopes = -np.diff(density, axis=1) / spread, -np.diff(z * density, axis=1)
    ratio = counts / chance
    whole = counts.sum(axis=1, keepdims=True)
    score = [np.sum(ratio * slope, axis=(1, 2)) for slope in slopes]
    information = [
        np.sum(whole * one * other / chance, axis=(1, 2))
        for one, other in ((slopes[0], slopes[0]), (slopes[1], slopes[1]), (slopes[0], slopes[1]))
    ]
    of_shift, of_spread = crowd.variance
    a, b = information[0] + 1 / of_shift, information[1] + 1 / of_spread
    c = information[2]
    score[0] = score[0] - crowd.shift / of_shift
    score[1] = score[1] - (crowd.log_spread - crowd.mean) / of_spread
    whole_2 = np.maximum(a * b - c * c, FLOOR)
    shift = crowd.shift + np.clip((b * score[0] - c * score[1]) / whole_2, -LONGEST, LONGEST)
    own = crowd.log_spread + np.clip((a * score[1] - c * score[0]) / whole_2, -LONGEST, LONGEST)
    people = len(shift)
    mean = (own.sum() + ASIDE * np.log(SPREAD)) / (people + ASIDE)
    variance = (
        float((np.square(shift) + b / whole_2).sum() + ASIDE * SHIFTS) / (people + ASIDE),
        float((np.square(own - mean) + a / whole_2).sum() + ASIDE * SPREADS) / (people + ASIDE),
    )
    return replace(crowd, shift=shift, log_spread=own, mean=float(mean), variance=variance)


def _thresholds(crowd: OrderedCrowd, counts: Floats) -> OrderedCrowd:
    """Return the crowd after a step of Fisher scoring for the thresholds, kept in order."""
    if len(crowd.thresholds) == 0:
        return crowd
    chance, _, density = crowd.chances()
    slope = density[:, 1:-1] / np.exp(crowd.log_spread)[:, None, None]
    ratio = counts / chance
    whole = counts.sum(axis=1, keepdims=True)
    score = np.sum(slope * (ratio[:, :-1] - ratio[:, 1:]), axis=(0, 2))
    inverse = whole / chance
    own = np.sum(np.square(slope) * (inverse[:, :-1] + inverse[:, 1:]), axis=(0, 2))
    off_diagonal = -np.sum(slope[:, :-1] * slope[:, 1:] * inverse[:, 1:-1], axis=(0, 2))
    information = np.diag(own + 1.0) + np.diag(off_diagonal, 1) + np.diag(off_diagonal, -1)
    away = crowd.thresholds - crowd.first
    step = np.clip(np.linalg.solve(information, score - away), -LONGEST, LONGEST)
    while (np.diff(crowd.thresholds + step) < GAP).any():
        step = step / 2
        if np.abs(step).max() < GAP / 100:
            return crowd
    return replace(crowd, thresholds=crowd.thresholds + step)
