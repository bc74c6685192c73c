"""Rank correlation of two columns: Spearman's rho and Kendall's tau-b."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import stats

from plausibly.domain import Measure
from plausibly.errors import StudyError
from plausibly.measures.coded import Floats


def spearman(x: npt.ArrayLike, y: npt.ArrayLike) -> Measure:
    """Return the rank correlation of two columns; ties share their average rank.

    >>> spearman([1, 2, 3], [1, 10, 100]).value
    1.0
    """
    first, second = _columns(x, y)
    reason = _undefined(first, second)
    if reason:
        return Measure(None, len(first), reason=reason)
    ranks = average_ranks(first), average_ranks(second)
    return Measure(_product_moment(*ranks), len(first))


def kendall(x: npt.ArrayLike, y: npt.ArrayLike) -> Measure:
    """Return Kendall's tau-b of two columns.

    >>> round(kendall([1, 2, 3, 4], [1, 3, 2, 4]).value, 3)
    0.667
    """
    first, second = _columns(x, y)
    reason = _undefined(first, second)
    if reason:
        return Measure(None, len(first), reason=reason)
    return Measure(float(stats.kendalltau(first, second).statistic), len(first))


def average_ranks(column: npt.ArrayLike) -> Floats:
    """Return the rank of each value from 1, ties sharing their average rank.

    >>> average_ranks([10, 20, 20, 30]).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    return stats.rankdata(np.asarray(column, dtype=np.float64), method="average")


def _product_moment(x: Floats, y: Floats) -> float:
    x, y = _centred(x), _centred(y)
    return float(np.clip((x @ y) / np.sqrt((x @ x) * (y @ y)), -1.0, 1.0))


def _centred(column: Floats) -> Floats:
    """Return the column minus its mean, scaled to prevent overflow when squared."""
    centred = column - column.mean()
    scaled: Floats = centred / np.abs(centred).max()
    return scaled


def _columns(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if first.shape != second.shape or first.ndim != 1:
        raise StudyError(
            f"correlation needs two columns of equal length; got {first.shape} and {second.shape}."
        )
    return first, second


def _undefined(x: Floats, y: Floats) -> str | None:
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        return "some values are missing or infinite"
    if len(x) < 2:
        return f"{len(x)} rows are too few"
    constant = "first" if np.ptp(x) == 0 else "second" if np.ptp(y) == 0 else None
    return f"all values of the {constant} column are the same" if constant else None
