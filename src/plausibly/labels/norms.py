"""Norms: one score per item, adjusted for who rated it, as psycholinguists cite them."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from plausibly.errors import StudyError
from plausibly.labels.adjusted import adjusted

SCALES = ("ordinal", "interval")
SCHEMA = {
    "item": pl.String(),
    "question": pl.String(),
    "score": pl.Float64(),
    "se": pl.Float64(),
    "n": pl.Int64(),
}


def norms(
    ratings: pl.DataFrame, scales: Mapping[str, str | None]
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return item, question, score, its standard error and n, and what has no scores and why.

    Args:
        ratings: The ratings table, without checks.
        scales: From a question to its scale; only ordinal and interval ones have scores.

    >>> table = pl.DataFrame({"item": ["t1", "t1", "t2", "t2"], "annotator": ["a", "b"] * 2,
    ...                       "question": ["fit"] * 4, "answer": list("1325"),
    ...                       "value": [1.0, 3.0, 2.0, 5.0]})
    >>> norms(table, {"fit": "ordinal"})[0]["item", "n"].rows()
    [('t1', 2), ('t2', 2)]
    """
    tables, notes = [pl.DataFrame(schema=SCHEMA)], []
    for question in sorted(name for name, scale in scales.items() if scale in SCALES):
        own = ratings.filter((pl.col("question") == question) & pl.col("value").is_not_null())
        if own.is_empty():
            notes.append(f"{question}: no answer is a number, so there are no norms.")
            continue
        try:
            fitted = adjusted(own)
        except StudyError as error:
            notes.append(f"{question}: there are no norms: {error}")
            continue
        notes += fitted.warnings
        counts = fitted.labels.select("item", "question", n=pl.col("ratings").cast(pl.Int64))
        if fitted.positions is not None:
            scores = fitted.positions.rename({"position": "score"})
            tables.append(scores.join(counts, on=["item", "question"]).select(list(SCHEMA)))
    return pl.concat(tables).sort("question", "item"), tuple(notes)
