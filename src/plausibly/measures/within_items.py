"""Correlation within items: does what is higher than its neighbours fare better than they do."""

from __future__ import annotations

import numpy as np
import polars as pl

from plausibly.domain import Measure
from plausibly.measures.draws import drawable
from plausibly.measures.resampling import bounded_interval


def spearman_within(table: pl.DataFrame, *, resamples: int = 1000, seed: int = 0) -> Measure:
    """Return the correlation of two columns within items: ranks in each item, all items together.

    Items differ in how easy they are, and all their candidates with them; ranks are therefore
    taken inside each item and put together. Items in which one of the columns does not vary say
    nothing and are left out.

    Args:
        table: item, x and y.
        resamples: Draws of items for the interval.
        seed: Random seed; the same seed gives the same interval.

    >>> table = pl.DataFrame({"item": list("aaabbb"), "x": [1, 2, 3, 7, 8, 9],
    ...                       "y": [1, 2, 3, 1, 3, 2]})
    >>> spearman_within(table, resamples=0).value
    0.75
    """
    ranked = (
        table.drop_nulls()
        .sort("item")
        .with_columns(pl.col("x", "y").rank("average").over("item"))
        .with_columns(pl.col("x", "y") - pl.col("x", "y").mean().over("item"))
        .filter(
            (pl.col("x").abs().sum().over("item") > 0) & (pl.col("y").abs().sum().over("item") > 0)
        )
    )
    each = ranked.group_by("item", maintain_order=True).agg(
        both=(pl.col("x") * pl.col("y")).sum(),
        x=(pl.col("x") ** 2).sum(),
        y=(pl.col("y") ** 2).sum(),
    )
    items = each.height
    if items == 0:
        return Measure(None, 0, reason="no item has candidates that differ in both")
    sums = each.drop("item").to_numpy()
    value = _ratio(sums.sum(axis=0)[None, :])[0]
    generator = np.random.default_rng(seed)
    drawn = generator.integers(items, size=(drawable(resamples), items))
    values = _ratio(sums[drawn].sum(axis=1)).tolist() if resamples else []
    return bounded_interval(float(value), items, values, asked=resamples, most=1.0)


def _ratio(
    sums: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    both, x, y = sums[:, 0], sums[:, 1], sums[:, 2]
    return np.clip(both / np.sqrt(x * y), -1.0, 1.0)
