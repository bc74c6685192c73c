"""The mean recall of labels (balanced accuracy), with an interval that holds for rare labels.

Resampling fails here: the recall of a label that occurs once is 0 or 1 in every draw, so the
interval would not know that it could be the other. Each label's recall has the interval of a
share instead, and these are put together (Zou, Huang and Zhang 2009, "A note on confidence
interval estimation for a linear function of binomial proportions").
"""

from __future__ import annotations

import numpy as np

from plausibly.domain import Measure
from plausibly.measures._grouping import Floats
from plausibly.measures.proportion import TAIL, Z

METHOD = "Wilson's limits of each label's recall, combined"


def mean_recall(tables: Floats) -> Measure:
    """Return the mean share recalled of each label that occurs in the truth, with its interval.

    Rows of one cluster count as fewer than so many independent ones: for each label as far as the
    variance between clusters shows, and for the mean as far as labels go together in clusters.

    Args:
        tables: Truth by prediction, one table for each cluster.

    >>> once = np.array([[[4, 0], [0, 0]], [[3, 1], [0, 0]], [[0, 0], [0, 1]]], dtype=float)
    >>> recall = mean_recall(once)
    >>> [round(one or 0, 2) for one in (recall.value, recall.low, recall.high)]
    [0.94, 0.42, 0.99]
    """
    hits, rows = np.diagonal(tables, axis1=1, axis2=2), tables.sum(axis=2)
    occurs = rows.sum(axis=0) > 0
    if not occurs.any():
        return Measure(None, 0, reason="no label occurs in the truth")
    hits, rows = hits[:, occurs], rows[:, occurs]
    whole, clusters = rows.sum(axis=0), (rows > 0).sum(axis=0)
    recall = hits.sum(axis=0) / whole
    away = (hits - recall * rows) / whole
    between = np.square(away).sum(axis=0) * clusters / np.maximum(clusters - 1, 1)
    alone = recall * (1 - recall) / whole
    more = np.divide(between, alone, out=np.ones_like(alone), where=alone > 0)
    counted = np.where(alone > 0, whole / np.maximum(more, 1.0), clusters)
    low, high = _limits(recall, counted)
    apart = np.square(away).sum()
    together = np.square(away.sum(axis=1)).sum() / apart if apart > 0 else 1.0
    wider = float(np.sqrt(max(together, 1.0))) / len(recall)
    value = float(recall.mean())
    below = wider * float(np.sqrt(np.square(recall - low).sum()))
    above = wider * float(np.sqrt(np.square(high - recall).sum()))
    n = int(whole.sum())
    return Measure(value, n, max(value - below, 0.0), min(value + above, 1.0), method=METHOD)


def _limits(share: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Return the limits of shares: Wilson's, at 0 and 1 the exact ones."""
    middle = (share + Z * Z / 2 / n) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * np.sqrt(share * (1 - share) / n + (Z / 2 / n) ** 2)
    far = TAIL ** (1 / n)
    low = np.where(share == 0, 0.0, np.where(share == 1, far, middle - half))
    high = np.where(share == 1, 1.0, np.where(share == 0, 1 - far, middle + half))
    return low, high
