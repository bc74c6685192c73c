"""Measures of predicted labels, all from one table of truth by prediction."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from plausibly.domain import Measure

Confusion = npt.NDArray[np.int64]
"""How often each true label (row) was predicted as each label (column)."""

_NO_ROWS = "there are no rows"


def balanced_accuracy(table: Confusion) -> Measure:
    """Return the mean share found of each label that occurs in the truth.

    >>> balanced_accuracy(np.array([[0, 1], [0, 1]])).value
    0.5
    """
    n = int(table.sum())
    if n == 0:
        return Measure(None, 0, reason=_NO_ROWS)
    rows = table.sum(axis=1)
    occurs = rows > 0
    return Measure(float(np.mean(np.diag(table)[occurs] / rows[occurs])), n)


def mcc(table: Confusion) -> Measure:
    """Return Matthews' correlation of truth and prediction (Gorodkin 2004 for many labels).

    >>> mcc(np.array([[1, 0], [0, 1]])).value
    1.0
    """
    counts = table.astype(np.float64)
    n = float(counts.sum())
    truth, predicted = counts.sum(axis=1), counts.sum(axis=0)
    spread = (n * n - truth @ truth) * (n * n - predicted @ predicted)
    if n == 0:
        return Measure(None, 0, reason=_NO_ROWS)
    if spread <= 0:
        side = "true" if np.count_nonzero(truth) < 2 else "predicted"
        return Measure(None, int(n), reason=f"all {side} labels are the same")
    product = np.trace(counts) * n - truth @ predicted
    return Measure(float(product / np.sqrt(spread)), int(n))
