"""Measures of ordered labels, from tables of truth by prediction; many tables at once.

Every function takes tables stacked along the first axis and returns one value per table, not a
number where the measure is not defined, so that resamples and permutations cost one call.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from plausibly.errors import StudyError
from plausibly.measures._grouping import Floats

Graded = Callable[[Floats], Floats]


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, np.where(whole > 0, whole, np.nan))


def accuracies(tables: Floats) -> Floats:
    """Return the share of rows whose label is predicted.

    >>> tables = np.array([[[3, 1, 0], [0, 2, 0], [1, 0, 1]]], dtype=float)
    >>> accuracies(tables).round(3).tolist()
    [0.75]
    """
    return _share(np.trace(tables, axis1=1, axis2=2), tables.sum(axis=(1, 2)))


def balanced_accuracies(tables: Floats) -> Floats:
    """Return the mean share recalled of each label that occurs in the truth.

    >>> tables = np.array([[[3, 1, 0], [0, 2, 0], [1, 0, 1]]], dtype=float)
    >>> balanced_accuracies(tables).round(3).tolist()
    [0.75]
    """
    return _mean_of_defined(_share(_diagonal(tables), tables.sum(axis=2)))


def macro_f1s(tables: Floats) -> Floats:
    """Return the mean F1 of the labels that occur in the truth or in the predictions.

    >>> tables = np.array([[[3, 1, 0], [0, 2, 0], [1, 0, 1]]], dtype=float)
    >>> macro_f1s(tables).round(3).tolist()
    [0.739]
    """
    either = tables.sum(axis=2) + tables.sum(axis=1)
    return _mean_of_defined(_share(2 * _diagonal(tables), either))


def mccs(tables: Floats) -> Floats:
    """Return Matthews' correlation of truth and prediction (Gorodkin 2004 for many labels).

    >>> tables = np.array([[[3, 1, 0], [0, 2, 0], [1, 0, 1]]], dtype=float)
    >>> mccs(tables).round(3).tolist()
    [0.616]
    """
    n = tables.sum(axis=(1, 2))
    truth, predicted = tables.sum(axis=2), tables.sum(axis=1)
    product = np.trace(tables, axis1=1, axis2=2) * n - (truth * predicted).sum(axis=1)
    spread = (n * n - (truth**2).sum(axis=1)) * (n * n - (predicted**2).sum(axis=1))
    return _share(product, np.sqrt(np.maximum(spread, 0)))


def quadratic_kappas(tables: Floats) -> Floats:
    """Return Cohen's kappa with squared distances of the labels' places as weights.

    >>> tables = np.array([[[3, 1, 0], [0, 2, 0], [1, 0, 1]]], dtype=float)
    >>> quadratic_kappas(tables).round(3).tolist()
    [0.474]
    """
    size = tables.shape[1]
    place = np.arange(size, dtype=np.float64)
    distance = (place[:, None] - place[None, :]) ** 2
    n = tables.sum(axis=(1, 2))
    seen = (tables * distance).sum(axis=(1, 2))
    by_chance = np.einsum("bi,bj,ij->b", tables.sum(axis=2), tables.sum(axis=1), distance)
    return 1 - _share(seen * n, by_chance)


def adjacent_accuracies(tables: Floats) -> Floats:
    """Return the share of rows whose prediction is the label or a neighbour on the scale.

    >>> tables = np.array([[[3, 1, 0], [0, 2, 0], [1, 0, 1]]], dtype=float)
    >>> adjacent_accuracies(tables).round(3).tolist()
    [0.875]
    """
    place = np.arange(tables.shape[1])
    near = np.abs(place[:, None] - place[None, :]) <= 1
    return _share((tables * near).sum(axis=(1, 2)), tables.sum(axis=(1, 2)))


MEASURES: dict[str, Graded] = {
    "accuracy": accuracies,
    "balanced_accuracy": balanced_accuracies,
    "macro_f1": macro_f1s,
    "mcc": mccs,
    "quadratic_kappa": quadratic_kappas,
    "adjacent_accuracy": adjacent_accuracies,
}


def _diagonal(tables: Floats) -> Floats:
    return np.diagonal(tables, axis1=1, axis2=2)


def _mean_of_defined(values: Floats) -> Floats:
    defined = ~np.isnan(values)
    return _share(np.where(defined, values, 0.0).sum(axis=1), defined.sum(axis=1).astype(float))


def calibration_error(
    probabilities: Floats, truth: npt.NDArray[np.int64], *, bins: int = 10
) -> float | None:
    """Return the expected calibration error of the most probable label (Naeini et al. 2015).

    Rows go to `bins` bins of equal width by the probability of the label predicted; the error
    is the mean gap between that probability and the share right, weighted by rows.

    >>> calibration_error(np.array([[0.9, 0.1], [0.9, 0.1]]), np.array([0, 1]))
    0.4
    """
    if bins < 1:
        raise StudyError(f"bins must be 1 or more; got {bins}.")
    if len(truth) == 0:
        return None
    sureness = probabilities.max(axis=1)
    right = probabilities.argmax(axis=1) == truth
    cell = np.minimum((sureness * bins).astype(np.int64), bins - 1)
    gaps = np.bincount(cell, weights=sureness - right, minlength=bins)
    return round(float(np.abs(gaps).sum()) / len(truth), 12)
