"""One sheet of an Excel workbook, cell by cell as text."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import polars as pl

from plausibly.errors import MissingExtra, TableError, option
from plausibly.io.choices import noting, reading_now
from plausibly.io.rows import Rows
from plausibly.io.titles import LOOKED_AT, title_count

FOUND = "sheet_found"  # the fact that names the sheet with ratings, where it is not the first
MOST_LINES = 200
NO_BOOK = "not an Excel workbook. Save it as .xlsx or .csv."
FAULTS = (BadZipFile, KeyError, ValueError, TypeError, IndexError, AttributeError)


def sheet_rows(path: Path, content: bytes) -> Rows:
    """Return the rows of the first sheet, or the one chosen, under the names in its header.

    Whole numbers have no point, dates are written as 2024-05-01; an empty cell is null.
    """
    lines = _below_titles(path, list(_lines(path, content)))
    if not lines:
        raise TableError(f"{path}: the sheet is empty. Expected a header line and rows.")
    (line, header), rows = lines[0], lines[1:]
    names = header[: max(n for n, name in enumerate(header, start=1) if name is not None)]
    odd = [n for n, name in enumerate(names) if name is None or names.index(name) != n]
    if odd:
        raise TableError(
            f"{path}:{line}: column {odd[0] + 1} has no name, or the name of another column."
        )
    width = len(names)
    columns = {
        str(name): pl.Series(str(name), [cells[n] for _, cells in rows], dtype=pl.String)
        for n, name in enumerate(names)
    }
    wide = tuple((at, "a cell beyond the header") for at, cells in rows if any(cells[width:]))
    places = [at for at, _ in rows]
    return Rows(path, pl.DataFrame(columns), wide, lambda picked: [places[n] for n in picked])


def find_sheet(
    path: Path, content: bytes, holds: Callable[[Sequence[str], list[list[str]]], bool]
) -> None:
    """Read a later sheet of the workbook instead of the first one, if only that holds ratings.

    Args:
        path: The workbook, for messages.
        content: Its bytes.
        holds: Whether a sheet holds ratings, by its header and its first rows.
    """
    now = reading_now()
    if now is None or now.choices.sheet is not None or now.choices.header_row is not None:
        return
    for sheet in _book(path, content):
        lines = [(n, [*map(_text, row)]) for n, row in enumerate(islice(sheet.values, MOST_LINES))]
        filled = [line for line in lines if any(cell is not None for cell in line[1])]
        table = [[cell or "" for cell in cells] for _, cells in _without_titles(filled)]
        if table and holds(table[0], table[1:]):
            now.facts[FOUND] = sheet.title
            return


def _without_titles(
    lines: list[tuple[int, list[str | None]]],
) -> list[tuple[int, list[str | None]]]:
    filled = [sum(cell is not None for cell in cells) for _, cells in lines[:LOOKED_AT]]
    return lines[title_count(filled, [max(filled, default=0)] * len(filled)) :]


def _below_titles(
    path: Path, lines: list[tuple[int, list[str | None]]]
) -> list[tuple[int, list[str | None]]]:
    """Return the lines from the header on."""
    now = reading_now()
    row = now.choices.header_row if now else None
    if row is not None:
        lines = [(at, cells) for at, cells in lines if at >= row]
    else:
        lines = _without_titles(lines)
        if now is not None and lines and lines[0][0] > 1:
            now.notes.append(f"{path}: the header is on line {lines[0][0]}.")
    noting(header_lines=tuple(at for at, _ in lines[:1]))
    return lines


def _sheet_named(path: Path, names: list[str]) -> int:
    """Return the place of the sheet that was chosen, by name or by number, or found; else 0."""
    now = reading_now()
    chosen = now.choices.sheet if now else None
    if chosen is None:
        found = now.facts.get(FOUND) if now else None
        place = names.index(found) if found in names else 0
        if now is not None and len(names) > 1:
            others = ", ".join(name for n, name in enumerate(names) if n != place)
            now.notes.append(f"{path}: sheet {names[place]!r} was read. Others: {others}.")
    elif chosen in names:
        place = names.index(chosen)
    elif chosen.isdecimal() and 1 <= int(chosen) <= len(names):
        place = int(chosen) - 1
    else:
        known = ", ".join(names)
        raise TableError(f"{path}: no {option('sheet')} {chosen!r}. Sheets: {known}.")
    noting(sheet=names[place], encoding=None)
    return place


def _lines(path: Path, content: bytes) -> Iterator[tuple[int, list[str | None]]]:
    """Yield number and cells of each line that is not blank, all as wide as the sheet."""
    sheets = _book(path, content)
    chosen = _sheet_named(path, [sheet.title for sheet in sheets])
    try:
        found = [[_text(cell) for cell in row] for row in sheets[chosen].values]
    except FAULTS as error:
        raise TableError(f"{path}: {NO_BOOK}") from error
    width = max((len(row) for row in found), default=0)
    for number, row in enumerate(found, start=1):
        if any(cell is not None for cell in row):
            yield number, [*row, *[None] * (width - len(row))]


def _book(path: Path, content: bytes) -> list[Any]:
    """Return the sheets of a workbook."""
    try:
        import openpyxl
    except ImportError as error:
        raise MissingExtra("reading .xlsx", "excel") from error
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        return list(book.worksheets)
    except FAULTS as error:
        raise TableError(f"{path}: {NO_BOOK}") from error


def _text(cell: object) -> str | None:
    if cell is None or cell == "":
        return None
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ")
    return cell.isoformat() if isinstance(cell, date | time) else str(cell)
