"""Rows that repeat a rating: exact copies are dropped, of others you choose one or the mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from plausibly.errors import option
from plausibly.io.choices import Duplicates, reading_now
from plausibly.io.rows import Rows
from plausibly.tables import RATINGS

# The names of rows that R and pandas write in a column without a header, as they are read.
_ROW_NAMES = ("", "column_0", "Unnamed: 0")
_KEPT = {
    "first": "the first of them was kept",
    "last": "the last of them was kept",
    "mean": "their mean was kept",
}


def without_duplicates(rows: Rows) -> tuple[Rows, pl.Series]:
    """Return rows with one rating per item, annotator and question, and which rows are left.

    Exact copies of a row are dropped and counted. Of rows that differ, one is kept as chosen for
    the file that is being read; where nothing was chosen, they are broken rows.

    Args:
        rows: Rows with item, annotator, question, answer and value.
    """
    frame = rows.frame
    if not {*RATINGS.key} <= {*frame.columns} or not RATINGS.repeats(frame).any():
        return rows, pl.repeat(True, frame.height, eager=True)
    copies = _copies(frame)
    distinct = rows.filtered(~copies)
    if count := int(copies.sum()):
        what = "1 exact copy of a row was" if count == 1 else f"{count} exact copies of rows were"
        distinct = replace(distinct, notes=(*distinct.notes, f"{rows.path}: {what} dropped."))
    repeats = RATINGS.repeats(distinct.frame)
    if not repeats.any():
        return distinct, ~copies
    now = reading_now()
    chosen, left = _chosen(distinct, repeats, now.choices.duplicates if now else "stop")
    numbers = (~copies).arg_true().filter(left)
    return chosen, pl.int_range(frame.height, eager=True).is_in(numbers.implode())


def _copies(frame: pl.DataFrame) -> pl.Series:
    """Mark each row that equals an earlier one in every cell except its name."""
    cells = [c for c in frame.columns if c not in _ROW_NAMES and not frame[c].dtype.is_nested()]
    again = ~frame.select(pl.struct(cells).is_first_distinct()).to_series()
    return again & RATINGS.repeats(frame)


def _chosen(rows: Rows, repeats: pl.Series, duplicates: Duplicates) -> tuple[Rows, pl.Series]:
    if duplicates == "stop":
        return _broken(rows, repeats, repeats.arg_true().to_list()), ~repeats
    count = int(repeats.sum())
    what = "1 row contradicts" if count == 1 else f"{count} rows contradict"
    note = f"{rows.path}: {what} an earlier row of the same rating: {_KEPT[duplicates]}."
    rows = replace(rows, notes=(*rows.notes, note))
    if duplicates == "mean":
        return _means(rows, repeats), ~repeats
    left = ~repeats
    if duplicates == "last":
        whole = pl.all_horizontal(pl.col(RATINGS.key).is_not_null())
        is_last = pl.struct(RATINGS.key).is_last_distinct()
        left = rows.frame.select((is_last | ~whole).alias("left")).to_series()
    return rows.filtered(left), left


def _broken(rows: Rows, repeats: pl.Series, numbers: Sequence[int], why: str = "") -> Rows:
    """Return the rows without repeats; the rows of these numbers are broken."""
    row = pl.int_range(pl.len())
    first = rows.frame.select(row.min().over(RATINGS.key).alias("first"))["first"]
    lines = rows.locate([*numbers, *(first[number] for number in numbers)])
    advice = why or f"Read the file with {option('duplicates')} first, last or mean"
    broken = []
    for number, line, earlier in zip(
        numbers, lines[: len(numbers)], lines[len(numbers) :], strict=True
    ):
        named = ", ".join(f"{column}={rows.frame[column][number]!r}" for column in RATINGS.key)
        where = f"lines {earlier} and {line} differ"
        broken.append((line, f"more than one row for {named}: {where}. {advice}"))
    return replace(rows.filtered(~repeats), broken=(*rows.broken, *broken))


def _means(rows: Rows, repeats: pl.Series) -> Rows:
    """Return the first row of each rating, with the mean of all its answers."""
    value = pl.col("value").cast(pl.Float64, strict=False)
    means = rows.frame.select(
        mean=value.mean().over(RATINGS.key),
        whole=value.is_not_null().all().over(RATINGS.key),
        several=(pl.len().over(RATINGS.key) > 1)
        & pl.all_horizontal(pl.col(RATINGS.key).is_not_null()),
    )
    words = (repeats & ~means["whole"]).arg_true().to_list()
    if words:
        why = f"Answers that are not numbers have no mean; use {option('duplicates')} first or last"
        return _broken(rows, repeats, words, why)
    several = means["several"]
    numbers = means["mean"].to_list()
    texts = pl.Series(
        [None if n is None else repr(n).removesuffix(".0") for n in numbers], dtype=pl.String
    )
    frame = rows.frame.with_columns(
        answer=pl.when(several).then(texts).otherwise(pl.col("answer")),
        value=pl.when(several).then(means["mean"]).otherwise(value),
    )
    return replace(rows, frame=frame).filtered(~repeats)
