"""Satterthwaite's degrees of freedom for contrasts of a linear mixed model.

As lmerTest does it (Kuznetsova et al. 2017): the variance of a contrast's variance comes from
the curvature of the deviance in θ and the residual standard deviation; parameters that are held
at zero take no part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plausibly.measures.mixed.crossed import Floats
from plausibly.measures.mixed.linear import LinearFit
from plausibly.measures.mixed.search import upward_inverse

STEP = 1e-4


@dataclass(frozen=True, eq=False)
class Curvature:
    """How far the covariance of the fixed effects is itself uncertain.

    Args:
        covariance: Of the fixed effects.
        slopes: Its derivatives, one matrix for each free parameter and the residual.
        parameters: Covariance of these parameters.
    """

    covariance: Floats
    slopes: Floats
    parameters: Floats

    def freedom(self, contrast: Floats) -> float:
        """Return the degrees of freedom of one contrast of the fixed effects."""
        variance = float(contrast @ self.covariance @ contrast)
        slopes = np.einsum("i,kij,j->k", contrast, self.slopes, contrast)
        spread = float(slopes @ self.parameters @ slopes)
        return 2 * variance**2 / spread if spread > 0 else float("inf")

    def joint_freedom(self, contrasts: Floats) -> float:
        """Return the denominator's degrees of freedom of a joint test (Fai and Cornelius 1996)."""
        _, vectors = np.linalg.eigh(contrasts @ self.covariance @ contrasts.T)
        each = np.array([self.freedom(row) for row in vectors.T @ contrasts])
        count = len(each)
        if count == 1 or np.ptp(each) < 1e-8:
            return float(each.mean())
        if (each <= 2).any():
            return 2.0
        expected = float((each / (each - 2)).sum())
        return 2 * expected / (expected - count)


def curvature(fit: LinearFit) -> Curvature:
    """Return what Satterthwaite's method needs of a fit, computed once for all contrasts."""
    model, variance = fit.model, fit.residual**2
    free = np.flatnonzero(~fit.held)
    count = len(free)
    hessian = np.zeros((count + 1, count + 1))
    slopes = np.zeros((count + 1, *fit.covariance.shape))
    for row, number in enumerate(free):
        side = np.zeros(len(fit.theta))
        side[number] = STEP
        above, below = model.profile(fit.theta + side), model.profile(fit.theta - side)
        change = (above.trace - below.trace) - 2 * (above.quadratic - below.quadratic) / variance
        hessian[row, :count] = change[free] / (2 * STEP)
        slopes[row] = variance * (above.unscaled - below.unscaled) / (2 * STEP)
    hessian[:count, :count] = (hessian[:count, :count] + hessian[:count, :count].T) / 2
    hessian[count, :count] = hessian[:count, count] = (
        4 * fit.profile.quadratic[free] / fit.residual**3
    )
    hessian[count, count] = 4 * model.freedom / variance
    slopes[count] = 2 * fit.residual * fit.profile.unscaled
    return Curvature(fit.covariance, slopes, 2 * upward_inverse(hessian, flat=0.0))
