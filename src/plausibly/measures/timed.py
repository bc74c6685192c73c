"""Times of answers, and which of them are only a part of a longer time."""

from __future__ import annotations

import polars as pl

TOGETHER = "together"
"""The column with the number of items whose time was measured as one and divided by them."""


def own_times(ratings: pl.DataFrame) -> pl.DataFrame:
    """Return the ratings without seconds that are a total divided by items.

    >>> table = pl.DataFrame({"item": ["t1", "t2"], "seconds": [4.0, 9.0], "together": [1, 20]})
    >>> own_times(table)["seconds"].to_list()
    [4.0, None]
    """
    if not {"seconds", TOGETHER} <= set(ratings.columns):
        return ratings
    return ratings.with_columns(seconds=pl.when(~_divided()).then("seconds"))


def divided_times(ratings: pl.DataFrame) -> int:
    """Return how many ratings have a time that is a total divided by items."""
    if not {"seconds", TOGETHER} <= set(ratings.columns):
        return 0
    return ratings.filter(_divided() & pl.col("seconds").is_not_null()).height


def _divided() -> pl.Expr:
    return (pl.col(TOGETHER).cast(pl.Float64, strict=False) > 1).fill_null(value=False)
