"""Measures of predicted labels, all from one table of truth by prediction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from plausibly.domain import Measure
from plausibly.errors import StudyError, UnknownName

Confusion = npt.NDArray[np.int64]

_NO_ROWS = "there are no rows"


def confusion(truth: Sequence[str], predicted: Sequence[str], labels: Sequence[str]) -> Confusion:
    """Return how often each true label (row) was predicted as each label (column).

    >>> confusion(["a", "b", "b"], ["a", "a", "b"], ["a", "b"]).tolist()
    [[1, 0], [1, 1]]
    """
    if len(truth) != len(predicted):
        raise StudyError(f"{len(truth)} true and {len(predicted)} predicted labels do not match.")
    place = {label: number for number, label in enumerate(labels)}
    stranger = next((label for label in [*truth, *predicted] if label not in place), None)
    if stranger is not None:
        raise UnknownName("label", str(stranger), labels)
    table = np.zeros((len(labels), len(labels)), dtype=np.int64)
    np.add.at(table, ([place[t] for t in truth], [place[p] for p in predicted]), 1)
    return table


def accuracy(table: Confusion) -> Measure:
    """Return the share of rows whose label is predicted.

    >>> accuracy(confusion(["yes", "no"], ["yes", "yes"], ("no", "yes"))).value
    0.5
    """
    n = int(table.sum())
    return Measure(float(np.trace(table)) / n, n) if n else Measure(None, 0, reason=_NO_ROWS)


def balanced_accuracy(table: Confusion) -> Measure:
    """Return the mean share found of each label that occurs in the truth.

    >>> balanced_accuracy(confusion(["yes", "no"], ["yes", "yes"], ("no", "yes"))).value
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

    >>> mcc(confusion(["yes", "no"], ["yes", "no"], ("no", "yes"))).value
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
