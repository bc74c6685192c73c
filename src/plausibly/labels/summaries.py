"""Labels as people and documents show them: shares, ranges, positions, reliability."""

from __future__ import annotations

import polars as pl

from plausibly.labels.results import Fitted


def positions_of(
    positions: pl.DataFrame | None, question: str
) -> dict[str, dict[str, float | None]] | None:
    """Return the place of each item with its interval, where the method has places."""
    if positions is None:
        return None
    own = positions.filter(pl.col("question") == question).drop("question")
    return {row.pop("item"): row for row in own.iter_rows(named=True)}


def reliability_of(fitted: Fitted | None, question: str) -> dict[str, float | None]:
    """Return the reliability of scores, where the method has one."""
    if fitted is None or fitted.reliability is None:
        return {}
    return {"reliability": fitted.reliability.get(question)}


def shrinkage_of(fitted: Fitted | None, question: str) -> dict[str, object]:
    """Return how far values are shrunk and towards what, where the method shrinks."""
    if fitted is None or fitted.shrinkage is None or question not in fitted.shrinkage:
        return {}
    return {"shrinkage": fitted.shrinkage[question].as_json()}


def shrinkage_sentences(fitted: Fitted | None) -> list[str]:
    """Return the same in words, one sentence for each question whose values are not raw."""
    known = {} if fitted is None or fitted.shrinkage is None else fitted.shrinkage
    return [one.sentence(name) for name, one in known.items() if one.error is not None]


def spread_of(labels: pl.DataFrame) -> pl.DataFrame:
    """Return how many items each question has, and the range of their numbers."""
    number = pl.col("label").cast(pl.Float64)
    summary = labels.group_by("question").agg(
        items=pl.len(), lowest=number.min(), mean=number.mean(), highest=number.max()
    )
    return summary.sort("question")


def shares_of(labels: pl.DataFrame) -> pl.DataFrame:
    """Return how often each label was given, by question."""
    share = (pl.col("items") / pl.col("items").sum().over("question")).alias("share")
    counted = labels.group_by("question", "label").agg(items=pl.len()).with_columns(share)
    return counted.sort("question", "items", "label", descending=[False, True, False])
