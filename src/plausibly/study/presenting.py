"""Results as the caller works: tables in their library, ids of their type, in their order.

A result computes with Polars and writes files as their contract says. What Python sees of it is a
view: each table is converted when it is first asked for, and everything else is the result's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import polars as pl

from plausibly.errors import StudyError, UnknownName, option
from plausibly.io.frames import is_table
from plausibly.tables import DISTRIBUTION, text_column

LIBRARIES = ("polars", "pandas", "arrow")
KEYS = ("item", "annotator")
_VIEW = "_view"
_OF_THE_VIEW = frozenset({"as_", "get_table", _VIEW})
_ROOTS = {"polars": "polars", "pandas": "pandas", "pyarrow": "arrow"}


def library_of(value: object) -> str | None:
    """Return the library of a table in memory; None for what is not a table.

    >>> library_of(pl.DataFrame()), library_of("ratings.csv")
    ('polars', None)
    """
    if isinstance(value, Presented):
        return view_of(value).library
    if not is_table(value):
        return None
    return _ROOTS.get(type(value).__module__.partition(".")[0], "polars")


def check_library(name: object) -> str:
    """Return the name of a library; raise at any other."""
    if not isinstance(name, str) or name not in LIBRARIES:
        raise UnknownName("library of tables", str(name), LIBRARIES, parameter="as_")
    return name


@dataclass(frozen=True, eq=False)
class Ids:
    """The ids of items and annotators as they were passed, in the order they came.

    Args:
        sources: From a column of ours to the columns of tables that were passed.
    """

    sources: Mapping[str, Sequence[pl.Series]] = field(default_factory=dict)
    _known: dict[str, tuple[pl.Series, pl.Series]] = field(default_factory=dict)

    def restored(self, table: pl.DataFrame) -> pl.DataFrame:
        """Return a table with ids of their type; one sorted by ids as text, in their order."""
        order = None
        for key in KEYS:
            if key not in table.columns or table[key].dtype != pl.String or key not in self.sources:
                continue
            texts, values = self._pairs(key)
            places = pl.Series(range(len(texts)), dtype=pl.UInt32)
            place = table[key].replace_strict(texts, places, default=None, return_dtype=pl.UInt32)
            if place.null_count() > table[key].null_count():
                continue  # ids that nobody passed stay texts
            if order is None and table[key].is_sorted():
                order = place
            if values.dtype != pl.String:
                table = table.with_columns(values.gather(place).alias(key))
        if order is None or order.is_sorted():
            return table
        rows = pl.DataFrame({"place": order}).with_row_index("row")
        return table[rows.sort("place", maintain_order=True, nulls_last=True)["row"]]

    def _pairs(self, key: str) -> tuple[pl.Series, pl.Series]:
        """Return each id as text and as it was passed, in the order of the first time."""
        if key not in self._known:
            columns = [one.unique(maintain_order=True).drop_nulls() for one in self.sources[key]]
            kind = columns[0].dtype
            alike = [one.alias(key) for one in columns if one.dtype == kind]
            values = pl.concat(alike).unique(maintain_order=True)
            texts = text_column(values).str.strip_chars()
            first = texts.is_first_distinct() & texts.is_not_null()
            own = values.dtype.is_numeric() or values.dtype.is_temporal()
            kept = values if own else texts
            self._known[key] = texts.filter(first), kept.filter(first)
        return self._known[key]


@dataclass(frozen=True, eq=False)
class View:
    """What a caller sees of a result.

    Args:
        result: The result, which computes with Polars.
        library: In which tables are returned.
        ids: The ids that were passed.
    """

    result: Any
    library: str
    ids: Ids
    _tables: dict[int, tuple[object, object]] = field(default_factory=dict)

    def shown(self, value: Any, *, name: str = "") -> Any:
        """Return a table as the caller works with it, and anything else unchanged."""
        if isinstance(value, pl.DataFrame | pl.LazyFrame):
            if id(value) not in self._tables:
                self._tables[id(value)] = (value, self.table(value, name=name))
            return self._tables[id(value)][1]
        if type(value) is dict and any(isinstance(v, pl.DataFrame) for v in value.values()):
            return {key: self.shown(inner, name=key) for key, inner in value.items()}
        return value

    def table(
        self,
        value: pl.DataFrame | pl.LazyFrame,
        *,
        name: str,
        library: str = "",
        wide: bool = False,
    ) -> Any:
        """Return one table as the caller works with it, or as they choose."""
        library = library or self.library
        if isinstance(value, pl.LazyFrame) and library == "polars" and not wide:
            return value
        frame = value.collect() if isinstance(value, pl.LazyFrame) else value
        frame = self.ids.restored(frame)
        numbers = [one for one in self.result.numeric_columns.get(name, ()) if one in frame.columns]
        frame = frame.with_columns(pl.col(numbers).cast(pl.Float64, strict=False))
        return _in_library(_spread(frame) if wide else frame, library)


class Presented:
    """A result whose tables are in the library of the caller; its methods work as they did."""

    def __getattribute__(self, name: str) -> Any:
        if name in _OF_THE_VIEW or (name.startswith("__") and name != "__class__"):
            return object.__getattribute__(self, name)
        view = view_of(self)
        return view.shown(getattr(view.result, name), name=name)

    def as_(self, library: str) -> Any:
        """Return the result with its tables in another library: polars, pandas or arrow."""
        view = view_of(self)
        return presented(view.result, check_library(library), view.ids)

    def get_table(self, name: str, *, as_: str | None = None, wide: bool = False) -> Any:
        """Return one table; see `Result.get_table`."""
        return table_of(view_of(self), name, as_=as_, wide=wide)

    def __reduce__(self) -> tuple[Any, ...]:
        view = view_of(self)
        return presented, (view.result, view.library, view.ids)


def view_of(result: Any) -> View:
    """Return the view a presented result is of; a bare result is its own."""
    if isinstance(result, Presented):
        view: View = object.__getattribute__(result, _VIEW)
        return view
    return View(result, "polars", Ids())


def table_of(view: View, name: str, *, as_: str | None, wide: bool) -> Any:
    """Return one table of a result by name, in a library, its distributions as columns or not."""
    tables = view.result.tables
    if name not in tables:
        raise UnknownName("table", str(name), tables, parameter="name")
    library = view.library if as_ is None else check_library(as_)
    return view.table(tables[name], name=name, library=library, wide=wide)


def presented(result: Any, library: str, ids: Ids) -> Any:
    """Return the view of a result."""
    view = object.__new__(_class(result.__class__))
    object.__setattr__(view, _VIEW, View(result, library, ids))
    return view


@cache
def _class(kind: type) -> Any:
    names = {"__module__": kind.__module__, "__doc__": kind.__doc__}
    return type(kind.__name__, (Presented, kind), names)


def bare(value: object) -> object:
    """Return a result as it computes, whatever the caller sees of it."""
    return view_of(value).result if isinstance(value, Presented) else value


def _in_library(frame: pl.DataFrame, library: str) -> Any:
    mapped = _decoded(frame) if DISTRIBUTION in frame.columns else None
    if library != "pandas":
        frame = frame if mapped is None else frame.with_columns(_records(mapped))
        return frame.to_arrow() if library == "arrow" else frame
    try:
        table: Any = frame.to_pandas()
    except ImportError as error:
        what = f"{option('as_')} is pandas, which is not installed. Run: pip install pandas"
        raise StudyError(what, parameter="as_") from error
    if mapped is not None:
        table[DISTRIBUTION] = mapped
    return table


def _decoded(frame: pl.DataFrame) -> list[dict[str, float] | None] | None:
    """Return the distribution of each row as a mapping; None if they are not texts."""
    if frame[DISTRIBUTION].dtype != pl.String:
        return None
    try:
        mapped = [None if text is None else json.loads(text) for text in frame[DISTRIBUTION]]
    except ValueError:
        return None
    return mapped if all(row is None or isinstance(row, dict) for row in mapped) else None


def _records(mapped: Iterable[Mapping[str, float] | None]) -> pl.Series:
    """Return mappings as a column of records; a label that a row lacks is null there."""
    rows = list(mapped)
    labels = list(dict.fromkeys(label for row in rows if row for label in row))
    kind = pl.Struct(dict.fromkeys(labels, pl.Float64())) if labels else pl.String()
    return pl.Series(DISTRIBUTION, rows if labels else [None] * len(rows), dtype=kind)


def _spread(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a table with one column per label in place of its distributions."""
    mapped = _decoded(frame) if DISTRIBUTION in frame.columns else None
    if mapped is None:
        return frame
    labels = list(dict.fromkeys(label for row in mapped if row for label in row))
    columns = [
        pl.Series(
            f"{DISTRIBUTION}_{label}",
            [None if row is None else row.get(label, 0.0) for row in mapped],
            dtype=pl.Float64,
        )
        for label in labels
    ]
    return frame.drop(DISTRIBUTION).with_columns(columns)
