"""The artefact probe: how well nuisance variables alone predict the condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.domain import Measure
from plausibly.io.ranks import ranks
from plausibly.measures.proportion import proportion

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
        names: Of the items, or of what they share; with the seed they make the folds.
        seed: Of folds and resamples.
    """
    conditions = _enough(of)
    if not conditions or not variables.width:
        return _nothing(of.len())
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
    return _measures(scores, targets, seed)


def word_probe(
    words: Sequence[Sequence[str]], of: pl.Series, *, names: pl.Series, seed: int
) -> dict[str, Measure]:
    """Return how well one word gives the condition away, over the same five folds.

    Each item is judged by the one of its words that tells most: how much more often it is in
    one condition than in the others among the items the fold does not hold.

    Args:
        words: Of every item: one where it is asked about a slot, or all of a text.
        of: The condition of every item.
        names: Of the items, or of what they share; with the seed they make the folds.
        seed: Of folds and resamples.
    """
    conditions = _enough(of)
    if not conditions:
        return _nothing(of.len())
    folds = _folds(names, seed)
    targets = np.stack([(of == name).to_numpy() for name in conditions], axis=1)
    scores = np.zeros(targets.shape)
    for fold in range(FOLDS):
        for column in range(len(conditions)):
            odds = _odds(words, targets[:, column], folds != fold)
            for row, found in enumerate(words):
                if folds[row] == fold:
                    weights = (odds.get(word, 0.0) for word in found)
                    scores[row, column] = max(weights, key=abs, default=0.0)
    return _measures(scores, targets, seed)


def _odds(
    words: Sequence[Sequence[str]], target: npt.NDArray[np.bool_], used: npt.NDArray[np.bool_]
) -> dict[str, float]:
    """Return the logarithm of how much likelier each word is in a condition than outside it."""
    inside: Counter[str] = Counter()
    outside: Counter[str] = Counter()
    for found, is_in, counts in zip(words, target, used, strict=True):
        if counts:
            (inside if is_in else outside).update(set(found))
    base = log((int((target & used).sum()) + 1) / (int((~target & used).sum()) + 1))
    return {
        word: log((inside[word] + 0.5) / (outside[word] + 0.5)) - base for word in inside | outside
    }


def _enough(of: pl.Series) -> list[str]:
    """Return the conditions, none if there are too few of them or of their items."""
    conditions = of.unique().sort().to_list()
    least = min((int((of == name).sum()) for name in conditions), default=0)
    return conditions if len(conditions) > 1 and least >= 2 * FOLDS else []


def _nothing(n: int) -> dict[str, Measure]:
    reason = f"needs two conditions of at least {2 * FOLDS} items each"
    return {name: Measure(None, n, reason=reason) for name in ("accuracy", "auc")}


def _measures(scores: Floats, targets: npt.NDArray[np.bool_], seed: int) -> dict[str, Measure]:
    right = scores.argmax(axis=1) == targets.argmax(axis=1)
    measures = {
        "accuracy": proportion(int(right.sum()), len(right)),
        "largest_condition": Measure(float(targets.mean(axis=0).max()), len(right)),
    }
    if targets.shape[1] == 2:
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
    """Return the fold of every item; items of one name are in one fold."""
    order = pl.DataFrame({"rank": ranks("probe|" + names, seed=seed), "name": names})
    places = order.select(pl.struct("rank", "name").rank("dense")).to_series().to_numpy()
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
