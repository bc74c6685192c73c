"""Tables as people have them: a path, a Polars, pandas or Arrow frame."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl

from plausibly.errors import TableError
from plausibly.io.files import check_rows, read_table
from plausibly.io.rows import read_rows
from plausibly.tables import ITEMS, Table, text_column

UNNAMED_INDEX = re.compile(r"__index_level_\d+__")
# What Arrow and Polars raise at a column of several types.
REFUSALS = (TypeError, ValueError, NotImplementedError, OverflowError, pl.exceptions.PolarsError)

COLUMNS = ("Series", "ChunkedArray")  # one column is not a table

Source: TypeAlias = str | Path | pl.DataFrame | pl.LazyFrame | object


def is_path(source: object) -> bool:
    """Return whether a source is the name of a file."""
    return isinstance(source, str | Path)


def is_table(value: object) -> bool:
    """Return whether a value is a table in memory, of whatever library."""
    streams = hasattr(value, "__arrow_c_stream__") and type(value).__name__ not in COLUMNS
    return streams or isinstance(value, pl.LazyFrame)


def as_frame(source: object, *, where: str = "table") -> pl.DataFrame:
    """Return any table in memory as a Polars frame; pandas and Arrow come through Arrow.

    NaN is a missing number, because pandas has no other, and a column of texts that holds whole
    numbers as floats (which is what a missing answer makes of them) reads as whole numbers. An
    index that has a name is a column.

    >>> as_frame(pl.DataFrame({"answer": [1.0, None]}))["answer"].to_list()
    [1.0, None]
    """
    if isinstance(source, pl.LazyFrame):
        return source.collect()
    if isinstance(source, pl.DataFrame):
        frame = source
    elif is_table(source):
        frame = _from_arrow(_distinct(_with_index(source), where), where)
    else:
        raise TableError(
            f"{where}: a {type(source).__name__} is not a table. "
            "Pass a path, or a Polars, pandas or Arrow table."
        )
    return frame.with_columns(pl.col(pl.Float32, pl.Float64).fill_nan(None))


def _with_index(source: Any) -> Any:
    """Return a table of pandas with every level of its index that has a name as a column."""
    names = getattr(getattr(source, "index", None), "names", ())
    named = [one for one in names if one is not None and one not in source.columns]
    return source.reset_index(named) if named else source


def _distinct(source: Any, where: str) -> Any:
    """Return a table if its columns have different names."""
    names = getattr(source, "column_names", None) or getattr(source, "columns", None)
    texts = [] if names is None else [str(name) for name in names]
    twice = next((name for name in texts if texts.count(name) > 1), None)
    if twice is not None:
        raise TableError(f"{where}: two columns are named {twice!r}. Rename or drop one.")
    return source


def _from_arrow(source: Any, where: str) -> pl.DataFrame:
    try:
        frame = pl.DataFrame(source)
    except REFUSALS as error:
        if not hasattr(source, "items") or not hasattr(source, "isna"):  # only pandas has both
            raise TableError(f"{where}: the table cannot be read ({error}).") from error
        frame = pl.DataFrame([_pandas_column(str(n), one, where) for n, one in source.items()])
    return frame.drop(name for name in frame.columns if UNNAMED_INDEX.fullmatch(name))


def _pandas_column(name: str, column: Any, where: str) -> pl.Series:
    """Return a column of pandas; texts and numbers in one column are texts."""
    try:
        return pl.DataFrame(column.to_frame(name).reset_index(drop=True)).to_series()
    except REFUSALS:
        cells = zip(column.tolist(), column.isna().tolist(), strict=True)
        texts = [None if missing else _cell_text(cell, name, where) for cell, missing in cells]
        return pl.Series(name, texts, dtype=pl.String)


def _cell_text(cell: object, name: str, where: str) -> str:
    if isinstance(cell, bytes | list | tuple | dict | set):
        raise TableError(
            f"{where}: column {name!r} holds {type(cell).__name__} among other things. Expected "
            "texts or numbers."
        )
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def as_table(source: Source, table: Table) -> pl.DataFrame:
    """Return a source as one of our tables, checked and sorted by key."""
    if isinstance(source, str | Path):
        return read_table(Path(source), table)
    return table.sort(table.check(as_frame(source, where=table.name)))


def as_items(source: Source) -> pl.DataFrame:
    """Return an items table; where it has no texts, an item is called by its name.

    For work that needs conditions and kinds of items, and no texts.

    >>> as_items(pl.DataFrame({"item": ["t1"], "condition": ["a"]})).row(0)
    ('t1', 't1', 'a', 'item', None)
    """
    if isinstance(source, str | Path):
        rows = read_rows(Path(source))
        return check_rows(replace(rows, frame=_with_texts(rows.frame)), ITEMS)
    return ITEMS.sort(ITEMS.check(_with_texts(as_frame(source, where=ITEMS.name))))


def _with_texts(frame: pl.DataFrame) -> pl.DataFrame:
    if "text" in frame.columns or "item" not in frame.columns:
        return frame
    try:
        return frame.with_columns(text_column(frame["item"]).alias("text"))
    except TableError as error:
        raise TableError(f"{ITEMS.name}: {error}") from error


def as_text(series: pl.Series) -> pl.Series:
    """Return a column as texts; a whole number has no decimal point, whatever its type.

    >>> as_text(pl.Series([1.0, 2.5, None])).to_list()
    ['1', '2.5', None]
    """
    if not series.dtype.is_float():
        return series.cast(pl.String)
    number = series.cast(pl.Float64)
    whole = number.is_finite() & (number == number.round()) & (number.abs() < 2**53)
    chosen = pl.when(whole).then(number.cast(pl.Int64, strict=False).cast(pl.String))
    return pl.select(chosen.otherwise(number.cast(pl.String)).alias(series.name)).to_series()
