"""Linear mixed models by profiled restricted or full maximum likelihood.

The deviance and its gradient are functions of the relative Cholesky factors θ alone; fixed
effects and the residual variance are profiled out (Bates et al. 2015, equations 34 and 41).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plausibly.measures.mixed.crossed import CrossedEffects, Factor, Floats, RandomFactor
from plausibly.measures.mixed.search import Flags, search, settled, singular_names

TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class LinearTable:
    """Answers on an interval scale, and what describes them.

    Args:
        answers: One number for each row.
        fixed: One column for each fixed effect, the intercept included.
        factors: The random effects.
    """

    answers: Floats
    fixed: Floats
    factors: Sequence[RandomFactor]


@dataclass(frozen=True, eq=False)
class Profile:
    """The profiled model at one θ.

    Args:
        effects: Fixed effects.
        unscaled: Their covariance divided by the residual variance.
        squares: The penalised residual sum of squares.
        logarithms: What the deviance has besides squares and residual variance.
        trace: Derivatives of `logarithms` by θ.
        quadratic: Minus half the derivatives of `squares` by θ.
        modes: Spherical random effects.
    """

    effects: Floats
    unscaled: Floats
    squares: float
    logarithms: float
    trace: Floats
    quadratic: Floats
    modes: Floats


@dataclass(frozen=True, eq=False)
class LinearFit:
    """A fitted linear mixed model.

    Args:
        effects: Fixed effects.
        covariance: Their covariance.
        residual: Standard deviation of the residuals.
        theta: Relative Cholesky factors.
        held: Which parameters of θ are held because their variance is zero.
        covariances: Covariance of each factor's effects, in the order of the factors.
        log_likelihood: Restricted or full.
        restricted: Whether it is restricted.
        singular: A sentence for each random effect at zero.
        converged: Whether the search ended at a minimum.
        profile: The profiled model at θ.
        model: The deviance the fit comes from.
    """

    effects: Floats
    covariance: Floats
    residual: float
    theta: Floats
    held: Flags
    covariances: tuple[Floats, ...]
    log_likelihood: float
    restricted: bool
    singular: tuple[str, ...]
    converged: bool
    profile: Profile
    model: Deviance


class Deviance:
    """Minus twice the profiled log-likelihood of a table as a function of θ."""

    def __init__(self, table: LinearTable, *, restricted: bool) -> None:
        self.table = table
        self.restricted = restricted
        self.crossing = CrossedEffects(table.factors)
        rows, width = table.fixed.shape
        self.freedom = rows - width if restricted else rows
        self.both = np.column_stack([table.fixed, table.answers])

    def profile(self, theta: Floats) -> Profile:
        """Return the model with fixed effects and residual variance at their best for θ."""
        crossing, fixed = self.crossing, self.table.fixed
        width = fixed.shape[1]
        scaled = crossing.scaled(theta)
        factor = Factor(crossing, scaled, np.ones(crossing.rows))
        matrix = crossing.matrix(scaled)
        solved = factor.solve(matrix.T @ self.both)
        rest = self.both - matrix @ solved
        precision = fixed.T @ rest[:, :width]
        lower = np.linalg.cholesky((precision + precision.T) / 2)
        unscaled = np.linalg.inv(precision)
        effects = unscaled @ (fixed.T @ rest[:, width])
        residuals = rest[:, width] - rest[:, :width] @ effects
        modes = solved[:, width] - solved[:, :width] @ effects
        logarithms = factor.logarithm
        products = factor.by_rows()
        if self.restricted:
            logarithms += 2 * float(np.log(np.diagonal(lower)).sum())
            products -= self._shared(rest[:, :width] @ unscaled, solved[:, :width])
        trace = 2 * crossing.gradient(products)
        quadratic = crossing.gradient(residuals[:, None] * modes[crossing.at])
        squares = float((self.table.answers - fixed @ effects) @ residuals)
        return Profile(effects, unscaled, squares, logarithms, trace, quadratic, modes)

    def _shared(self, rest: Floats, solved: Floats) -> Floats:
        products = np.zeros(self.crossing.at.shape)
        for column in range(rest.shape[1]):
            products += rest[:, column, None] * solved[:, column][self.crossing.at]
        return products

    def profiled(self, theta: Floats) -> tuple[float, Floats]:
        """Return deviance and gradient, with the residual variance at its best."""
        profile = self.profile(theta)
        variance = profile.squares / self.freedom
        return self.value(profile), profile.trace - 2 * profile.quadratic / variance

    def value(self, profile: Profile) -> float:
        """Return the deviance of a profiled model."""
        variance = profile.squares / self.freedom
        return float(profile.logarithms + self.freedom * (1 + np.log(2 * np.pi * variance)))


def fit_linear(table: LinearTable, *, restricted: bool = True) -> LinearFit:
    """Return the linear mixed model with the smallest deviance.

    Args:
        table: Answers with fixed and random effects.
        restricted: Whether to maximise the restricted likelihood (REML).
    """
    model = Deviance(table, restricted=restricted)
    crossing = model.crossing
    diagonal = crossing.diagonal
    best = search(model.profiled, diagonal.astype(np.float64), diagonal, tolerance=TOLERANCE)
    theta, held = settled(crossing, best.place)
    profile = model.profile(theta)
    variance = profile.squares / model.freedom
    lowers = crossing.cholesky(theta)
    return LinearFit(
        effects=profile.effects,
        covariance=variance * profile.unscaled,
        residual=float(np.sqrt(variance)),
        theta=theta,
        held=held,
        covariances=tuple(variance * lower @ lower.T for lower in lowers),
        log_likelihood=-model.value(profile) / 2,
        restricted=restricted,
        singular=singular_names(crossing, theta),
        converged=best.converged,
        profile=profile,
        model=model,
    )
