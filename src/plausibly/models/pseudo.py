"""Pseudo-disambiguation: an attested dependent against one drawn for the same head.

Whole pair types are held out of the counts, never single tokens, so no model has met the pair it is
asked about. Negatives are drawn in the three ways of the literature (Chambers and Jurafsky 2010):
any dependent alike, by frequency, or the neighbour in the order of frequency.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.errors import StudyError, UnknownName, option

NEGATIVES = ("uniform", "frequency", "nearest")
TRIES = 50


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Counts without some pair types, and those types.

    Args:
        counts: What is left to fit on.
        pairs: The pair types left out (head, dependent).
    """

    counts: pl.DataFrame
    pairs: pl.DataFrame


def hold_out(counts: pl.DataFrame, *, share: float = 0.1, seed: int = 1) -> HeldOut:
    """Return the counts of one relation without a share of its pair types, drawn at random."""
    if not 0 < share < 1:
        raise StudyError(f"{option('share')} must be in (0, 1); got {share}.", parameter="share")
    ordered = counts.sort("head", "dependent")
    chosen = np.random.default_rng(seed).random(ordered.height) < share
    return HeldOut(ordered.filter(~chosen), ordered.filter(chosen).select("head", "dependent"))


def negatives(held: HeldOut, *, kind: str, seed: int = 1) -> list[str | None]:
    """Return a dependent for each held-out pair that its head never had; None without one.

    Frequencies are those a model is fitted on: with those of all counts a negative would have the
    tokens that the held-out pair has lost.

    Args:
        held: Counts to fit on, and the pairs left out of them.
        kind: uniform, frequency or nearest.
        seed: Random seed; the same seed gives the same draw.
    """
    if kind not in NEGATIVES:
        raise UnknownName("kind of negatives", kind, NEGATIVES)
    generator = np.random.default_rng(seed)
    sums = held.counts.group_by("dependent").agg(pl.col("count").sum())
    sums = sums.sort("count", "dependent", descending=[True, False])
    words, weight = sums["dependent"].to_list(), sums["count"].to_numpy().astype(np.float64)
    place = {word: number for number, word in enumerate(words)}
    known = {*held.counts.select("head", "dependent").iter_rows(), *held.pairs.iter_rows()}
    ends = np.cumsum(weight) / weight.sum()
    drawn: list[str | None] = []
    for head, dependent in held.pairs.iter_rows():
        if kind == "nearest":
            tried = _around(place.get(dependent, len(words)), len(words), generator)
        elif kind == "uniform":
            tried = generator.integers(0, len(words), TRIES)
        else:
            tried = np.searchsorted(ends, generator.random(TRIES)).clip(max=len(words) - 1)
        names = (words[int(number)] for number in tried)
        drawn.append(next((name for name in names if (head, name) not in known), None))
    return drawn


def _around(middle: int, size: int, generator: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return the ranks next to one, nearest first; which side comes first is drawn."""
    side = 1 if generator.random() < 0.5 else -1
    steps = np.arange(1, TRIES // 2 + 1)
    both = np.stack([middle + side * steps, middle - side * steps], axis=1).ravel()
    return both[(both >= 0) & (both < size)]


def preferred(
    positive: npt.NDArray[np.float64], negative: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return 1 if the attested pair has the higher score; ties and no score are one half.

    >>> preferred(np.array([2.0, 1.0, np.nan]), np.array([1.0, 1.0, 3.0])).tolist()
    [1.0, 0.5, 0.5]
    """
    silent = np.isnan(positive) | np.isnan(negative)
    won = np.where(positive > negative, 1.0, np.where(positive == negative, 0.5, 0.0))
    wins: npt.NDArray[np.float64] = np.where(silent, 0.5, won)
    return wins


def accuracy(positive: npt.NDArray[np.float64], negative: npt.NDArray[np.float64]) -> float:
    """Return how often the attested pair has the higher score; ties and no score count half.

    >>> accuracy(np.array([2.0, 1.0, np.nan]), np.array([1.0, 1.0, 3.0]))
    0.6666666666666666
    """
    return float(preferred(positive, negative).mean()) if len(positive) else float("nan")
