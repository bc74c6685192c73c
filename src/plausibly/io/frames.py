"""Tables as people have them: a path, a Polars, pandas or Arrow frame."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

import polars as pl

from plausibly.errors import TableError
from plausibly.io.files import read_table
from plausibly.tables import Table

Source: TypeAlias = str | Path | pl.DataFrame | pl.LazyFrame | object


def is_path(source: object) -> bool:
    """Return whether a source is the name of a file."""
    return isinstance(source, str | Path)


def as_frame(source: object, *, where: str = "table") -> pl.DataFrame:
    """Return any table in memory as a Polars frame; pandas and Arrow come through Arrow.

    NaN is a missing number, because pandas has no other, and a column of texts that holds whole
    numbers as floats (which is what a missing answer makes of them) reads as whole numbers.

    >>> as_frame(pl.DataFrame({"answer": [1.0, None]}))["answer"].to_list()
    [1.0, None]
    """
    if isinstance(source, pl.LazyFrame):
        return source.collect()
    if isinstance(source, pl.DataFrame):
        frame = source
    elif hasattr(source, "__arrow_c_stream__"):
        frame = pl.DataFrame(source)
        if "__index_level_0__" in frame.columns:
            frame = frame.drop("__index_level_0__")
    else:
        raise TableError(
            f"{where}: a {type(source).__name__} is no table. "
            "Pass a path, or a Polars, pandas or Arrow table."
        )
    return frame.with_columns(pl.col(pl.Float32, pl.Float64).fill_nan(None))


def as_table(source: Source, table: Table) -> pl.DataFrame:
    """Return a source as one of our tables, checked and sorted by key."""
    if isinstance(source, str | Path):
        return read_table(Path(source), table)
    return table.sort(table.check(as_frame(source, where=table.name)))


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
