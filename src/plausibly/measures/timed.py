"""Times of answers, and which of them are only a part of a longer time."""

from __future__ import annotations

import polars as pl

PLACES = ("position", "order", "trial", "submitted", "started")
"""The columns that show in which order a person answered, the first one that can be sorted."""

_NUMBER = r"^\s*[+-]?\d+(\.\d+)?\s*$"
ISO_TIME = (
    r"^\s*\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2}|UTC)?\s*$"
)

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


def places_of(ratings: pl.DataFrame) -> tuple[str, pl.Series] | None:
    """Return the column that shows in which order people answered, as values that can be sorted.

    Numbers that are written as text become numbers. Times must be written as 2026-05-01 10:00, or
    be numbers: "9:59 AM" and "01/02/2026" cannot be sorted as they are.

    >>> places_of(pl.DataFrame({"order": ["10", "9"]}))[1].to_list()
    [10.0, 9.0]
    >>> places_of(pl.DataFrame({"submitted": ["3/1/2026 9:59", "3/1/2026 10:01"]}))
    """
    for name in PLACES:
        if name not in ratings.columns or ratings[name].drop_nulls().n_unique() < 2:
            continue
        column = ratings[name]
        if column.dtype != pl.String:
            return name, column
        if column.drop_nulls().str.contains(_NUMBER).all():
            return name, column.str.strip_chars().cast(pl.Float64)
        if column.drop_nulls().str.contains(ISO_TIME).all():
            return name, column.str.replace("T", " ", literal=True)
    return None


def _divided() -> pl.Expr:
    return (pl.col(TOGETHER).cast(pl.Float64, strict=False) > 1).fill_null(value=False)
