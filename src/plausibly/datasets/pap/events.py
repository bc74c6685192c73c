"""The form PAP is released in: one row per event, its ratings and what was computed of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from plausibly.datasets.pap import ORIGINALS, QUESTION, SCALE
from plausibly.errors import Problem, StudyError, TableError
from plausibly.io import Rows, json_value, read_rows, renamed, text_rows, write_frame
from plausibly.io.imported import Imported, one_question, values_of
from plausibly.tables import ITEMS, RATINGS

COLUMNS = ("event", "original_label", "abstractness_combination", "rating")
COMBINATION = "^[amc]-[amc]-[amc]$"
MAJORITIES = ("majority_multiclass", "majority_binary")
LISTS = {"distribution_multiclass": 4, "distribution_binary": 2}


def read_pap(path: Path, *, names: Mapping[str, str]) -> Imported:
    """Return ratings and items from the released table; an event is its own item name.

    The release has no annotator ids: every rating gets one of its own, so that measures over
    pairs of annotators compare single ratings and nothing is said about people.
    """
    rows = text_rows(renamed(read_rows(path), names))
    missing = [column for column in COLUMNS if column not in rows.frame.columns]
    if missing:
        raise TableError(
            f"{path}: no column {missing[0]!r}. Columns found: {', '.join(rows.frame.columns)}."
        )
    events = rows.frame.select(COLUMNS)
    lists = [_ratings(text) for text in events["rating"]]
    rows.reject(_problems(events, lists))
    items = _items(events)
    ratings = _long(events["event"], [given for given in lists if given is not None])
    return Imported(RATINGS.sort(RATINGS.check(ratings)), items=ITEMS.sort(ITEMS.check(items)))


def _ratings(text: str | None) -> list[int] | None:
    """Return the list a cell holds, or None if it is not a list of ratings from 1 to 5."""
    given = json_value(text or "")
    sound = isinstance(given, list) and all(
        type(rating) is int and rating in SCALE for rating in given
    )
    return given if sound else None


def _problems(events: pl.DataFrame, lists: list[list[int] | None]) -> list[Problem]:
    found: list[Problem] = []
    seen: set[str] = set()
    for row, (event, label, _, cell) in enumerate(events.iter_rows()):
        if event is None or len(event.split()) != 3:
            found.append(Problem(row, f"event {event!r} is not three words"))
        elif event in seen:
            found.append(Problem(row, f"more than one row for event {event!r}"))
        elif label not in ORIGINALS:
            found.append(Problem(row, f"original_label {label!r} is not plausible or implausible"))
        elif lists[row] is None:
            found.append(Problem(row, f"rating {cell!r} is not a list of numbers from 1 to 5"))
        seen.add(event)
    return found


def _items(events: pl.DataFrame) -> pl.DataFrame:
    words = pl.col("event").str.split(" ")
    return events.select(
        item="event",
        text="event",
        condition=pl.col("original_label").replace_strict(ORIGINALS),
        kind=pl.lit("item"),
        expected=pl.lit(None, dtype=pl.String),
        combination="abstractness_combination",
        subject=words.list.get(0),
        verb=words.list.get(1),
        object=words.list.get(2),
    )


def _long(events: pl.Series, lists: list[list[int]]) -> pl.DataFrame:
    frame = pl.DataFrame({"item": events, "answer": pl.Series(lists, dtype=pl.List(pl.Int64))})
    long = frame.explode("answer", empty_as_null=False).with_columns(
        pl.col("answer").cast(pl.String)
    )
    digits = len(str(long.height))
    nobody = pl.int_range(1, pl.len() + 1).cast(pl.String).str.zfill(digits)
    return long.with_columns(
        annotator=pl.lit("unknown-") + nobody,
        question=pl.lit(QUESTION),
        value=values_of(long["answer"]),
    )


def read_computed(path: Path) -> pl.DataFrame:
    """Return the columns the authors computed, lists as lists."""
    rows = read_rows(path)
    missing = [name for name in (*LISTS, *MAJORITIES) if name not in rows.frame.columns]
    if missing:
        raise TableError(
            f"{path}: no column {missing[0]!r}. Columns found: {', '.join(rows.frame.columns)}."
        )
    combinations = rows.frame["abstractness_combination"].fill_null("").str.contains(COMBINATION)
    wrong = "abstractness_combination is not three of a, m, c joined by '-'"
    rows.reject([Problem(row, wrong) for row in (~combinations).arg_true()])
    lists = {name: _lists(rows, name, length) for name, length in LISTS.items()}
    return rows.frame.select(
        item="event", **{name: pl.col(name) for name in MAJORITIES}
    ).with_columns(**lists)


def _lists(rows: Rows, name: str, length: int) -> pl.Series:
    parsed = [_numbers(text, length) for text in rows.frame[name]]
    wrong = f"{name} is not a list of {length} numbers"
    rows.reject([Problem(row, wrong) for row, numbers in enumerate(parsed) if numbers is None])
    return pl.Series(name, parsed, dtype=pl.List(pl.Float64))


def _numbers(text: str | None, length: int) -> list[float] | None:
    given = json_value(text or "")
    sound = isinstance(given, list) and len(given) == length
    return [float(number) for number in given] if sound else None


def write_pap(ratings: pl.DataFrame, path: Path, *, items: pl.DataFrame | None = None) -> None:
    """Write one row per event with the list of its ratings, attested events first."""
    ratings = one_question(RATINGS.check(ratings), form="pap")
    if items is None or "combination" not in items.columns:
        raise StudyError(
            "the pap format holds conditions and combinations. Pass the items table that has them."
        )
    originals = {condition: label for label, condition in ORIGINALS.items()}
    odd = ITEMS.check(items).filter(
        pl.col("kind") == "item", ~pl.col("condition").is_in(list(originals)).fill_null(value=False)
    )
    strangers = ratings.join(items, on="item", how="anti")
    if odd.height or strangers.height:
        raise StudyError(
            f"the pap format holds events that are {' or '.join(originals)}. {odd.height} items "
            f"are "
            f"neither and {strangers.height} ratings are of items the items table does not have. "
            "Pass the table with all items and their conditions."
        )
    lists = RATINGS.sort(ratings).group_by("item", maintain_order=True).agg(rating="answer")
    events = ITEMS.check(items).filter(pl.col("kind") == "item").join(lists, on="item")
    written = events.sort("condition", "item").select(
        event="text",
        original_label=pl.col("condition").replace_strict(originals),
        abstractness_combination="combination",
        rating=pl.format("[{}]", pl.col("rating").list.join(", ")),
    )
    write_frame(written, path)


def read_checks(path: Path) -> pl.DataFrame:
    """Return the published check instances: their text, what was expected, whether withdrawn."""
    rows = read_rows(path)
    rows.reject([])
    return rows.frame
