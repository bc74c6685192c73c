"""How people write tables: what is between cells, how headers are spelled, decimal commas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import polars as pl

from plausibly.io.choices import reading_now
from plausibly.io.rows import Rows

DECIMAL_COMMA = r"^\s*[+-]?\d+,\d+\s*$"
_WITH_DOTS = r"^\s*[+-]?\d{1,3}(\.\d{3})+,\d+\s*$"  # 1.234,5
_DOTS_ALONE = r"^\s*[+-]?[1-9]\d{0,2}(\.\d{3})+\s*$"  # 1.234, which may be 1234
_COMMA_ALONE = r"^\s*[+-]?[1-9]\d{0,2},\d{3}\s*$"  # 1,234, which may be 1234
_POINT = r"^\s*[+-]?\d+\.\d+\s*$"
COMMAS = f"{DECIMAL_COMMA}|{_WITH_DOTS}"
AMBIGUOUS = f"{_COMMA_ALONE}|{_POINT}"
_NUMBER = r"^\s*[+-]?(\d+([.,]\d+)?|\d{1,3}(\.\d{3})+(,\d+)?)\s*$"
_SPELLINGS: Mapping[str, tuple[str, ...]] = {
    "annotator": (
        *("worker", "rater", "participant", "user", "coder", "person", "subject", "respondent"),
        *("prolific_pid", "responseid", "judge", "evaluator", "labeler", "who"),
    ),
    "item": ("task", "stimulus", "sentence", "trial", "example", "instance", "text", "id"),
    "answer": ("rating", "response", "label", "score", "judgment", "judgement", "choice", "value"),
}


def spelling(name: str) -> str:
    """Return a header without what people write differently: case, spaces, underscores.

    >>> spelling(" Annotator ID")
    'annotator_id'
    """
    return re.sub(r"[\s_-]+", "_", name.strip().strip("\ufeff")).casefold()


def recognised(rows: Rows, columns: Iterable[str]) -> Rows:
    """Return the rows with headers that differ in case or spaces alone under our names."""
    there = set(rows.frame.columns)
    spelled: dict[str, list[str]] = {}
    for name in rows.frame.columns:
        spelled.setdefault(spelling(name), []).append(name)
    variants = {
        spelled[column][0]: column
        for column in columns
        if column not in there and len(spelled.get(column, ())) == 1
    }
    if not variants:
        return rows
    listing = ", ".join(f"{theirs!r} as {ours}" for theirs, ours in variants.items())
    notes = (*rows.notes, f"{rows.path}: columns are recognised by their meaning: {listing}.")
    return replace(rows, frame=rows.frame.rename(variants), notes=notes)


def proposal(columns: Sequence[str], missing: str) -> str:
    """Return which column may be the missing one, as `columns` maps it.

    >>> proposal(["Task", "Worker_ID", "Score"], "annotator")
    'annotator=Worker_ID'
    """
    for word in (missing, *_SPELLINGS.get(missing, ())):
        for column in columns:
            if spelling(column) in (word, f"{word}_id", f"{word}id", f"{word}_name"):
                return f"{missing}={column}"
    return f"{missing}=NAME"


def with_points(rows: Rows, columns: Iterable[str]) -> Rows:
    """Return the rows with points for decimal commas, where a comma cannot be anything else.

    A comma is read so only where cells are not separated by one, or where you chose it, and only
    in a column whose answers are all numbers but for words. Where a number shows that points
    separate thousands (1.234,5), or where you chose a decimal comma, they do so in the whole
    column.
    """
    chosen = _decimal()
    if chosen == "." or (chosen is None and rows.separator in (None, ",")):
        return rows
    changed = [
        column
        for column in columns
        if column in rows.frame.columns and _has_commas(rows.frame[column])
    ]
    if not changed:
        return rows
    shape = f"{_WITH_DOTS}|{_DOTS_ALONE}" if chosen else _WITH_DOTS
    dotted = [column for column in changed if rows.frame[column].str.contains(shape).any()]
    frame = rows.frame.with_columns(_without_dots(column) for column in dotted)
    number = pl.col(changed).str.contains(DECIMAL_COMMA)
    points = pl.when(number).then(pl.col(changed).str.replace(",", ".", literal=True))
    frame = frame.with_columns(points.otherwise(pl.col(changed)))
    note = f"{rows.path}: decimal commas are read as points in {', '.join(changed)}."
    more = (
        [f"{rows.path}: points are read as separators of thousands in {', '.join(dotted)}."]
        if dotted
        else []
    )
    return replace(rows, frame=frame, notes=(*rows.notes, note, *more))


def two_readings(rows: Rows, column: str) -> pl.Series:
    """Return the cells that can be read in two ways, in a column with decimal commas.

    1.234 next to 4,5 may be a thousand and more; so may 1,234 next to 4.5. Next to 1.234,5 a point
    stands between thousands, and 4.5 makes no sense.
    """
    cells, chosen = rows.frame[column], _decimal()
    undecided = chosen is None and rows.separator in (None, ",")
    if chosen == "." or undecided or not _has_commas(cells):
        return pl.Series(column, [None], dtype=pl.String).new_from_index(0, len(cells))
    dots, points = cells.str.contains(_DOTS_ALONE), cells.str.contains(_POINT)
    if chosen or cells.str.contains(_WITH_DOTS).any():
        doubt = points & ~dots
    else:
        decimal = bool((points & ~dots).any())
        doubt = dots | (cells.str.contains(_COMMA_ALONE) & decimal)
    return pl.select(pl.when(doubt).then(cells).alias(column)).to_series()


def _without_dots(column: str) -> pl.Expr:
    thousands = pl.col(column).str.contains(f"{_WITH_DOTS}|{_DOTS_ALONE}")
    bare = pl.col(column).str.replace_all(".", "", literal=True)
    return pl.when(thousands).then(bare).otherwise(pl.col(column)).alias(column)


def _decimal() -> str | None:
    now = reading_now()
    return now.choices.decimal if now else None


def _has_commas(cells: pl.Series) -> bool:
    """Return whether numbers have decimal commas, or points where a comma was chosen."""
    if cells.dtype != pl.String:
        return False
    with_digits = cells.drop_nulls().filter(cells.drop_nulls().str.contains(r"^\s*[+-]?\d"))
    shapes = f"{DECIMAL_COMMA}|{_WITH_DOTS}"
    comma = with_digits.str.contains(f"{shapes}|{_POINT}" if _decimal() else shapes)
    return bool(comma.any() and with_digits.str.contains(_NUMBER).all())
