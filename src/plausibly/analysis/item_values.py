"""What is behind a mean or a share: the mean of each item, and the share of each answer."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

DIGITS = 10
"""Means are rounded to this: sums of floats depend on how many threads shared the work."""


def item_values(
    ratings: pl.DataFrame, parts: Sequence[str], *, mean: bool, most_answers: int
) -> pl.DataFrame:
    """Return question, item, the cell, answer (null for a mean), rank, ratings and value, by item.

    The rank of an answer is its number, which orders answers.

    Args:
        ratings: The ratings of one question, with a number for each answer.
        parts: Columns of the cells.
        mean: Whether items have means; else only shares of answers.
        most_answers: Different answers up to which there are shares.

    >>> table = pl.DataFrame({"question": ["fit"] * 2, "item": ["t1"] * 2, "answer": ["1", "2"],
    ...                       "value": [1.0, 2.0]})
    >>> item_values(table, [], mean=True, most_answers=5)["answer", "value"].rows()
    [(None, 1.5), ('1', 0.5), ('2', 0.5)]
    """
    keys = list(dict.fromkeys(["question", "item", *parts]))
    known = ratings.drop_nulls("value").with_columns(
        pl.col(name).cast(pl.String).fill_null("none") for name in parts
    )
    average = pl.col("value").mean().round(DIGITS)
    means = known.group_by(keys).agg(ratings=pl.len().cast(pl.Int64), value=average)
    unranked = means.with_columns(answer=pl.lit(None, pl.String), rank=pl.lit(None, pl.Float64))
    tables = [unranked] if mean else []
    if known["answer"].n_unique() <= most_answers:
        tables.append(_shares(known, keys))
    columns = [*keys, "answer", "rank", "ratings", "value"]
    table = pl.concat([one.select(columns) for one in (unranked.clear(), *tables)])
    return table.sort(*keys, "rank", "answer", nulls_last=False)


def _shares(known: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    number = pl.col("value").min().cast(pl.Float64)
    counts = known.group_by(*keys, "answer").agg(votes=pl.len(), rank=number)
    total = pl.col("votes").sum().over(list(keys))
    return counts.with_columns(
        ratings=total.cast(pl.Int64), value=(pl.col("votes") / total).round(DIGITS)
    )
