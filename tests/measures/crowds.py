"""Random ratings, and plain loops that compute the measures a second way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.measures.coded import Coded, code

Floats = npt.NDArray[np.float64]


def random_grid(
    seed: int, *, people: int = 6, items: int = 40, answers: Sequence[float] = (1, 2, 3, 4, 5)
) -> Floats:
    """Return people by items; people lean to an item's own answer, a third is missing (nan)."""
    generator = np.random.default_rng(seed)
    true = generator.integers(len(answers), size=items)
    given = np.where(
        generator.random((people, items)) < 0.6,
        true,
        generator.integers(len(answers), size=(people, items)),
    )
    grid = np.asarray(answers, dtype=np.float64)[given]
    grid[generator.random((people, items)) < 0.33] = np.nan
    return grid


def frame_of(grid: Floats) -> pl.DataFrame:
    """Return the ratings of a grid of people by items; nan is no rating."""
    people, items = np.nonzero(~np.isnan(grid))
    return pl.DataFrame(
        {
            "item": [f"t{item:04}" for item in items],
            "annotator": [f"a{person:02}" for person in people],
            "question": ["rating"] * len(items),
            "answer": [f"{grid[p, i]:g}" for p, i in zip(people, items, strict=True)],
        },
        schema=dict.fromkeys(("item", "annotator", "question", "answer"), pl.String),
    )


def coded_of(grid: Floats) -> Coded:
    """Return the ratings of a grid as codes."""
    return code(frame_of(grid))


def shared_by(grid: Floats) -> list[tuple[Floats, Floats]]:
    """Return for each two people who share an item their answers to the items they share."""
    both = []
    for one, other in combinations(grid, 2):
        shared = ~np.isnan(one) & ~np.isnan(other)
        if shared.any():
            both.append((one[shared], other[shared]))
    return both


def mean_of_pairs(grid: Floats, statistic: Callable[[Floats, Floats], float]) -> float:
    """Return the mean of a statistic over people who share items, undefined (nan) ones left out."""
    values = [statistic(one, other) for one, other in shared_by(grid)]
    return float(np.nanmean(values))
