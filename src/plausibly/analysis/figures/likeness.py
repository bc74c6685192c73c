"""How each person's answers go with the others': equal answers, or numbers that rise together."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from plausibly.analysis.figures.drawing import Axis

MOST_EQUAL = 12
"""Different answers up to which people can be expected to give equal ones."""
FEWEST = 3  # ratings from which a correlation is computed
KEYS = ("item", "question")
DIGITS = 10
"""Means are rounded to this: sums of floats depend on how many threads shared the work."""


@dataclass(frozen=True, eq=False)
class Likeness:
    """How people's answers go with the others'.

    Args:
        table: annotator, ratings (of items that others rated too) and alike.
        axis: The scale of `alike`.
        words: What it is, as part of a sentence.
    """

    table: pl.DataFrame
    axis: Axis
    words: str


def likeness(collected: pl.DataFrame) -> Likeness:
    """Return the share of others with the same answer; for many numbers, the correlation.

    A slider with 101 positions has few equal answers, however far people agree: there it is the
    correlation of a person's answers with the mean of the others'.
    """
    total = pl.len().over(KEYS)
    shared = collected.with_columns(all=total).filter(pl.col("all") > 1)
    different = collected.select(pl.col("answer").n_unique().over("question").max()).item()
    many = collected.height > 0 and different > MOST_EQUAL
    if many and "value" in collected.columns and collected["value"].null_count() == 0:
        return _correlated(shared)
    alike = (pl.len().over(*KEYS, "answer") - 1) / (pl.col("all") - 1)
    table = (
        shared.with_columns(alike=alike)
        .group_by("annotator")
        .agg(ratings=pl.len(), alike=pl.col("alike").mean().round(DIGITS))
    )
    return Likeness(
        table.sort("annotator"),
        Axis("share of others who answer alike", 0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0)),
        "what share of the others gave the same answer to the same item",
    )


def _correlated(shared: pl.DataFrame) -> Likeness:
    value = pl.col("value")
    others = (value.sum().over(KEYS) - value) / (pl.col("all") - 1)
    correlation = pl.corr("value", "others").round(6)
    table = (
        shared.with_columns(others=others)
        .group_by("annotator")
        .agg(ratings=pl.len(), alike=correlation)
        .filter((pl.col("ratings") >= FEWEST) & pl.col("alike").is_finite())
    )
    return Likeness(
        table.sort("annotator"),
        Axis("correlation with the others", -1.0, 1.0, (-1.0, -0.5, 0.0, 0.5, 1.0)),
        "the correlation of their answers with the mean of the others' on the same items",
    )
