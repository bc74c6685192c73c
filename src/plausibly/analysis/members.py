"""Answers that name several options or candidates: the share of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from plausibly.analysis.item_values import DIGITS
from plausibly.measures.questions import SEPARATOR, SET

NAMED = "__named"


def with_members(ratings: pl.DataFrame) -> tuple[pl.DataFrame, list[str]]:
    """Return the ratings with what each answer names, and all that is named.

    >>> table = pl.DataFrame({"item": ["t1"], "answer": ["ii; i"]})
    >>> with_members(table)[1]
    ['i', 'ii']
    """
    named = pl.col("answer").str.split(SEPARATOR).list.eval(pl.element().str.strip_chars())
    table = ratings.with_columns(named.list.unique().alias(NAMED))
    return table, sorted(set(table[NAMED].explode().drop_nulls()) - {""})


def member_shares(
    ratings: pl.DataFrame, members: Sequence[str], kind: str
) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield each member with the ratings whose value is its share; a tie is divided equally.

    Args:
        ratings: As `with_members` returns them.
        members: All that is named.
        kind: Type of the question: each option of a set counts alone.
    """
    size = pl.lit(1) if kind == SET else pl.col(NAMED).list.len()
    for member in members:
        share = pl.col(NAMED).list.contains(member).cast(pl.Float64) / size
        yield member, ratings.with_columns(value=share)


def member_values(
    ratings: pl.DataFrame, parts: Sequence[str], members: Sequence[str], kind: str
) -> pl.DataFrame:
    """Return the share of each candidate in each item, as `item_values` does for answers.

    Nothing for sets, whose shares do not add up to one.
    """
    if kind == SET or not members:
        return pl.DataFrame()
    keys = list(dict.fromkeys(["question", "item", *parts]))
    filled = ratings.with_columns(pl.col(n).cast(pl.String).fill_null("none") for n in parts)
    tables = [
        cell.group_by(keys)
        .agg(ratings=pl.len().cast(pl.Int64), value=pl.col("value").mean().round(DIGITS))
        .with_columns(answer=pl.lit(member), rank=pl.lit(float(place)))
        for place, (member, cell) in enumerate(member_shares(filled, members, kind))
    ]
    table = pl.concat(tables).filter(pl.col("value") > 0)
    return table.select(*keys, "answer", "rank", "ratings", "value").sort(*keys, "rank")
