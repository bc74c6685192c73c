"""The first sheet of an Excel workbook, cell by cell as text."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from zipfile import BadZipFile

import polars as pl

from plausibly.errors import MissingExtra, TableError
from plausibly.io.rows import Rows


def sheet_rows(path: Path, content: bytes) -> Rows:
    """Return the rows of the first sheet under the names in its first line that holds any.

    Whole numbers have no point, dates are written as 2024-05-01; an empty cell is null.
    """
    lines = list(_lines(path, content))
    if not lines:
        raise TableError(f"{path}: the first sheet is empty. Expected a header line and rows.")
    (line, header), rows = lines[0], lines[1:]
    names = header[: max(n for n, name in enumerate(header, start=1) if name is not None)]
    odd = [n for n, name in enumerate(names) if name is None or names.index(name) != n]
    if odd:
        raise TableError(f"{path}:{line}: column {odd[0] + 1} has no name of its own.")
    width = len(names)
    columns = {
        str(name): pl.Series(str(name), [cells[n] for _, cells in rows], dtype=pl.String)
        for n, name in enumerate(names)
    }
    wide = tuple((at, "a cell beyond the header") for at, cells in rows if any(cells[width:]))
    places = [at for at, _ in rows]
    return Rows(path, pl.DataFrame(columns), wide, lambda picked: [places[n] for n in picked])


def _lines(path: Path, content: bytes) -> Iterator[tuple[int, list[str | None]]]:
    """Yield number and cells of each line that is not blank, all as wide as the sheet."""
    try:
        import openpyxl
    except ImportError as error:
        raise MissingExtra("reading .xlsx", "excel") from error
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        found = [[_text(cell) for cell in row] for row in book.worksheets[0].values]
    except (BadZipFile, KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise TableError(f"{path}: not an Excel workbook. Save it as .xlsx or .csv.") from error
    width = max((len(row) for row in found), default=0)
    for number, row in enumerate(found, start=1):
        if any(cell is not None for cell in row):
            yield number, [*row, *[None] * (width - len(row))]


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
