"""Table contracts: each follows from one row dataclass and is checked at the door of a stage."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from types import NoneType
from typing import Any, get_args, get_type_hints

import numpy as np
import polars as pl

from plausibly.domain import (
    Annotator,
    Count,
    Example,
    Exclusion,
    Item,
    Label,
    Prediction,
    Rating,
    Score,
    Triple,
)
from plausibly.errors import Problem, TableError

_DTYPES: dict[type, pl.DataType] = {str: pl.String(), int: pl.Int64(), float: pl.Float64()}
_ALLOWED = (pl.String, pl.Int64, pl.Float64)
DISTRIBUTION = "distribution"
"""The column that maps labels to probabilities: JSON in files, mappings in memory."""


@dataclass(frozen=True)
class Table:
    """The contract of one table: columns, types, what may be missing, and the key.

    Args:
        name: As the glossary knows it.
        row: The dataclass of one row; a field that admits None may be missing.
        key: Columns that together name one row.
        also: Further columns a table may carry, with their type.

    >>> RATINGS.key
    ('item', 'annotator', 'question')
    >>> list(RATINGS.schema)
    ['item', 'annotator', 'question', 'answer', 'value']
    """

    name: str
    row: type
    key: tuple[str, ...]
    also: Mapping[str, type] = field(default_factory=dict)

    @cached_property
    def schema(self) -> dict[str, pl.DataType]:
        """Columns in order, with their Polars type."""
        return {column: _DTYPES[kinds[0]] for column, kinds in self._kinds.items()}

    @cached_property
    def optional(self) -> dict[str, pl.DataType]:
        """Columns a table may carry besides the declared ones, with their Polars type."""
        return {column: _DTYPES[kind] for column, kind in self.also.items()}

    @cached_property
    def required(self) -> tuple[str, ...]:
        """Columns that may not hold a null."""
        return tuple(column for column, kinds in self._kinds.items() if NoneType not in kinds)

    @cached_property
    def _kinds(self) -> dict[str, tuple[type, ...]]:
        hints = get_type_hints(self.row)
        return {f.name: get_args(hints[f.name]) or (hints[f.name],) for f in fields(self.row)}

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        return {f.name: f.default for f in fields(self.row) if f.default is not MISSING}

    def check(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the frame with every declared column in place and type; raise if it breaks.

        Columns with a default are added when they are missing; other columns are kept behind
        the declared ones.
        """
        frame = self.arrange(frame)
        problems = self.problems(frame, most=1)
        if problems:
            count = self.count_problems(frame)
            first = problems[0]
            raise TableError(
                f"{self.name}: {count} of {frame.height} rows cannot be used "
                f"(first: row {first.row + 1}: {first.message})."
            )
        return frame

    def arrange(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the frame with declared columns first, cast, and defaults filled in."""
        missing = [c for c in self.schema if c not in frame.columns and c not in self._defaults]
        if missing:
            raise TableError(
                f"{self.name}: no column {missing[0]!r}. "
                f"Columns found: {', '.join(frame.columns) or 'none'}."
            )
        declared = [self._column(frame, column) for column in self.schema]
        own = [plain_column(frame[c]) for c in frame.columns if c not in self.schema]
        return pl.DataFrame([*declared, *own])

    def _column(self, frame: pl.DataFrame, column: str) -> pl.Series:
        dtype = self.schema[column]
        if column not in frame.columns:
            return pl.Series(column, [self._defaults[column]], dtype=dtype).new_from_index(
                0, frame.height
            )
        series = frame[column]
        if series.dtype == dtype:
            return series
        what = f"{self.name}: column {column!r} is {series.dtype}, expected {dtype}."
        if column == DISTRIBUTION and isinstance(series.dtype, pl.Struct):
            return _mapping_texts(series)
        if series.dtype.is_nested():
            raise TableError(f"{what} Write what a cell holds as one text, such as i;iii.")
        try:
            return text_column(series) if dtype == pl.String else plain_column(series).cast(dtype)
        except (pl.exceptions.PolarsError, TableError) as error:
            raise TableError(what) from error

    def problems(self, frame: pl.DataFrame, *, most: int = 20) -> list[Problem]:
        """Return the first broken rows of an arranged frame, in row order."""
        found: list[Problem] = []
        for column in self.required:
            empty = _empty(frame[column]).arg_true().head(most).to_list()
            found += [Problem(row, f"no {column}") for row in empty]
        repeated = self.repeats(frame).arg_true().head(most)
        for row in repeated.to_list():
            named = ", ".join(f"{column}={frame[column][row]!r}" for column in self.key)
            found.append(Problem(row, f"more than one row for {named}"))
        return sorted(found)[:most]

    def count_problems(self, frame: pl.DataFrame) -> int:
        """Return how many rows of an arranged frame are broken."""
        broken = self.repeats(frame)
        for column in self.required:
            broken = broken | _empty(frame[column])
        return int(broken.sum())

    def repeats(self, frame: pl.DataFrame) -> pl.Series:
        """Mark each row whose key an earlier row already has; rows with an empty key are not."""
        keys = frame.select(self.key)
        if _all_differ(keys):
            return pl.repeat(False, frame.height, eager=True)
        whole = pl.all_horizontal(pl.col(c).is_not_null() for c in self.key)
        first = pl.struct(self.key).is_first_distinct()
        return keys.select((~first & whole).alias("repeated"))["repeated"]

    def sort(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the rows sorted by key, the order every file of ours has."""
        return frame.sort(self.key, maintain_order=True)

    def empty(self) -> pl.DataFrame:
        """Return the table without rows."""
        return pl.DataFrame(schema=dict(self.schema))


def _all_differ(keys: pl.DataFrame) -> bool:
    """Return whether no two rows can be equal: their hashes differ, a tenth of comparing them."""
    hashes = np.zeros(keys.height, dtype=np.uint64)
    for place, column in enumerate(keys.iter_columns()):
        if len(column) and column[0] is not None and (column == column[0]).all():
            continue
        hashes *= np.uint64(0x9E3779B97F4A7C15)
        hashes += column.hash(seed=place).to_numpy()
    hashes.sort()
    return not (hashes[1:] == hashes[:-1]).any()


def _empty(series: pl.Series) -> pl.Series:
    null = series.is_null()
    if series.dtype != pl.String:
        return null
    blank = series.str.len_bytes() == 0
    return null | blank.fill_null(False) if series.null_count() else blank


def plain_column(series: pl.Series) -> pl.Series:
    """Return a column in one of the three types a table holds; lists and records become JSON.

    Raises:
        TableError: For bytes that are no text, and what else has no form as text or number.
    """
    dtype = series.dtype
    if dtype in _ALLOWED:
        return series
    try:
        if dtype.is_nested():
            return _json_texts(series)
        if dtype.is_integer() or dtype == pl.Boolean:
            return series.cast(pl.Int64)
        if dtype.is_float() or dtype.is_decimal():
            return series.cast(pl.Float64)
        return series.cast(pl.String)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise TableError(
            f"column {series.name!r} holds {dtype}, which is neither text nor a number. "
            "Convert it, or omit it."
        ) from error


def text_column(series: pl.Series) -> pl.Series:
    """Return a column as text: whole numbers without a point, what is not a number as missing.

    >>> text_column(pl.Series([4.0, 4.5, float("nan")])).to_list()
    ['4', '4.5', None]
    """
    if series.dtype == pl.Boolean:
        return series.cast(pl.String)
    plain = plain_column(series)
    if plain.dtype != pl.Float64:
        return plain.cast(pl.String)
    number = pl.col(plain.name)
    whole = (number == number.round()) & (number.abs() < 2**53)
    texts = (
        pl.when(whole)
        .then(number.cast(pl.Int64, strict=False).cast(pl.String))
        .when(number.is_not_nan())
        .then(number.cast(pl.String))
    )
    return plain.to_frame().select(texts.alias(plain.name)).to_series()


def _json_texts(series: pl.Series) -> pl.Series:
    texts = [None if cell is None else _json_text(cell) for cell in series.to_list()]
    return pl.Series(series.name, texts, dtype=pl.String)


def _mapping_texts(series: pl.Series) -> pl.Series:
    """Return records as JSON objects without the fields that are null; all null is missing."""
    rows = [{k: v for k, v in (row or {}).items() if v is not None} for row in series.to_list()]
    texts = [_json_text(row) if row else None for row in rows]
    return pl.Series(series.name, texts, dtype=pl.String)


def _json_text(cell: object) -> str:
    return json.dumps(cell, ensure_ascii=False, default=str)


ITEMS = Table("items", Item, key=("item",))
ANNOTATORS = Table("annotators", Annotator, key=("annotator",))
RATINGS = Table(
    "ratings",
    Rating,
    key=("item", "annotator", "question"),
    also={
        "batch": str,
        "started": str,
        "submitted": str,
        "seconds": float,
        "comment": str,
        "revision": int,
        "form": str,
    },
)
EXCLUSIONS = Table("exclusions", Exclusion, key=("item", "annotator", "question"))
LABELS = Table("labels", Label, key=("item", "question", "method"))
COUNTS = Table("counts", Count, key=("relation", "head", "dependent"))
SVO = Table("svo", Triple, key=("subject", "verb", "object"))
EXAMPLES = Table("examples", Example, key=("relation", "head", "dependent", "object", "rank"))
PREDICTIONS = Table("predictions", Prediction, key=("item", "question", "model"))
SCORES = Table("scores", Score, key=("metric", "slice", "model"))

TABLES = {
    table.name: table
    for table in (
        ITEMS,
        ANNOTATORS,
        RATINGS,
        EXCLUSIONS,
        LABELS,
        COUNTS,
        SVO,
        EXAMPLES,
        PREDICTIONS,
        SCORES,
    )
}
