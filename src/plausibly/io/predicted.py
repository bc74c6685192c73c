"""Predictions as they are read: a table about one question need not name it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from plausibly.errors import TableError
from plausibly.io import read_rows
from plausibly.io.files import check_rows
from plausibly.io.frames import Source, as_frame
from plausibly.tables import PREDICTIONS

QUESTION = "question"
SAID = ("label", "score", "distribution")


def predictions_table(source: Source, questions: Sequence[str] = ("rating",)) -> pl.DataFrame:
    """Return a predictions table; where it has no column question, the only question is meant.

    Args:
        source: A file or a table.
        questions: What people were asked, without texts.

    Raises:
        TableError: If no column has predictions.

    >>> said = pl.DataFrame({"item": ["t1"], "model": ["m"], "score": [0.5]})
    >>> predictions_table(said, ["natural"])["question"].item()
    'natural'
    """
    if isinstance(source, str | Path):
        rows = read_rows(Path(source))
        return check_rows(replace(rows, frame=_asked(rows.frame, questions)), PREDICTIONS)
    frame = _asked(as_frame(source, where=PREDICTIONS.name), questions)
    return PREDICTIONS.sort(PREDICTIONS.check(frame))


def _asked(frame: pl.DataFrame, questions: Sequence[str]) -> pl.DataFrame:
    if not set(SAID) & set(frame.columns):
        raise TableError(
            f"predictions: none of the columns {', '.join(SAID)}. Rename the one with the "
            f"prediction. Columns found: {', '.join(frame.columns)}."
        )
    if QUESTION in frame.columns or not questions:
        return frame
    if len(questions) > 1:
        raise TableError(
            f"predictions: no column {QUESTION!r}, and people answered {len(questions)} questions "
            f"({', '.join(questions)}). Add the column, with the question that is predicted."
        )
    return frame.with_columns(pl.lit(questions[0]).alias(QUESTION))
