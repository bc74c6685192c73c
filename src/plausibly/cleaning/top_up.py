"""Items that cleaning left short of their target: what a further round has to collect."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from plausibly.errors import StudyError, option
from plausibly.tables import Table

ROUNDS_FILE = "rounds.parquet"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortItem:
    """One item with fewer ratings than wanted.

    Args:
        item: The item, as it is served.
        collected: People who rated it.
        kept: People whose rating cleaning kept.
        wanted: Ratings to collect from people who are new.
    """

    item: str
    collected: int
    kept: int
    wanted: int


ROUNDS = Table("rounds", ShortItem, key=("item",))


def short_items(
    ratings: pl.DataFrame,
    kept: pl.DataFrame,
    items: pl.DataFrame,
    *,
    target: int,
    question: str | None = None,
) -> pl.DataFrame:
    """Return the items that have fewer ratings than the target, with what they lack.

    Answers about candidates count for the item that is served with them.

    Args:
        ratings: All that was collected.
        kept: What cleaning kept of it.
        items: All items; checks are not topped up.
        target: Target number of ratings per item.
        question: The question whose answers count (default: the one answered most often).
    """
    served = _served(items)
    judged = items.filter(pl.col("kind") == "item").select("item").join(served, on="item")
    names = judged.select(pl.col("served").alias("item")).unique()
    asked = question if question in set(ratings["question"]) else _most_answered(ratings)
    counted = [
        part.filter(pl.col("question") == asked)
        .join(served, on="item")
        .group_by(pl.col("served").alias("item"))
        .agg(pl.col("annotator").n_unique().cast(pl.Int64).alias(name))
        for name, part in (("collected", ratings), ("kept", kept))
    ]
    for part in counted:
        names = names.join(part, on="item", how="left")
    short = names.with_columns(pl.col("collected", "kept").fill_null(0)).with_columns(
        wanted=target - pl.col("kept")
    )
    return ROUNDS.sort(ROUNDS.check(short.filter(pl.col("wanted") > 0)))


def _served(items: pl.DataFrame) -> pl.DataFrame:
    """Return each item with the one it is served with."""
    if not {"source", "candidate"} <= set(items.columns):
        return items.select("item", served=pl.col("item"))
    own = pl.when(pl.col("candidate").is_not_null()).then("source").otherwise("item")
    return items.select("item", served=own)


def _most_answered(ratings: pl.DataFrame) -> str | None:
    counts = ratings.group_by("question").len().sort("len", "question", descending=[True, False])
    return None if counts.is_empty() else str(counts["question"][0])


def lacking(rounds: pl.DataFrame) -> str:
    """Return in words what a further round has to collect."""
    if rounds.is_empty():
        return "top-up: no item lacks ratings."
    return (
        f"top-up: {rounds.height} items lack {rounds['wanted'].sum()} ratings (rounds.parquet). "
        "Serve the study again, and new people get them."
    )


def require_target(top_up: bool, target: int | None) -> None:
    """Raise if a further round is requested without the number of ratings per item."""
    if top_up and target is None:
        what = (
            f"{option('top_up')} needs {option('target')}: the target number of ratings per item."
        )
        raise StudyError(what, parameter="target")
    if target is not None and (target < 1 or not top_up):
        what = (
            f"{option('target')} must be 1 or more; got {target}."
            if target < 1
            else f"{option('target')} is only for {option('top_up')}. Add that, or leave it out."
        )
        raise StudyError(what, parameter="target")
