"""Ordinal and logistic mixed models by the Laplace approximation, with analytic gradients.

A cumulative-link model with crossed random effects (Christensen 2019; Tutz and Hennevogl 1996).
A logistic model is the one with two answers, its intercept minus the only threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plausibly.errors import StudyError
from plausibly.measures.mixed.crossed import CrossedEffects, Factor, Floats, Integers, RandomFactor
from plausibly.measures.mixed.links import OrderedAnswers
from plausibly.measures.mixed.search import (
    FLAT,
    Flags,
    search,
    settled,
    singular_names,
    slopes_of_gradient,
    upward_inverse,
)

STEPS = 60
SMALL_STEP = 1e-8
CURVATURE_STEP = 1e-4
TOLERANCE = 1e-5
UNDETERMINED = (
    "the answers do not determine the model: its likelihood has no maximum. Model fewer terms, or "
    "collect more ratings."
)


@dataclass(frozen=True, eq=False)
class OrderedTable:
    """Ordered answers, and what describes them.

    Args:
        codes: The answer of each row, numbered from 0; every number up to the largest occurs.
        fixed: One column for each fixed effect; the thresholds are the intercept.
        factors: The random effects.
    """

    codes: Integers
    fixed: Floats
    factors: Sequence[RandomFactor]


@dataclass(frozen=True, eq=False)
class LaplaceFit:
    """A fitted cumulative-link mixed model.

    Args:
        cuts: Thresholds between neighbouring answers.
        effects: Fixed effects.
        covariance: Of thresholds and effects together.
        theta: Cholesky factors of the random effects.
        held: Which parameters of θ are held because their variance is zero.
        covariances: Covariance of each factor's effects, in the order of the factors.
        log_likelihood: By the Laplace approximation.
        singular: A sentence for each random effect at zero.
        converged: Whether the search ended at a maximum.
    """

    cuts: Floats
    effects: Floats
    covariance: Floats
    theta: Floats
    held: Flags
    covariances: tuple[Floats, ...]
    log_likelihood: float
    singular: tuple[str, ...]
    converged: bool


class Likelihood:
    """Minus the Laplace log-likelihood of a table.

    Parameters are thresholds, fixed effects and θ; in `negative`, the search's function, the
    first threshold is followed by logarithms of the gaps.
    """

    def __init__(self, table: OrderedTable, link: str) -> None:
        self.table = table
        self.answers = OrderedAnswers(table.codes, link)
        self.cuts = self.answers.cuts
        self.crossing = CrossedEffects(table.factors)
        self.plain = self.cuts + table.fixed.shape[1]
        self.modes = np.zeros(self.crossing.width)

    def start(self) -> Floats:
        """Return where the search begins: thresholds of the shares, no effects."""
        shares = np.cumsum(np.bincount(self.table.codes))[:-1] / len(self.table.codes)
        cuts = np.log(shares / (1 - shares))
        gaps = np.log(np.maximum(np.diff(cuts), 1e-3))
        zeros = np.zeros(self.table.fixed.shape[1])
        return np.concatenate([cuts[:1], gaps, zeros, 0.7 * self.crossing.diagonal])

    def raw(self, parameters: Floats) -> Floats:
        """Return the parameters with plain thresholds."""
        gaps = np.exp(parameters[1 : self.cuts])
        cuts = np.cumsum(np.concatenate([parameters[:1], gaps]))
        return np.concatenate([cuts, parameters[self.cuts :]])

    def negative(self, parameters: Floats) -> tuple[float, Floats]:
        """Return value and gradient, gaps between thresholds as logarithms."""
        value, slope = self.negative_raw(self.raw(parameters))
        slope = slope.copy()
        sums = np.cumsum(slope[: self.cuts][::-1])[::-1]
        slope[0] = sums[0]
        slope[1 : self.cuts] = sums[1:] * np.exp(parameters[1 : self.cuts])
        return value, slope

    def negative_raw(self, raw: Floats) -> tuple[float, Floats]:
        """Return value and gradient; the random effects are at their mode."""
        cuts, effects, theta = np.split(raw, [self.cuts, self.plain])
        line = self.table.fixed @ effects
        scaled = self.crossing.scaled(theta)
        matrix = self.crossing.matrix(scaled)
        factor, penalised = self._mode(cuts, line, scaled)
        value = penalised + factor.logarithm / 2
        slope = self._gradient(cuts, line + matrix @ self.modes, factor)
        return value, -slope

    def _mode(self, cuts: Floats, line: Floats, scaled: Floats) -> tuple[Factor, float]:
        """Set the random effects to their mode; return the factorised curvature there."""
        matrix = self.crossing.matrix(scaled)
        modes = self.modes
        value = self._penalised(cuts, line + matrix @ modes, modes)
        for _ in range(STEPS):
            first, curve = self.answers.slopes(cuts, line + matrix @ modes)
            factor = Factor(self.crossing, scaled, curve)
            step = factor.solve(matrix.T @ first - modes)
            if np.abs(step).max() < SMALL_STEP:
                break
            size = 1.0
            while size > 1e-8:
                tried = modes + size * step
                better = self._penalised(cuts, line + matrix @ tried, tried)
                if better <= value + 1e-12 * abs(value):
                    break
                size /= 2
            modes, value = tried, better
        self.modes = modes
        return factor, value

    def _penalised(self, cuts: Floats, line: Floats, modes: Floats) -> float:
        return float(modes @ modes) / 2 - self.answers.log_likelihood(cuts, line)

    def _gradient(self, cuts: Floats, line: Floats, factor: Factor) -> Floats:
        """Return derivatives of the log-likelihood, the mode following the parameters."""
        crossing, modes = self.crossing, self.modes
        matrix = crossing.matrix(factor.scaled)
        rows = self.answers.all_slopes(cuts, line)
        inverse = factor.by_rows()
        spread = (factor.scaled * inverse).sum(axis=1)
        turned = spread * rows.bend
        shift = factor.solve(matrix.T @ turned)
        shifted = matrix @ shift
        total = rows.first - turned / 2 + rows.curve * shifted / 2
        sides = [
            value - spread * curve / 2 - shifted * first / 2
            for value, first, curve in rows.thresholds
        ]
        products = (
            total[:, None] * modes[crossing.at]
            - rows.curve[:, None] * inverse
            - rows.first[:, None] * shift[crossing.at] / 2
        )
        by_cut = self.answers.by_cut(sides[0], sides[1])
        return np.concatenate([by_cut, self.table.fixed.T @ total, crossing.gradient(products)])


def fit_laplace(table: OrderedTable, *, link: str = "logit") -> LaplaceFit:
    """Return the cumulative-link mixed model with the largest likelihood.

    Args:
        table: Ordered answers with fixed and random effects.
        link: logit or probit.
    """
    model = Likelihood(table, link)
    crossing = model.crossing
    bounded = np.concatenate([np.zeros(model.plain, dtype=bool), crossing.diagonal])
    best = search(model.negative, model.start(), bounded, tolerance=TOLERANCE)
    raw = model.raw(best.place)
    raw[model.plain :], held = settled(crossing, raw[model.plain :])
    free = np.concatenate([np.ones(model.plain, dtype=bool), ~held])
    hessian = slopes_of_gradient(model.negative_raw, raw, free, CURVATURE_STEP)
    if not np.isfinite(hessian).all():
        raise StudyError(UNDETERMINED)
    covariance = upward_inverse(hessian, flat=1 / FLAT)
    value, slope = model.negative_raw(raw)
    raw, value = _polished(model, raw, value, (free, covariance @ slope[free]))
    lowers = crossing.cholesky(raw[model.plain :])
    return LaplaceFit(
        cuts=raw[: model.cuts],
        effects=raw[model.cuts : model.plain],
        covariance=covariance[: model.plain, : model.plain],
        theta=raw[model.plain :],
        held=held,
        covariances=tuple(lower @ lower.T for lower in lowers),
        log_likelihood=-value,
        singular=singular_names(crossing, raw[model.plain :]),
        converged=best.converged,
    )


def _polished(
    model: Likelihood, raw: Floats, value: float, step: tuple[Flags, Floats]
) -> tuple[Floats, float]:
    """Return parameters and value after one Newton step, where it does not lead uphill."""
    tried = raw.copy()
    tried[step[0]] -= step[1]
    if (np.diff(tried[: model.cuts]) <= 0).any():
        return raw, value
    try:
        better, _ = model.negative_raw(tried)
    except np.linalg.LinAlgError:  # where the likelihood is flat, the step goes anywhere
        return raw, value
    return (tried, better) if better <= value else (raw, value)
