"""How a file of ratings is laid out: what wrote it, how, and what each of its columns is."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

import polars as pl

from plausibly.io.choices import ReadingNow, reading_now
from plausibly.io.personal import personal_kind

Role = Literal[
    "item",
    "question",
    "answer",
    "annotator",
    "time",
    "order",
    "check",
    "person",
    "comment",
    "kept",
    "ignored",
]
LONGEST = 60
RATINGS = "ratings"
HIDDEN = "(personal)"


@dataclass(frozen=True, slots=True)
class FileColumn:
    """One column of a file.

    Args:
        name: As the file calls it.
        role: What it is to us; "kept" is stored unchanged, "ignored" is not stored.
        example: The first cell that is filled, shortened; what identifies a person is not shown.
        blanks: How many cells are empty.
        stored: The table of ours that holds its cells; None if they are dropped.
    """

    name: str
    role: Role
    example: str | None
    blanks: int
    stored: str | None

    def as_json(self) -> dict[str, Any]:
        """Return the column as JSON knows it."""
        return {
            "name": self.name,
            "role": self.role,
            "example": self.example,
            "blanks": self.blanks,
            "stored": self.stored,
        }


@dataclass(frozen=True, slots=True)
class FileLayout:
    """How a file was read.

    Args:
        form: The format it was read in.
        tool: The program that wrote it, None if unknown.
        evidence: What shows the format and the program.
        encoding: Encoding of a text, None for a file that is not a text.
        delimiter: Sign between cells, None for a file that is not delimited.
        header_lines: Lines of the header, counted from 1.
        sheet: Name of the sheet of a workbook.
        language: Language of the headers, if words of one are among them.
        names: From our column to the file's, as chosen or guessed.
        columns: Every column of the file.
        duplicates: How many rows repeat a rating, by what became of them.
        dropped: How many rows or answers were left out, by the reason.
    """

    form: str = "long"
    tool: str | None = None
    evidence: str = ""
    encoding: str | None = None
    delimiter: str | None = None
    header_lines: tuple[int, ...] = ()
    sheet: str | None = None
    language: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[FileColumn, ...] = ()
    duplicates: Mapping[str, int] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)


def layout_of(now: ReadingNow, *, form: str, names: Mapping[str, str]) -> FileLayout:
    """Return how the file that has been read is laid out."""
    known = {name: now.facts[name] for name in FileLayout.__slots__ if name in now.facts}
    return FileLayout(
        **{
            **known,
            "form": form,
            "names": dict(names),
            "columns": tuple(now.columns.values()),
            "duplicates": dict(sorted(now.duplicates.items())),
            "dropped": dict(sorted(now.dropped.items())),
        }
    )


def note_columns(
    frame: pl.DataFrame,
    roles: Mapping[str, Role],
    *,
    unstored: Collection[str] = (),
    tables: Mapping[str, str] = MappingProxyType({}),
    whole: bool = False,
) -> None:
    """Keep what each column of the file that is being read is.

    Args:
        frame: The cells as the file has them.
        roles: From a column to its role; a column without one is kept unchanged, or ignored.
        unstored: Columns with a role whose cells are in no table of ours.
        tables: From a column to the table that stores its cells, where that is not ratings.
        whole: Whether columns without a role are stored too.
    """
    now = reading_now()
    if now is None:
        return
    for column in frame.get_columns():
        role = roles.get(column.name, "ignored")
        blanks, example = _content(column)
        before = now.columns.get(column.name)
        if before is not None:  # the same column of another file of the same source
            blanks, example = before.blanks + blanks, before.example or example
        known = whole or role != "ignored" or column.name in tables
        kept = known and column.name not in unstored
        table = tables.get(column.name, RATINGS) if kept else None
        role = "kept" if table and role == "ignored" else role
        now.columns[column.name] = FileColumn(column.name, role, example, blanks, table)


def _content(column: pl.Series) -> tuple[int, str | None]:
    """Return how many cells of a column are blank, and the first that is not."""
    if column.dtype != pl.String:
        present = column.drop_nulls()
        return column.null_count(), shortened(str(present[0])) if len(present) else None
    empty = column.is_null() | column.str.contains(r"^\s*$").fill_null(value=True)
    blanks = int(empty.sum())
    if blanks == len(column):
        return blanks, None
    return blanks, shortened(str(column[(~empty).arg_max() or 0]))


def shortened(cell: str) -> str:
    r"""Return the beginning of a cell on one line; what identifies a person is not shown.

    >>> shortened("a  dog\n barks"), shortened("anna@example.org")
    ('a dog barks', '(personal)')
    """
    if "@" in cell or personal_kind(cell) is not None:
        return HIDDEN
    line = " ".join(cell.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
