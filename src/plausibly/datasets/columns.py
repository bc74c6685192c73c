"""Loads any other table by the names of its columns.

Columns are matched by our names, ignoring case and outer spaces, or by a map from our name to the
file's. The columns present determine the tables:

- `text`, or `subject`, `verb` and `object`: items. `item` names them, else the row does. Columns of
  the file with other names are kept.
- `label`: labels, with `question` (else "label") and `method` (else "released").
- `annotator` and `answer`: ratings, with `question` (else "rating") and `value`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from plausibly.datasets.events import WORDS
from plausibly.errors import TableError, option
from plausibly.io import Rows, read_rows, renamed
from plausibly.io.imported import QUESTION, values_of
from plausibly.tables import ITEMS, LABELS, RATINGS, text_column

KNOWN = (
    *("item", "text", "condition", "kind", "expected", *WORDS),
    *("label", "question", "method", "annotator", "answer", "value"),
)


def column_tables(path: Path, *, names: Mapping[str, str]) -> dict[str, pl.DataFrame]:
    """Return the tables that a file's columns make up.

    Args:
        path: The file, of any type that we read tables from.
        names: The file's name for each of our columns, if different.
    """
    rows = renamed(read_rows(path), {**_spelt(read_rows(path).frame.columns), **names})
    rows.reject([])
    frame = _identified(rows)
    tables: dict[str, pl.DataFrame] = {}
    if "text" in frame.columns:
        tables["items"] = _items(frame)
    if {"annotator", "answer"} <= set(frame.columns):
        tables["ratings"] = _ratings(frame)
    elif "label" in frame.columns:
        tables["labels"] = _labels(frame)
    if not tables:
        raise TableError(
            f"{path}: nothing to load. Expected text (or subject, verb, object), label, or "
            f"annotator and answer; map other names with {option('columns')}. Columns found: "
            f"{', '.join(rows.frame.columns)}."
        )
    return tables


def _spelt(columns: list[str]) -> dict[str, str]:
    """Return our columns that the file writes with capitals or spaces."""
    plain = {name.strip().casefold(): name for name in columns}
    return {ours: plain[ours] for ours in KNOWN if ours in plain and plain[ours] != ours}


def _identified(rows: Rows) -> pl.DataFrame:
    frame = rows.frame
    if "text" not in frame.columns and set(WORDS) <= set(frame.columns):
        frame = frame.with_columns(text=pl.concat_str(*WORDS, separator=" "))
    if "item" not in frame.columns:
        if "annotator" in frame.columns:
            raise TableError(f"{rows.path}: no column 'item' to assign answers to.")
        digits = len(str(frame.height))
        number = pl.int_range(1, pl.len() + 1).cast(pl.String).str.zfill(digits)
        frame = frame.with_columns(item=number)
    return frame.with_columns(text_column(frame["item"]))


def _items(frame: pl.DataFrame) -> pl.DataFrame:
    about_answers = ("label", "question", "method", "annotator", "answer", "value")
    own = frame.drop(name for name in about_answers if name in frame.columns)
    if "annotator" in frame.columns:
        own = own.unique("item", keep="first", maintain_order=True)
    return ITEMS.sort(ITEMS.check(own))


def _ratings(frame: pl.DataFrame) -> pl.DataFrame:
    if "question" not in frame.columns:
        frame = frame.with_columns(question=pl.lit(QUESTION))
    answers = text_column(frame["answer"])
    value = frame["value"] if "value" in frame.columns else values_of(answers)
    ratings = frame.select("item", "annotator", "question").with_columns(
        answer=answers, value=value.alias("value")
    )
    return RATINGS.sort(RATINGS.check(ratings))


def _labels(frame: pl.DataFrame) -> pl.DataFrame:
    fields = {"question": "label", "method": "released"}
    own = {name: pl.lit(default) for name, default in fields.items() if name not in frame.columns}
    labels = frame.with_columns(text_column(frame["label"]), **own).select(
        "item", "question", "method", "label", ratings=pl.lit(0, dtype=pl.Int64)
    )
    return LABELS.sort(LABELS.check(labels))
