"""Soft labels: a regression that learns the shares of all answers, not the one most people gave.

Eichel and Schulte im Walde (2023, section 7) keep the distribution of answers as the label. The
regression here is multinomial with a ridge penalty; its loss is the cross-entropy of people's
shares with its own, each item weighing as many ratings as it has (Peterson et al. 2019).
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from plausibly.errors import StudyError
from plausibly.models.counts import Floats, Ints

FOLDS = 10
ROUNDS = 100


def fit_soft(table: Floats, counts: Floats, *, penalty: float) -> Floats:
    """Return weights, a row for each feature and one for the start, a column for each answer.

    Args:
        table: Features, a row for each item.
        counts: How often each answer was given to each item.
        penalty: Of the squared weights; the start is free.
    """
    if penalty <= 0:
        raise StudyError(f"penalty must be above 0; got {penalty}.")
    size = (table.shape[1] + 1, counts.shape[1])

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(size)
        logs = _log_shares(table, weights)
        gap = np.exp(logs) * counts.sum(axis=1, keepdims=True) - counts
        slope = np.vstack([table.T @ gap + penalty * weights[:-1], gap.sum(axis=0)])
        value = -(counts * logs).sum() + penalty / 2 * (weights[:-1] ** 2).sum()
        return float(value), slope.ravel()

    start = np.zeros(size[0] * size[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS})
    best: Floats = found.x.reshape(size)
    return best


def soft_shares(table: Floats, weights: Floats) -> Floats:
    """Return the predicted share of every answer (columns) for each item (rows)."""
    shares: Floats = np.exp(_log_shares(table, weights))
    return shares


def _log_shares(table: Floats, weights: Floats) -> Floats:
    logits = table @ weights[:-1] + weights[-1]
    logits -= logits.max(axis=1, keepdims=True)
    logs: Floats = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return logs


def folds_of(groups: Ints, *, folds: int = FOLDS, seed: int = 0) -> Ints:
    """Return the fold of every item; items of one group are in one fold.

    >>> folds_of(np.array([0, 0, 1, 2]), folds=3).tolist()[:2] in ([0, 0], [1, 1], [2, 2])
    True
    """
    order = np.random.default_rng(seed).permutation(int(groups.max()) + 1)
    place: Ints = order[groups] % folds
    return place
