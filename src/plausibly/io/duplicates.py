"""Rows that repeat a rating: copies are dropped, later ones are retests, of others you choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import polars as pl

from plausibly.errors import option
from plausibly.io.choices import Duplicates, reading_now
from plausibly.io.rows import Rows
from plausibly.tables import RATINGS

# The names of rows that R and pandas write in a column without a header, as they are read.
ROW_NAMES = ("", "column_0", "Unnamed: 0")
AGAIN = "@again"  # what an item is called that the same person judged again
RETEST = "retest"  # the kind of such a rating
_TIMES = ("started", "submitted", "batch")  # a person who came again did so later
_SENTENCES = {
    "copies": ("1 exact copy of a row was", "exact copies of rows were", "dropped."),
    "retests": (
        "1 rating was",
        "ratings were",
        f"given again at another time and kept as retests ({AGAIN}).",
    ),
}
_KEPT = {
    "first": "the first of them was kept",
    "last": "the last of them was kept",
    "mean": "their mean was kept",
}


def without_duplicates(rows: Rows) -> tuple[Rows, pl.Series]:
    """Return rows with one rating per item, annotator and question, and which rows are left.

    Exact copies of a row are dropped and counted. Of rows that differ, one is kept as chosen for
    the file that is being read. Where nothing was chosen, a row with another time is a retest, and
    one that contradicts another at the same time is broken.

    Args:
        rows: Rows with item, annotator, question, answer and value.
    """
    frame = rows.frame
    if not {*RATINGS.key} <= {*frame.columns} or not RATINGS.repeats(frame).any():
        return rows, pl.repeat(True, frame.height, eager=True)
    copies = _copies(frame)
    distinct = rows.filtered(~copies)
    distinct = with_note(distinct, "copies", int(copies.sum()))
    now = reading_now()
    choice = now.choices.duplicates if now else "stop"
    distinct = _with_retests(distinct) if choice == "stop" else distinct
    repeats = RATINGS.repeats(distinct.frame)
    if not repeats.any():
        return distinct, ~copies
    chosen, left = _chosen(distinct, repeats, choice)
    numbers = (~copies).arg_true().filter(left)
    return chosen, pl.int_range(frame.height, eager=True).is_in(numbers.implode())


def _copies(frame: pl.DataFrame) -> pl.Series:
    """Mark each row that equals an earlier one in every cell except its name."""
    cells = [c for c in frame.columns if c not in ROW_NAMES and not frame[c].dtype.is_nested()]
    again = ~frame.select(pl.struct(cells).is_first_distinct()).to_series()
    return again & RATINGS.repeats(frame)


def _with_retests(rows: Rows) -> Rows:
    """Return the rows with an item of its own for each rating that was given again later."""
    frame = rows.frame
    times = [name for name in _TIMES if name in frame.columns]
    repeats = RATINGS.repeats(frame)
    if not times or not repeats.any():
        return rows
    first = frame.select(pl.struct(times).first().over(RATINGS.key).alias("first"))["first"]
    known = frame.select(pl.all_horizontal(pl.col(times).is_not_null()).alias("known"))["known"]
    second = frame.select(pl.int_range(pl.len()).over(RATINGS.key).alias("place"))["place"] == 1
    later = repeats & second & known & (frame.select(pl.struct(times)).to_series() != first)
    if not later.any():
        return rows
    kind = pl.col("kind").fill_null("item") if "kind" in frame.columns else pl.lit("item")
    frame = frame.with_columns(
        item=pl.when(later).then(pl.col("item") + AGAIN).otherwise(pl.col("item")),
        kind=pl.when(later).then(pl.lit(RETEST)).otherwise(kind),
    )
    return with_note(replace(rows, frame=frame), "retests", int(later.sum()))


def with_retest_items(ratings: pl.DataFrame, items: pl.DataFrame) -> pl.DataFrame:
    """Return the items table with a row for each item that was judged again."""
    again = ratings.filter(pl.col("item").str.ends_with(AGAIN)).select("item").unique()
    again = again.join(items.select("item"), on="item", how="anti")
    if again.is_empty():
        return items
    retests = again.with_columns(first=pl.col("item").str.strip_suffix(AGAIN)).join(
        items.rename({"item": "first"}), on="first"
    )
    rows = retests.with_columns(kind=pl.lit(RETEST)).select(items.columns)
    return pl.concat([items, rows]).sort("item")


def with_note(rows: Rows, what: Literal["retests", "copies"], count: int) -> Rows:
    """Return rows with a note on what repeats a rating; they are counted."""
    _count(what, count)
    one, many, end = _SENTENCES[what]
    note = f"{rows.path}: {one if count == 1 else f'{count} {many}'} {end}"
    return replace(rows, notes=(*rows.notes, note)) if count else rows


def _count(what: str, count: int) -> None:
    now = reading_now()
    if now is not None and count:
        now.duplicates[what] += count


def _chosen(rows: Rows, repeats: pl.Series, duplicates: Duplicates) -> tuple[Rows, pl.Series]:
    if duplicates == "stop":
        return _broken(rows, repeats, repeats.arg_true().to_list()), ~repeats
    count = int(repeats.sum())
    _count("differing", count)
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
    numbered = rows.frame.select(RATINGS.key).with_row_index("row")
    first = numbered.select(pl.col("row").min().over(RATINGS.key))["row"]
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
