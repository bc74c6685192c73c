"""Ridge regression on random features, cross-validated by head.

Every head's pairs are predicted by a regression that never saw that head, so predicting the
training pairs does not leak; new heads get the mean of all folds. Random Fourier features (Rahimi
and Recht 2007) of each group of features approximate a Gaussian kernel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plausibly.errors import StudyError, TableError
from plausibly.models.counts import Floats, packed, unpacked

FOLDS = 10
WAVES = 250
# Weight of a standardised number itself, in addition to its waves.
PLAIN = 0.3
PENALTIES = (0.3, 1.0, 3.0, 10.0, 30.0)
PARTS = ("centre", "spread", "direction", "phase", "weight", "mean")


@dataclass(frozen=True, eq=False)
class Waves:
    """Random features of groups of features.

    Args:
        sizes: Features of each group.
        centre: Means of all features.
        spread: Their standard deviations.
        direction: A column of directions per wave, zero outside the wave's group.
        phase: One per wave.
    """

    sizes: tuple[int, ...]
    centre: Floats
    spread: Floats
    direction: Floats
    phase: Floats

    def spread_out(self, groups: Sequence[Floats]) -> Floats:
        """Return waves of all groups, and the last group unchanged."""
        table = (np.hstack(groups) - self.centre) / self.spread
        waves = np.cos(table @ self.direction + self.phase) * np.sqrt(2 / WAVES)
        return np.hstack([waves, table[:, -self.sizes[-1] :] * PLAIN])


def draw_waves(groups: Sequence[Floats], *, seed: int) -> Waves:
    """Return random directions scaled to the usual distance between pairs in each group."""
    generator = np.random.default_rng(seed)
    table = np.hstack(groups)
    spread = table.std(axis=0)
    centre, spread = table.mean(axis=0), np.where(spread > 1e-12, spread, 1.0)
    scaled = (table - centre) / spread
    sizes = tuple(group.shape[1] for group in groups)
    direction = np.zeros((table.shape[1], WAVES * len(groups)))
    start = 0
    for number, size in enumerate(sizes):
        part = scaled[:, start : start + size]
        some, others = generator.integers(len(part), size=(2, 4000))
        apart = float(np.median(((part[some] - part[others]) ** 2).sum(axis=1)))
        drawn = generator.standard_normal((size, WAVES)) * np.sqrt(2 / max(apart, 1e-9))
        direction[start : start + size, number * WAVES : (number + 1) * WAVES] = drawn
        start += size
    phase = generator.uniform(0, 2 * np.pi, size=direction.shape[1])
    return Waves(sizes, centre, spread, direction, phase)


@dataclass(frozen=True, eq=False)
class Regression:
    """One ridge regression per fold of heads.

    Args:
        waves: Random features.
        fold_of: The fold that left out each training head, by lower-cased head.
        weight: One column per fold.
        mean: Mean score of each fold's training pairs.
    """

    waves: Waves
    fold_of: Mapping[str, int]
    weight: Floats
    mean: Floats

    def predict(self, groups: Sequence[Floats], heads: Sequence[str]) -> Floats:
        """Return the score of every row, from the fold that left its head out, or from all."""
        scores = self.waves.spread_out(groups) @ self.weight + self.mean
        fold = np.array([self.fold_of.get(head.lower(), -1) for head in heads], dtype=np.int64)
        own: Floats = scores[np.arange(len(fold)), np.maximum(fold, 0)]
        return np.where(fold >= 0, own, scores.mean(axis=1))

    def arrays(self, prefix: str) -> dict[str, npt.NDArray[np.generic]]:
        """Return the regression as arrays, to be stored."""
        waves = self.waves
        values = (waves.centre, waves.spread, waves.direction, waves.phase, self.weight, self.mean)
        return {
            f"{prefix}/fold_heads": packed(tuple(self.fold_of)),
            f"{prefix}/folds": np.array(list(self.fold_of.values()), dtype=np.int64),
            f"{prefix}/sizes": np.array(waves.sizes, dtype=np.int64),
            **{f"{prefix}/{name}": value for name, value in zip(PARTS, values, strict=True)},
        }


def regression_from(prefix: str, arrays: Mapping[str, npt.NDArray[np.generic]]) -> Regression:
    """Return the regression that `Regression.arrays` stored."""
    heads = unpacked(arrays[f"{prefix}/fold_heads"])
    folds = arrays[f"{prefix}/folds"].astype(np.int64).tolist()
    sizes = tuple(arrays[f"{prefix}/sizes"].astype(np.int64).tolist())
    centre, spread, direction, phase, weight, mean = (
        arrays[f"{prefix}/{name}"].astype(np.float64) for name in PARTS
    )
    waves = Waves(sizes, centre, spread, direction, phase)
    return Regression(waves, dict(zip(heads, folds, strict=True)), weight, mean)


def fit_regression(
    groups: Sequence[Floats], score: Floats, heads: Sequence[str], *, seed: int
) -> Regression:
    """Return regressions cross-validated by head; each fold chooses its own penalty."""
    names = sorted({head.lower() for head in heads})
    if len(names) < 2 * FOLDS:
        raise TableError(
            f"scores of {len(names)} heads are too few for {FOLDS} folds by head. "
            f"Provide scores for at least {2 * FOLDS} heads, or omit the scores."
        )
    if not np.isfinite(score).all():
        raise StudyError("scores to learn from must be numbers.")
    order = np.random.default_rng(seed).permutation(len(names))
    fold_of = {names[place]: number % FOLDS for number, place in enumerate(order)}
    fold = np.array([fold_of[head.lower()] for head in heads])
    waves = draw_waves(groups, seed=seed)
    table = waves.spread_out(groups)
    weight, mean = np.zeros((table.shape[1], FOLDS)), np.zeros(FOLDS)
    for number in range(FOLDS):
        inside = fold != number
        mean[number] = score[inside].mean()
        weight[:, number] = _ridge(table[inside], score[inside] - mean[number], fold[inside])
    return Regression(waves, fold_of, weight, mean)


def _ridge(table: Floats, score: Floats, fold: npt.NDArray[np.int64]) -> Floats:
    """Return the weights under the penalty that does best on a third of the inner folds."""
    held = np.isin(fold, np.unique(fold)[::3])
    values, vectors = np.linalg.eigh(table[~held].T @ table[~held])
    turned = vectors.T @ (table[~held].T @ score[~held])

    def error(penalty: float) -> float:
        weight = vectors @ (turned / (np.maximum(values, 0) + penalty))
        gap = table[held] @ weight - score[held]
        return float(gap @ gap)

    penalty = min(PENALTIES, key=error)
    ridge = table.T @ table + penalty * np.eye(table.shape[1])
    return np.linalg.solve(ridge, table.T @ score).astype(np.float64, copy=False)
