"""The long form: one row per answer, columns item, annotator, answer and more."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from plausibly.errors import TableError
from plausibly.io import Rows, check_rows, read_rows, renamed, write_table
from plausibly.io.imported import QUESTION, Imported, values_of
from plausibly.tables import RATINGS


def read_long(path: Path, *, names: Mapping[str, str]) -> Imported:
    """Return ratings from a table with item, annotator and answer.

    `question` defaults to "rating" and `value` to the number the answer stands for.
    """
    return Imported(long_ratings(renamed(read_rows(path), names)))


def long_ratings(rows: Rows) -> pl.DataFrame:
    """Return checked ratings from rows that may lack question and value."""
    frame = rows.frame
    if "question" not in frame.columns:
        frame = frame.with_columns(question=pl.lit(QUESTION))
    else:
        frame = frame.with_columns(pl.col("question").fill_null(QUESTION))
    if "answer" in frame.columns and "value" not in frame.columns:
        frame = frame.with_columns(value=values_of(_text(rows, frame["answer"])))
    return check_rows(Rows(rows.path, frame, rows.broken, rows.locate), RATINGS)


def _text(rows: Rows, answers: pl.Series) -> pl.Series:
    try:
        return answers.cast(pl.String)
    except pl.exceptions.PolarsError as error:
        raise TableError(
            f"{rows.path}: column 'answer' holds {answers.dtype}. Expected text or numbers; "
            "write a set as one text, such as i;iii."
        ) from error


def write_long(ratings: pl.DataFrame, path: Path, *, items: pl.DataFrame | None = None) -> None:
    """Write every column of the ratings, one row per answer."""
    del items
    write_table(ratings, path, RATINGS)
