"""Rows of a file with the line each came from, which errors name."""

from __future__ import annotations

import io
import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import SHOWN, Problem, TableError, listed, option
from plausibly.io.cells import SAID, Record, records, separator_of
from plausibly.io.choices import noting
from plausibly.io.decoding import as_utf8
from plausibly.io.failures import READING, reading, reason
from plausibly.io.opening import Flaw, json_value, kind_of, read_bytes, suffix_of
from plausibly.io.titles import below_titles
from plausibly.tables import plain_column, text_column

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a file as text columns (typed ones from Parquet), and its unreadable rows.

    Args:
        path: Where the rows come from.
        frame: The readable rows in file order; an empty cell is null.
        broken: Line and message of every row that could not be read.
        locate: From row numbers in `frame` to lines of the file, counted from 1.
        separator: The separator between cells, None if the file is not delimited text.
        notes: Sentences on how the file was read, if its name does not make that clear.
    """

    path: Path
    frame: pl.DataFrame
    broken: tuple[tuple[int, str], ...]
    locate: Callable[[Sequence[int]], list[int]] = field(repr=False)
    separator: str | None = None
    notes: tuple[str, ...] = ()

    def filtered(self, kept: pl.Series) -> Rows:
        """Return the marked rows, keeping track of their lines."""
        numbers = kept.arg_true().to_list()

        def locate(rows: Sequence[int]) -> list[int]:
            return self.locate([numbers[row] for row in rows])

        return replace(self, frame=self.frame.filter(kept), locate=locate)

    def reject(self, problems: Sequence[Problem], *, count: int | None = None) -> None:
        """Raise if any row is broken, naming the first ones as FILE:LINE and counting all."""
        total = len(self.broken) + (len(problems) if count is None else count)
        if not total:
            return
        few = sorted(problems)[:SHOWN]
        lines = self.locate([problem.row for problem in few])
        places = [(line, problem.message) for line, problem in zip(lines, few, strict=True)]
        shown = [f"{self.path}:{line}: {what}" for line, what in sorted([*self.broken, *places])]
        raise TableError(listed(shown, total=total, noun="bad row") + " Nothing was written.")


def read_rows(path: Path, *, suffix: str | None = None) -> Rows:
    """Return the rows of a .csv, .tsv, .jsonl, .json or .parquet file, each also .gz.

    Args:
        path: The file; its suffix determines its type.
        suffix: Read it as this type instead, whatever its name.
    """
    content = as_utf8(path, read_bytes(path))
    with reading(path):
        return _rows(path, content, suffix or kind_of(path, content))


def _rows(path: Path, content: bytes, suffix: str) -> Rows:
    if suffix == ".parquet":
        return _parquet(path, content)
    if suffix == ".xlsx":
        from plausibly.io.sheets import sheet_rows

        return sheet_rows(path, content)
    if suffix == ".jsonl":
        return _records(path, _json_lines(content))
    if suffix == ".json":
        return _records(path, _json_array(path, content))
    usual = "\t" if suffix == ".tsv" else ","
    content = below_titles(path, content)
    separator = separator_of(content, usual)
    noting(delimiter=separator)
    rows = _delimited(path, SAID.sub(b"", content, count=1), separator)
    if separator == usual or suffix == ".txt":
        return replace(rows, separator=separator)
    note = f"{path}: cells are separated by {SEPARATORS[separator]}."
    return replace(rows, separator=separator, notes=(note, *rows.notes))


def read_records(path: Path) -> tuple[list[int], list[dict[str, Any]]]:
    """Return the objects of a .json or .jsonl file unchanged, and the line each begins on."""
    suffix, content = suffix_of(path), as_utf8(path, read_bytes(path))
    if suffix not in (".json", ".jsonl"):
        raise TableError(f"{path}: expected a .json or .jsonl file.")
    found = list(_json_lines(content) if suffix == ".jsonl" else _json_array(path, content))
    broken = [
        f"{path}:{line}: {value.message if isinstance(value, Flaw) else 'not a JSON object'}"
        for line, value in found
        if not isinstance(value, dict)
    ]
    if broken:
        shown = listed(broken, total=len(broken), noun="bad row")
        raise TableError(f"{shown} Nothing was written.")
    kept = [(line, value) for line, value in found if isinstance(value, dict)]
    return [line for line, _ in kept], [value for _, value in kept]


def _parquet(path: Path, content: bytes) -> Rows:
    try:
        frame = pl.read_parquet(io.BytesIO(content))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        what = reason(error, READING).removesuffix(".")
        raise TableError(f"{path}: not a Parquet file ({what}).") from error
    return frame_rows(path, frame)


def frame_rows(path: Path, frame: pl.DataFrame) -> Rows:
    """Return the rows of a frame as text and numbers; Boolean and nested columns unchanged."""
    kept = [
        column
        if column.dtype == pl.Boolean or column.dtype.is_nested()
        else _converted(path, column)
        for column in frame.get_columns()
    ]
    return Rows(path, pl.DataFrame(kept), (), lambda rows: [row + 1 for row in rows])


def text_rows(rows: Rows) -> Rows:
    """Return the rows with every column as text, for forms that are read as text."""
    texts = [_converted(rows.path, column, text_column) for column in rows.frame.get_columns()]
    return replace(rows, frame=pl.DataFrame(texts))


def _converted(
    path: Path, column: pl.Series, to: Callable[[pl.Series], pl.Series] = plain_column
) -> pl.Series:
    """Return a column in one of our types; raise, naming the file, if that is impossible."""
    try:
        return to(column)
    except TableError as error:
        raise TableError(f"{path}: {error}") from error


def _delimited(path: Path, content: bytes, separator: str) -> Rows:
    """Read fast when every line is sound, and line by line when one is not."""
    header = _header(path, content, separator)
    frame = _sound(content, separator, header)
    if frame is not None:
        return Rows(path, frame, (), lambda rows: _pick(_data_lines(content, separator), rows))
    good: list[tuple[int, list[str]]] = []
    broken: list[tuple[int, str]] = []
    width = len(header)
    found = [one for one in _data_records(content, separator) if not _blank(one[1], width)]
    notes: tuple[str, ...] = ()
    if _has_row_names(header, [record for _, record in found]):
        header = ["", *header]
        notes = (f"{path}: every row begins with a row name, for which the header has no column.",)
    for line, record in found:
        if isinstance(record, Flaw):
            broken.append((line, record.message))
        elif len(record) != len(header):
            broken.append((line, f"{len(record)} columns, the header has {len(header)}"))
        else:
            good.append((line, record))
    columns = zip(*(cells for _, cells in good), strict=True) if good else [()] * len(header)
    texts = {
        name: pl.Series(name, list(column), dtype=pl.String)
        for name, column in zip(header, columns, strict=True)
    }
    places = [line for line, _ in good]
    frame = _nulled(pl.DataFrame(texts))
    return Rows(path, frame, tuple(broken), lambda rows: [places[row] for row in rows], notes=notes)


def _blank(record: list[str] | Flaw, width: int) -> bool:
    """Return whether a row has a different length from the header and only empty cells."""
    if isinstance(record, Flaw) or len(record) == width:
        return False
    return not any(cell.strip() for cell in record)


def _has_row_names(header: Sequence[str], found: Sequence[list[str] | Flaw]) -> bool:
    """Return whether rows begin with row numbers that the header has no column for.

    R's `write.table` writes such files; every row has one cell more than the header.
    """
    rows = [record for record in found if not isinstance(record, Flaw)]
    names = {row[0] for row in rows}
    longer = {len(row) for row in rows} == {len(header) + 1}
    return longer and len(names) == len(rows) and all(name.isdecimal() for name in names)


def _header(path: Path, content: bytes, separator: str) -> list[str]:
    """Return the names of the columns; raise if the first line is not a header."""
    line, header = next(_records_with_text(content, separator), (1, []))
    if isinstance(header, Flaw):
        raise TableError(f"{path}:{line}: {header.message}. Expected a header line.")
    if not header:
        raise TableError(f"{path}: the file is empty. Expected a header line and rows.")
    twice = [name for name in header if header.count(name) > 1]
    if twice:
        raise TableError(
            f"{path}:{line}: column {twice[0]!r} is in the header twice. Rename one, or, if the "
            f"header is on a later line, pass its number as {option('header_row')}."
        )
    return header


def _sound(content: bytes, separator: str, header: Sequence[str]) -> pl.DataFrame | None:
    """Return all rows as text, or None when one of them is not like the header."""
    if not _readable(content, separator):
        return None
    import pyarrow as pa
    from pyarrow import csv as arrow

    ragged: list[object] = []

    def skip(row: object) -> str:
        ragged.append(row)
        return "skip"

    try:
        table = arrow.read_csv(
            io.BytesIO(content),
            read_options=arrow.ReadOptions(block_size=1 << 24),
            parse_options=arrow.ParseOptions(
                delimiter=separator,
                newlines_in_values=True,
                invalid_row_handler=skip,
            ),
            convert_options=arrow.ConvertOptions(
                column_types={name: pa.string() for name in header}, strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        return None
    if ragged or list(table.column_names) != list(header):
        return None
    frame = pl.from_arrow(table)
    return _nulled(frame) if isinstance(frame, pl.DataFrame) else None


def _nulled(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col(pl.String).replace("", None))


def _readable(content: bytes, separator: str) -> bool:
    """Return whether the bytes are UTF-8, all lines end alike and every quote is closed."""
    if b"\n" in content and content.count(b"\r") != content.count(b"\r\n"):
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    if b'"' not in content:
        return True
    return not any(isinstance(record, Flaw) for _, record in records(content, separator))


def _records_with_text(content: bytes, separator: str) -> Iterator[Record]:
    return (record for record in records(content, separator) if record[1])


def _data_records(content: bytes, separator: str) -> Iterator[Record]:
    found = _records_with_text(content, separator)
    next(found, None)
    return found


def _data_lines(content: bytes, separator: str) -> Iterator[int]:
    return (line for line, _ in _data_records(content, separator))


def _pick(lines: Iterable[int], rows: Sequence[int]) -> list[int]:
    if not rows:
        return []
    wanted, last = set(rows), max(rows)
    found: dict[int, int] = {}
    for row, line in enumerate(lines):
        if row in wanted:
            found[row] = line
        if row == last:
            break
    return [found[row] for row in rows]


def _json_lines(content: bytes) -> Iterator[tuple[int, object]]:
    """Yield line number and value of every line, a flaw where it is not JSON."""
    for number, line in enumerate(content.removeprefix(BOM_UTF8).split(b"\n"), start=1):
        if line.strip():
            yield number, json_value(line, once=True)


def _json_array(path: Path, content: bytes) -> Iterator[tuple[int, object]]:
    """Yield line number and value of every element of one JSON array."""
    content = content.removeprefix(BOM_UTF8)
    array = json_value(content, once=True)
    if isinstance(array, Flaw):
        raise TableError(f"{path}:{array.line}: {array.message}. Nothing was written.")
    if not isinstance(array, list):
        raise TableError(f"{path}: expected one JSON array of objects, got an object or value.")
    text = content.decode()
    decoder, position = json.JSONDecoder(), text.index("[") + 1
    line, counted = 1, 0
    for element in array:
        while text[position] in " \t\r\n,":
            position += 1
        line, counted = line + text.count("\n", counted, position), position
        yield line, element
        position = decoder.raw_decode(text, position)[1]


def _records(path: Path, values: Iterable[tuple[int, object]]) -> Rows:
    good: list[dict[str, Any]] = []
    places: list[int] = []
    broken: list[tuple[int, str]] = []
    for line, value in values:
        if isinstance(value, dict) and not any(map(_endless, value.values())):
            good.append(value)
            places.append(line)
        elif isinstance(value, Flaw):
            broken.append((line, value.message))
        else:
            what = "NaN or Infinity" if isinstance(value, dict) else "not a JSON object"
            broken.append((line, what))
    names = list(dict.fromkeys(name for record in good for name in record))
    columns = {
        name: pl.Series(name, [_as_text(record.get(name)) for record in good], dtype=pl.String)
        for name in names
    }
    frame = _nulled(pl.DataFrame(columns))
    return Rows(path, frame, tuple(broken), lambda rows: [places[row] for row in rows])


def _endless(value: object) -> bool:
    return isinstance(value, float) and not isfinite(value)


def _as_text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
