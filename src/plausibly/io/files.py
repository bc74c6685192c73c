"""Tables to files and back, file type by suffix, every write atomic."""

from __future__ import annotations

import gzip
import hashlib
import io
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import polars as pl

from plausibly.errors import Problem, TableError, shown
from plausibly.io.atomic import replacing
from plausibly.io.failures import writing
from plausibly.io.opening import is_packed, suffix_of
from plausibly.io.rows import Rows, read_rows
from plausibly.tables import Table

TIME_COLUMNS = ("started", "submitted", "seconds")


def read_table(path: Path, table: Table, *, names: Mapping[str, str] | None = None) -> pl.DataFrame:
    """Return the rows of a file as one of our tables, sorted by key.

    Args:
        path: The file; its suffix determines its type.
        table: The contract the rows must keep.
        names: From our column to the file's, where they differ.

    Raises:
        TableError: With FILE:LINE for each of the first broken rows, and their number.
    """
    return check_rows(renamed(read_rows(path), names), table)


def check_rows(rows: Rows, table: Table, *, also: Sequence[Problem] = ()) -> pl.DataFrame:
    """Return rows that keep the contract, sorted by key; raise naming every line that does not."""
    if rows.frame.is_empty():
        rows.reject([])
    frame, problems = _numbers(rows, table)
    problems = [*problems, *also, *nul_problems(frame, table)]
    try:
        frame = table.arrange(frame)
    except TableError as error:
        raise TableError(f"{rows.path}: {error}") from error
    rows.reject([*problems, *table.problems(frame)], count=_count(frame, table, problems))
    return table.sort(frame)


def _count(frame: pl.DataFrame, table: Table, problems: list[Problem]) -> int:
    """Return how many rows are bad, a row with two problems counted once."""
    contract = table.problems(frame, most=frame.height) if table.count_problems(frame) else []
    return len({problem.row for problem in [*problems, *contract]})


def nul_problems(frame: pl.DataFrame, table: Table) -> list[Problem]:
    r"""Return the rows whose key holds a NUL, at which many programs end a text.

    >>> from plausibly.tables import ITEMS
    >>> nul_problems(pl.DataFrame({"item": ["t1", "t\0"]}), ITEMS)[0].message
    "item 't\\x00' holds a NUL. Take it out"
    """
    texts = [c for c in table.key if c in frame.columns and frame[c].dtype == pl.String]
    return [
        Problem(row, f"{column} {shown(repr(frame[column][row]))} holds a NUL. Take it out")
        for column in texts
        for row in frame[column].str.contains("\0", literal=True).fill_null(False).arg_true()
    ]


def renamed(rows: Rows, names: Mapping[str, str] | None) -> Rows:
    """Return the rows under our column names."""
    if not names:
        return rows
    missing = [theirs for theirs in names.values() if theirs not in rows.frame.columns]
    if missing:
        raise TableError(
            f"{rows.path}: no column {missing[0]!r}. "
            f"Columns found: {', '.join(rows.frame.columns)}."
        )
    replaced = [column for column in names if column not in names.values()]
    frame = rows.frame.drop(replaced, strict=False)
    frame = frame.rename({theirs: ours for ours, theirs in names.items()})
    return replace(rows, frame=frame)


def _numbers(rows: Rows, table: Table) -> tuple[pl.DataFrame, list[Problem]]:
    """Return the frame with text turned into numbers where the contract needs them."""
    frame, problems = rows.frame, []
    for column, dtype in {**table.optional, **table.schema}.items():
        if column not in frame.columns or dtype == pl.String or frame[column].dtype.is_nested():
            continue
        given = frame[column]
        number = given.cast(dtype, strict=False)
        finite = number.cast(pl.Float64).is_finite().fill_null(value=False)
        bad = given.is_not_null() & ~finite
        expected = "a whole number" if dtype == pl.Int64 else "a number"
        problems += [
            Problem(row, f"{column} {given[row]!r} is not {expected}") for row in bad.arg_true()
        ]
        frame = frame.with_columns(number.alias(column))
    return frame, problems


def write_table(frame: pl.DataFrame, path: Path, table: Table) -> pl.DataFrame:
    """Write the table sorted by key, whole or not at all, and return what was written."""
    frame = table.sort(table.check(frame))
    write_frame(frame, path)
    return frame


def write_tables(*written: tuple[pl.DataFrame, Path, Table]) -> None:
    """Write several tables, each sorted by key; where one cannot be written, none is."""
    with ExitStack() as stack:
        for frame, path, table in written:
            suffix_of(path)
            temporary = stack.enter_context(replacing(path))
            with writing(path):
                _write(table.sort(table.check(frame)), temporary, path)


def write_frame(frame: pl.DataFrame, path: Path) -> None:
    """Write any frame in the form its suffix names, whole or not at all."""
    suffix_of(path)
    with replacing(path) as temporary:
        _write(frame, temporary, path)


def _write(frame: pl.DataFrame, target: Path, path: Path) -> None:
    """Write a frame to `target` in the form the name of `path` says."""
    suffix = suffix_of(path)
    if suffix == ".parquet" and not is_packed(path):
        frame.write_parquet(target, compression="zstd", statistics=True)
        return
    content = _bytes(frame, suffix)
    target.write_bytes(gzip.compress(content, mtime=0) if is_packed(path) else content)


def _bytes(frame: pl.DataFrame, suffix: str) -> bytes:
    target = io.BytesIO()
    if suffix == ".parquet":
        frame.write_parquet(target)
    elif suffix == ".jsonl":
        frame.write_ndjson(target)
    elif suffix == ".json":
        frame.write_json(target)
    else:
        frame.write_csv(target, separator="\t" if suffix == ".tsv" else ",")
    return target.getvalue()


def content_hash(frame: pl.DataFrame, table: Table) -> str:
    """Return the SHA-256 of the rows sorted by key, time columns left out.

    The same rows give the same hash whatever their order and whichever file type they are in.
    """
    columns = [*table.schema, *sorted(c for c in frame.columns if c not in table.schema)]
    kept = [column for column in columns if column not in TIME_COLUMNS]
    target = io.BytesIO()
    table.sort(table.check(frame)).select(kept).write_ndjson(target)
    return hashlib.sha256(target.getbuffer()).hexdigest()


def frame_hash(frame: pl.DataFrame) -> str:
    """Return the SHA-256 of any frame, its rows in the order they have.

    Equal frames have equal hashes; Arrow's files also hold what memory has below missing values.
    """
    target = io.BytesIO()
    frame.rechunk().write_parquet(target, compression="uncompressed", statistics=False)
    return hashlib.sha256(target.getbuffer()).hexdigest()
