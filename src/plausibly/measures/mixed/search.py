"""The search for the best parameters, where those on a diagonal cannot be negative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from plausibly.measures.mixed.crossed import CrossedEffects, Floats

Valued = Callable[[Floats], tuple[float, Floats]]
Flags = npt.NDArray[np.bool_]
SINGULAR = 1e-3
ALIKE = 0.002  # 1 - r² where |r| = .999
PROBE = 0.03
SECOND = 0.2  # diagonal from which a fit with several empty columns is searched again
RESTARTS = 5
LARGEST = 1e3
FLAT = 1e-7
FLAT_SLOPE = 1e-2


@dataclass(frozen=True, eq=False)
class Optimum:
    """Where the search ended.

    Args:
        place: The parameters.
        value: The function there.
        held: Which parameters are held fixed because their variance is zero.
        converged: Whether the function is flat there.
    """

    place: Floats
    value: float
    held: Flags
    converged: bool


def search(function: Valued, start: Floats, bounded: Flags, *, tolerance: float) -> Optimum:
    """Return the minimum, restarted where a variance was set to zero too early.

    At a zero diagonal the derivative vanishes by symmetry, whether or not the minimum is there;
    a probe on the positive side decides.
    """
    best = _settle(function, start, bounded, tolerance)
    if bounded.sum() < len(bounded) and (bounded & (best.place < SINGULAR)).sum() > 1:
        other = _settle(function, np.where(bounded, SECOND, start), bounded, tolerance)
        best = min(best, other, key=lambda each: each.value)
    return best


def _settle(function: Valued, start: Floats, bounded: Flags, tolerance: float) -> Optimum:
    place = start
    for _ in range(RESTARTS):
        best = _descend(function, place, bounded, tolerance)
        zero = bounded & (best.place < SINGULAR)
        restart = _probe(function, best.place, np.flatnonzero(zero))
        if restart is None:
            break
        place = restart
    return best


def _descend(function: Valued, start: Floats, bounded: Flags, tolerance: float) -> Optimum:
    bounds: Any = [(0.0, LARGEST) if flag else (None, None) for flag in bounded]
    options: Any = {"maxiter": 500, "maxcor": 20, "ftol": 1e-14, "gtol": tolerance}
    best: Any = minimize(
        function, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options
    )
    slope = np.where(bounded & (best.x <= 0), np.minimum(best.jac, 0.0), best.jac)
    flat = bool(np.abs(slope).max(initial=0.0) < FLAT_SLOPE)
    return Optimum(np.asarray(best.x), float(best.fun), np.zeros(len(start), dtype=bool), flat)


def _probe(function: Valued, place: Floats, zero: npt.NDArray[np.intp]) -> Floats | None:
    for number in zero:
        tried = place.copy()
        tried[number] = PROBE
        if function(tried)[1][number] < -1e-4:
            return tried
    return None


def settled(crossing: CrossedEffects, theta: Floats) -> tuple[Floats, Flags]:
    """Return θ with empty columns at zero, and which parameters are held because of them."""
    parts, held = [], []
    for factor, lower in zip(crossing.given, crossing.cholesky(theta), strict=True):
        clean = _semidefinite_cholesky(lower @ lower.T)
        empty = np.diagonal(clean) == 0
        parts.append(factor.theta(clean))
        held.append(factor.theta(np.tile(empty.astype(np.float64), (factor.size, 1))) > 0)
    return np.concatenate(parts), np.concatenate(held)


def _semidefinite_cholesky(table: Floats) -> Floats:
    """Return the Cholesky factor with a column of zeros wherever the rest has no variance."""
    left = table.copy()
    lower = np.zeros_like(table)
    for place in range(len(table)):
        if left[place, place] < max(SINGULAR**2, ALIKE * table[place, place]):
            continue
        lower[place:, place] = left[place:, place] / np.sqrt(left[place, place])
        left -= np.outer(lower[:, place], lower[:, place])
    return lower


def singular_names(crossing: CrossedEffects, theta: Floats) -> tuple[str, ...]:
    """Return a sentence for each random effect at zero or perfectly correlated with others."""
    sentences = [
        sentence
        for factor, lower in zip(crossing.given, crossing.cholesky(theta), strict=True)
        for sentence in _singular(factor.name, factor.names, lower)
    ]
    return tuple(dict.fromkeys(sentences))


def _singular(name: str, effects: Sequence[str], lower: Floats) -> list[str]:
    sentences = []
    variance = (lower**2).sum(axis=1)
    for place, effect in enumerate(effects):
        if variance[place] < SINGULAR**2:
            sentences.append(
                f"Singular fit: the variance of {effect} by {name} is zero; it is held there."
            )
        elif lower[place, place] ** 2 < max(SINGULAR**2, ALIKE * variance[place]):
            sentences.append(
                f"Singular fit: {effect} by {name} is perfectly correlated with the effects "
                "before it; its remaining variance is held at zero."
            )
    return sentences


def slopes_of_gradient(function: Valued, place: Floats, free: Flags, step: float) -> Floats:
    """Return second derivatives of the free parameters by central differences of the gradient."""
    numbers = np.flatnonzero(free)
    table = np.zeros((len(numbers), len(numbers)))
    for row, number in enumerate(numbers):
        side = np.zeros(len(place))
        side[number] = step
        above, below = function(place + side)[1], function(place - side)[1]
        table[row] = (above - below)[numbers] / (2 * step)
    return (table + table.T) / 2


def upward_inverse(hessian: Floats, *, flat: float) -> Floats:
    """Return the inverse of second derivatives, safe where they do not curve upwards.

    Args:
        hessian: Second derivatives.
        flat: The variance of directions without curvature, where the parameters have about 1.
    """
    scale = 1 / np.sqrt(np.maximum(np.abs(np.diagonal(hessian)), 1e-12))
    values, vectors = np.linalg.eigh(hessian * np.outer(scale, scale))
    upward = values > FLAT
    inverse = np.where(upward, 1 / np.where(upward, values, 1.0), flat)
    table: Floats = (vectors * inverse) @ vectors.T * np.outer(scale, scale)
    return table
