"""How people write tables: what stands between cells, how headers are spelled, decimal commas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import polars as pl

from plausibly.io.rows import Rows

DECIMAL_COMMA = r"^\s*[+-]?\d+,\d+\s*$"
_NUMBER = r"^\s*[+-]?\d+([.,]\d+)?\s*$"
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
    told = ", ".join(f"{theirs!r} as {ours}" for theirs, ours in variants.items())
    notes = (*rows.notes, f"{rows.path}: columns are read by their sense: {told}.")
    return replace(rows, frame=rows.frame.rename(variants), notes=notes)


def proposal(columns: Sequence[str], missing: str) -> str:
    """Return which column may be the missing one, as an option to give.

    >>> proposal(["Task", "Worker_ID", "Score"], "annotator")
    '--map annotator=Worker_ID'
    """
    for word in (missing, *_SPELLINGS.get(missing, ())):
        for column in columns:
            if spelling(column) in (word, f"{word}_id", f"{word}id", f"{word}_name"):
                return f"--map {missing}={column}"
    return f"--map {missing}=NAME"


def with_points(rows: Rows, columns: Iterable[str]) -> Rows:
    """Return the rows with points for decimal commas, where a comma cannot be anything else.

    A comma is read so only where cells are not separated by one, and only in a column whose
    answers are all numbers but for words.
    """
    if rows.separator in (None, ","):
        return rows
    changed = [
        column
        for column in columns
        if column in rows.frame.columns and _has_commas(rows.frame[column])
    ]
    if not changed:
        return rows
    number = pl.col(changed).str.contains(DECIMAL_COMMA)
    points = pl.when(number).then(pl.col(changed).str.replace(",", ".", literal=True))
    frame = rows.frame.with_columns(points.otherwise(pl.col(changed)))
    note = f"{rows.path}: decimal commas are read as points in {', '.join(changed)}."
    return replace(rows, frame=frame, notes=(*rows.notes, note))


def _has_commas(cells: pl.Series) -> bool:
    if cells.dtype != pl.String:
        return False
    with_digits = cells.drop_nulls().filter(cells.drop_nulls().str.contains(r"^\s*[+-]?\d"))
    return bool(
        with_digits.str.contains(DECIMAL_COMMA).any() and with_digits.str.contains(_NUMBER).all()
    )
