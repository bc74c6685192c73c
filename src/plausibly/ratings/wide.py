"""The wide form: one row per person, one column per item, as survey tools export it.

Read are exports of Qualtrics (with the row of labels and the row of import ids below the header,
or without), of Google Forms, and any table with one column per item. The item is named by its
header, its text is the label where there is one, the question is "rating".

Whose row it is says `PROLIFIC_PID`, else `ResponseId`, else the number of the row; `--columns
annotator=COLUMN` names another. Which columns are items is guessed and reported: not those a survey
tool adds, not what asks about the person, and not free text. `--columns item=Q1,Q2` or
`--columns 'item=Q*'` names them. Where Qualtrics wrote import ids, they decide which columns are
questions (QID…): metadata (`Q_…`) and embedded data are never items.

Previews and unfinished responses are left out and counted. `seconds` is the duration of the
response, shared out evenly among its items; the annotators table has the whole of it. Addresses,
places, names and mail are never stored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from plausibly.errors import StudyError, TableError
from plausibly.io import Rows, read_rows, text_rows
from plausibly.io.answers import imported_answers
from plausibly.io.dialect import spelling
from plausibly.io.imported import QUESTION, Imported
from plausibly.io.missing import MISSING, Missing
from plausibly.measures.timed import TOGETHER
from plausibly.ratings.wide_columns import Columns, chosen_columns
from plausibly.tables import ANNOTATORS, ITEMS

MAPPED = ("item", "annotator", "started", "submitted", "seconds")
IMPORT_ID = re.compile(r"""^\s*\{\s*["']ImportId["']\s*:\s*["']([^"']*)""")
QUESTION_ID = re.compile(r"(^|_)QID\d")  # 1_QID3 is a question in a loop
PREVIEWS = ("survey preview", "1", "9", "spam preview", "survey test", "2")


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The rows of people, and what is written above them.

    Args:
        rows: The rows of people.
        labels: The text of each column.
        asked: The columns that are questions by their import ids; None where there are no such ids.
    """

    rows: Rows
    labels: Mapping[str, str]
    asked: frozenset[str] | None = None


def read_wide(path: Path, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings, items and annotators from an export with one row per person."""
    return wide_ratings(text_rows(read_rows(path)), names=names, missing=missing)


def wide_ratings(rows: Rows, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings, items and annotators from rows with one person each."""
    path = rows.path
    unknown = [ours for ours in names if ours not in MAPPED]
    if unknown:
        raise StudyError(f"the wide form has no {unknown[0]!r} to map. Known: {', '.join(MAPPED)}.")
    rows.reject([])
    sheet = _sheet(rows)
    people, notes = _finished(sheet.rows)
    columns = chosen_columns(people.frame, names, path, asked=sheet.asked)
    long = _long(people, columns)
    imported = imported_answers(long, missing, column="item")
    return replace(
        imported,
        items=_items(columns, sheet.labels),
        annotators=_annotators(people, columns),
        notes=(columns.told(path), *notes, *imported.notes),
    )


def _sheet(rows: Rows) -> _Sheet:
    """Return the rows of people without the labels and import ids Qualtrics puts above them."""
    above = rows.frame.head(3)
    import_ids = (_import_ids(row) for row in above.iter_rows(named=True))
    number, ids = next(((n, ids) for n, ids in enumerate(import_ids) if ids), (None, {}))
    if number is None:
        return _Sheet(rows, {})
    labels = above.row(number - 1, named=True) if number else {}
    below = pl.int_range(rows.frame.height, eager=True) > number
    texts = {name: " ".join(text.split()) for name, text in labels.items() if text}
    asked = frozenset(name for name, import_id in ids.items() if QUESTION_ID.search(import_id))
    return _Sheet(rows.filtered(below), texts, asked or None)


def _import_ids(row: Mapping[str, str | None]) -> dict[str, str]:
    """Return the import id of each column whose cell holds one."""
    matches = {name: IMPORT_ID.match(cell or "") for name, cell in row.items()}
    return {name: match[1] for name, match in matches.items() if match}


def _finished(rows: Rows) -> tuple[Rows, list[str]]:
    """Return the responses people have finished, and how many others there were."""
    columns = {spelling(name): name for name in rows.frame.columns}
    notes = []
    for name, is_out, what in (
        ("status", pl.col("cell").is_in(PREVIEWS), "previews are"),
        ("finished", pl.col("cell").is_in(["false", "0", "no"]), "unfinished responses are"),
    ):
        if name not in columns or "responseid" not in columns:
            continue  # only Qualtrics means by these words what they are taken for here
        cells = rows.frame.select(cell=pl.col(columns[name]).str.strip_chars().str.to_lowercase())
        out = cells.select(is_out.fill_null(value=False)).to_series()
        if out.any():
            notes.append(f"{rows.path}: {out.sum()} {what} left out.")
            rows = rows.filtered(~out)
    if rows.frame.is_empty():
        raise TableError(f"{rows.path}: no finished response. " + " ".join(notes))
    return rows, notes


def _long(people: Rows, columns: Columns) -> Rows:
    """Return one row for each person and item, still found on the line of the person."""
    told = columns.of_person
    frame = people.frame.with_row_index("row").with_columns(
        annotator=_annotator(people, columns), question=pl.lit(QUESTION)
    )
    long = frame.select(
        *("row", "annotator", "question", *columns.items),
        **{f"person {ours}": pl.col(theirs) for ours, theirs in told.items()},
    ).unpivot(
        on=columns.items,
        index=["row", "annotator", "question", *(f"person {ours}" for ours in told)],
        variable_name="item",
        value_name="answer",
    )
    answered = pl.col("answer").is_not_null().sum().over("row")
    long = long.rename({f"person {ours}": ours for ours in told})
    if "seconds" in told:
        share = pl.col("seconds").cast(pl.Float64, strict=False) / answered
        long = long.with_columns(share.cast(pl.String).alias("seconds"), answered.alias(TOGETHER))
    places: list[int] = long["row"].to_list()

    def locate(rows: Sequence[int]) -> list[int]:
        return people.locate([places[row] for row in rows])

    return replace(people, frame=long.drop("row"), locate=locate)


def _annotator(people: Rows, columns: Columns) -> pl.Series:
    numbers = pl.Series([str(number + 1) for number in range(people.frame.height)])
    if columns.annotator is None:
        return numbers
    return people.frame[columns.annotator].str.strip_chars()


def _items(columns: Columns, labels: Mapping[str, str]) -> pl.DataFrame:
    texts = [labels.get(item) or item for item in columns.items]
    return ITEMS.sort(ITEMS.check(pl.DataFrame({"item": columns.items, "text": texts})))


def _annotators(people: Rows, columns: Columns) -> pl.DataFrame:
    facts = {
        ours: people.frame[theirs].cast(pl.Float64, strict=False)
        for ours, theirs in columns.of_person.items()
        if ours == "seconds"
    }
    frame = pl.DataFrame({"annotator": _annotator(people, columns), **facts})
    people_once = frame.drop_nulls("annotator").unique("annotator", keep="first")
    return ANNOTATORS.sort(ANNOTATORS.check(people_once))
