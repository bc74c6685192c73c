"""The long form: one row per answer, columns item, annotator, answer and more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl

from plausibly.errors import TableError, option
from plausibly.io import Rows, read_rows, renamed, write_table
from plausibly.io.answers import imported_answers
from plausibly.io.dialect import proposal, recognised
from plausibly.io.imported import QUESTION, Imported
from plausibly.io.missing import MISSING, Missing
from plausibly.tables import RATINGS, text_column

NEEDED = ("item", "annotator", "answer")


def read_long(path: Path, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings from a table with item, annotator and answer.

    `question` defaults to "rating" and `value` to the number the answer stands for. Headers may
    differ from ours in case and spaces.
    """
    return long_ratings(renamed(read_rows(path), names), missing=missing)


def long_ratings(rows: Rows, *, missing: Missing = MISSING) -> Imported:
    """Return checked ratings from rows that may lack question and value."""
    rows = recognised(rows, (*RATINGS.schema, *RATINGS.optional, "kind"))
    _require(rows)
    texts = [c for c in (*NEEDED, "question") if c in rows.frame.columns]
    frame = rows.frame.with_columns(_text(rows, column) for column in texts)
    question = pl.col("question").fill_null(QUESTION) if "question" in texts else pl.lit(QUESTION)
    return imported_answers(
        replace(rows, frame=frame.with_columns(question=question)), missing=missing
    )


def _require(rows: Rows) -> None:
    """Raise where a column is missing, and say how to name the one that may be it."""
    columns = rows.frame.columns
    lacking = [column for column in NEEDED if column not in columns]
    if not lacking:
        return
    if rows.frame.is_empty():
        rows.reject([])
    named = ", ".join(proposal(columns, column) for column in lacking)
    wide = f" One row per person, one column per item? Then {option('format')} is wide."
    raise TableError(
        f"{rows.path}: no column {lacking[0]!r}. Columns found: {', '.join(columns) or 'none'}. "
        f"Name it with {option('columns')} ({named}).{wide if len(lacking) > 1 else ''}"
    )


def _text(rows: Rows, column: str) -> pl.Series:
    series = rows.frame[column]
    if series.dtype.is_nested():
        raise TableError(
            f"{rows.path}: column {column!r} holds {series.dtype}. Expected text or numbers; "
            "write a set as one text, such as i;iii."
        )
    try:
        return text_column(series)
    except TableError as error:
        raise TableError(f"{rows.path}: {error}") from error


def write_long(ratings: pl.DataFrame, path: Path, *, items: pl.DataFrame | None = None) -> None:
    """Write every column of the ratings, one row per answer."""
    del items
    write_table(ratings, path, RATINGS)
