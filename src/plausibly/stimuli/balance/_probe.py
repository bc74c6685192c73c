"""The artefact probe: how well nuisance variables alone predict the condition."""

from __future__ import annotations

from math import sqrt

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.domain import Measure
from plausibly.io.ranks import ranks

Floats = npt.NDArray[np.float64]

FOLDS = 5
PENALTY = 1.0
STEPS = 50
RESAMPLES = 500


def probe(
    variables: pl.DataFrame, of: pl.Series, *, names: pl.Series, seed: int
) -> dict[str, Measure]:
    """Return accuracy, majority share and, with two conditions, AUC, over five folds.

    A logistic regression with a light ridge penalty, one condition against the rest, is fitted
    on four fifths of the items and asked about the last. An accuracy near the share of the
    largest condition, or an AUC near one half, means the variables give nothing away.

    Args:
        variables: One column each; a missing value is the mean of the training items.
        of: The condition of every item.
        names: Of the items; together with the seed they make the folds.
        seed: Of folds and resamples.
    """
    conditions = of.unique().sort().to_list()
    least = min((int((of == name).sum()) for name in conditions), default=0)
    if len(conditions) < 2 or least < 2 * FOLDS or not variables.width:
        reason = f"needs two conditions of at least {2 * FOLDS} items each"
        return {name: Measure(None, of.len(), reason=reason) for name in ("accuracy", "auc")}
    folds = _folds(names, seed)
    features = variables.to_numpy().astype(np.float64)
    targets = np.stack([(of == name).to_numpy() for name in conditions], axis=1)
    scores = np.zeros(targets.shape)
    for fold in range(FOLDS):
        held = folds == fold
        train, test = _standardised(features[~held], features[held])
        for column in range(len(conditions)):
            weights = logistic(train, targets[~held, column].astype(np.float64))
            scores[held, column] = test @ weights[1:] + weights[0]
    right = scores.argmax(axis=1) == targets.argmax(axis=1)
    largest = float(targets.mean(axis=0).max())
    measures = {
        "accuracy": _wilson(int(right.sum()), len(right)),
        "largest_condition": Measure(largest, len(right)),
    }
    if len(conditions) == 2:
        measures["auc"] = _auc_measure(scores[:, 1] - scores[:, 0], targets[:, 1], seed)
    return measures


def logistic(features: Floats, target: Floats) -> Floats:
    """Return intercept and weights of a ridge-penalised logistic regression, by Newton steps."""
    design = np.hstack([np.ones((len(features), 1)), features])
    penalty = np.full(design.shape[1], PENALTY)
    penalty[0] = 1e-6
    weights = np.zeros(design.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (target - chance) - penalty * weights
        curve = (design * (chance * (1 - chance))[:, None]).T @ design + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if float(np.abs(step).max()) < 1e-8:
            break
    return weights


def auc(scores: Floats, target: npt.NDArray[np.bool_]) -> float:
    """Return the chance that a random positive scores above a random negative, ties half.

    >>> auc(np.array([0.1, 0.4, 0.4, 0.9]), np.array([False, False, True, True]))
    0.875
    """
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    positives = int(target.sum())
    negatives = len(target) - positives
    above = float(middle[place][target].sum()) - positives * (positives + 1) / 2
    return above / (positives * negatives)


def _auc_measure(scores: Floats, target: npt.NDArray[np.bool_], seed: int) -> Measure:
    generator = np.random.default_rng(seed)
    drawn = generator.integers(len(scores), size=(RESAMPLES, len(scores)))
    resampled = [
        auc(scores[draw], target[draw]) for draw in drawn if 0 < target[draw].sum() < len(draw)
    ]
    low, high = np.quantile(resampled, [0.025, 0.975])
    return Measure(auc(scores, target), len(scores), float(low), float(high))


def _folds(names: pl.Series, seed: int) -> npt.NDArray[np.int64]:
    order = pl.DataFrame({"rank": ranks("probe|" + names, seed=seed), "name": names})
    places = order.select(pl.struct("rank", "name").rank("ordinal")).to_series().to_numpy()
    return places.astype(np.int64) % FOLDS


def _standardised(train: Floats, test: Floats) -> tuple[Floats, Floats]:
    known = ~np.isnan(train)
    counts = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, train, 0).sum(axis=0) / counts
    gap = np.where(known, train - mean, 0)
    spread = np.sqrt((gap**2).sum(axis=0) / counts)
    spread[spread == 0] = 1.0
    both = [np.where(np.isnan(part), 0, (part - mean) / spread) for part in (train, test)]
    return both[0], both[1]


def _wilson(right: int, n: int) -> Measure:
    """Return a share with Wilson's 95 % interval."""
    z, share = 1.959964, right / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Measure(share, n, middle - half, middle + half)
