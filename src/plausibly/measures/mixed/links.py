"""Cumulative links: the log-likelihood of ordered answers and its derivatives, row by row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, ndtr

from plausibly.measures.mixed.crossed import Floats, Integers, summed

SMALLEST = 1e-300
FARTHEST = 3500.0
Derivatives = Callable[[Floats], tuple[Floats, Floats, Floats]]


def _logistic(edge: Floats) -> tuple[Floats, Floats, Floats]:
    below, above = expit(edge), expit(-edge)
    density = below * above
    return density, density * (above - below), density * (1 - 6 * density)


def _normal(edge: Floats) -> tuple[Floats, Floats, Floats]:
    density = np.exp(-(edge**2) / 2) / np.sqrt(2 * np.pi)
    return density, -edge * density, (edge**2 - 1) * density


LINKS: Mapping[str, tuple[Callable[[Floats], Floats], Derivatives]] = {
    "logit": (expit, _logistic),
    "probit": (ndtr, _normal),
}


@dataclass(frozen=True, eq=False)
class Edges:
    """What each row's likelihood needs of one threshold: densities over the answer's share."""

    first: Floats
    second: Floats
    third: Floats


@dataclass(frozen=True, eq=False)
class RowSlopes:
    """Derivatives of each row's log-likelihood by its linear predictor and its thresholds.

    Args:
        first: By the predictor.
        curve: Minus the second derivative by the predictor.
        bend: Derivative of `curve` by the predictor.
        thresholds: For the upper and the lower threshold of the answer: derivatives of the
            log-likelihood, of `first` and of `curve`.
    """

    first: Floats
    curve: Floats
    bend: Floats
    thresholds: tuple[tuple[Floats, Floats, Floats], tuple[Floats, Floats, Floats]]


class OrderedAnswers:
    """Ordered answers, numbered from 0.

    Args:
        codes: The number of each row's answer.
        link: logit or probit.
    """

    def __init__(self, codes: Integers, link: str) -> None:
        self.codes = codes
        self.cuts = int(codes.max())
        self.cumulated, self.derivatives = LINKS[link]

    def _edges(self, cuts: Floats, line: Floats) -> tuple[Floats, Floats]:
        ends = np.concatenate([[-FARTHEST], cuts, [FARTHEST]])
        return ends[self.codes + 1] - line, ends[self.codes] - line

    def _shares(self, upper: Floats, lower: Floats) -> Floats:
        turned = lower > 0  # the upper tail is more precise there
        low = np.where(turned, -upper, lower)
        high = np.where(turned, -lower, upper)
        shares: Floats = np.maximum(self.cumulated(high) - self.cumulated(low), SMALLEST)
        return shares

    def log_likelihood(self, cuts: Floats, line: Floats) -> float:
        """Return the log-likelihood of all answers."""
        return float(np.log(self._shares(*self._edges(cuts, line))).sum())

    def slopes(self, cuts: Floats, line: Floats) -> tuple[Floats, Floats]:
        """Return first and minus second derivatives by the predictor."""
        _, _, first, second = self._ratios(cuts, line)
        return -first, np.maximum(first**2 - second, 1e-12)

    def _ratios(self, cuts: Floats, line: Floats) -> tuple[Edges, Edges, Floats, Floats]:
        above, below = self._edges(cuts, line)
        shares = self._shares(above, below)
        upper = Edges(*(part / shares for part in self.derivatives(above)))
        lower = Edges(*(part / shares for part in self.derivatives(below)))
        return upper, lower, upper.first - lower.first, upper.second - lower.second

    def all_slopes(self, cuts: Floats, line: Floats) -> RowSlopes:
        """Return every derivative that the gradient of the Laplace approximation needs."""
        upper, lower, first, second = self._ratios(cuts, line)
        third = upper.third - lower.third
        bend = 2 * first**3 - 3 * first * second + third
        sides = (_by_threshold(upper, first, second), _by_threshold(lower, first, second))
        minus: tuple[Floats, Floats, Floats] = (-sides[1][0], -sides[1][1], -sides[1][2])
        curve = np.maximum(first**2 - second, 1e-12)
        return RowSlopes(-first, curve, bend, (sides[0], minus))

    def by_cut(self, upper: Floats, lower: Floats) -> Floats:
        """Return sums over rows for each threshold, of what rows have above and below."""
        above = summed(self.codes, upper, self.cuts + 1)
        below = summed(self.codes, lower, self.cuts + 1)
        return above[:-1] + below[1:]


def _by_threshold(edge: Edges, first: Floats, second: Floats) -> tuple[Floats, Floats, Floats]:
    turn = edge.second - first * edge.first
    return edge.first, -turn, 2 * first * turn - edge.third + second * edge.first
