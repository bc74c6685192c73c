"""A call from Python: arguments as people write them, results in the library they work with.

Commands and studies pass what `Declaration.call` takes, and get what it returns. A notebook may
also pass tables of any library, numbers of NumPy, and lists and mappings where the command has a
text: `sides=[[1, 2], [4, 5]]` is `--sides '1,2|4,5'`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Integral
from typing import Any, Protocol, get_args

import polars as pl

from plausibly.errors import StudyError, about, option
from plausibly.io.dialect import spelling
from plausibly.io.frames import as_frame, is_table
from plausibly.study.arguments import bound_arguments, checked_argument, plain_failures
from plausibly.study.made import is_making, may_be_source
from plausibly.study.presenting import (
    KEYS,
    Ids,
    Presented,
    bare,
    check_library,
    library_of,
    presented,
    view_of,
)

AS = "as_"
COLUMNS = "columns"
NOT_SOURCES = (bool, int, float, complex, bytes, bytearray, set, frozenset, range, slice, type)


class Callee(Protocol):
    """What is called: a declaration, or anything else with a signature."""

    @property
    def signature(self) -> inspect.Signature:
        """Its signature."""
        ...

    @property
    def kinds(self) -> Mapping[str, Any]:
        """From an argument to its annotation, those of methods included."""
        ...

    def call(self, *positions: Any, **keywords: Any) -> Any:
        """Do the work, with tables of Polars."""
        ...


def python_call(callee: Callee, /, *positions: Any, **keywords: Any) -> Any:
    """Call a verb as Python does, and return its result as the caller works.

    Args:
        callee: The declaration of the verb.
        positions: Arguments by place.
        keywords: Arguments by name; `as_` chooses the library of the result's tables.
    """
    if is_making():  # one verb calls another
        return callee.call(*positions, **keywords)
    signature, kinds = callee.signature, callee.kinds
    chosen = keywords.pop(AS, None) if AS not in signature.parameters else None
    library = None if chosen is None else check_library(chosen)
    bound = bound_arguments(signature, positions, keywords)
    sources: list[_Source] = []
    for name, value in bound.arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            entered = {
                key: _entered(key, one, kinds.get(key), sources) for key, one in value.items()
            }
            bound.arguments[name] = entered
        elif kind is inspect.Parameter.VAR_POSITIONAL:
            places = tuple(_entered(name, one, kinds.get(name), sources) for one in value)
            bound.arguments[name] = places
        else:
            bound.arguments[name] = _entered(name, value, kinds.get(name), sources)
    if bound.arguments.get("watch", callee) is None:  # nothing receives the progress
        del bound.arguments["watch"]
    with plain_failures():
        result = callee.call(*bound.args, **bound.kwargs)
    if not hasattr(type(result), "numeric_columns"):
        return result
    of_input = next((one.library for one in sources), "polars")
    named = bound.arguments.get(COLUMNS)
    ids = _ids(sources, named if isinstance(named, Mapping) else {})
    return presented(bare(result), library or of_input, ids)


@dataclass(frozen=True, slots=True)
class _Source:
    """A table that was passed.

    Args:
        library: The library it is of.
        table: The table in Polars, or the view of a result that holds it.
        numbers: The columns of pandas that are named by numbers: items, in a wide table.
    """

    library: str
    table: Any
    numbers: Sequence[int] = ()


def _entered(name: str, value: Any, kind: Any, sources: list[_Source]) -> Any:
    """Return an argument as a verb takes it; tables in it are noted and become Polars."""
    library = library_of(value)
    if library is not None:
        if kind is not None and not _takes_tables(kind):
            what = f"{option(name)} cannot be a table; got a {type(value).__name__}."
            raise StudyError(what, parameter=name)
        with about(name):
            foreign = is_table(value) and not isinstance(value, pl.DataFrame | pl.LazyFrame)
            table = as_frame(value, where=name) if foreign else value
        heads = getattr(value, COLUMNS, ()) if foreign else ()
        numbers = [int(one) for one in heads if isinstance(one, Integral)]
        sources.append(_Source(library, table, numbers))
        return bare(table)
    if isinstance(value, list | tuple) and any(map(library_of, value)):
        return type(value)(_entered(name, one, kind, sources) for one in value)
    if kind is not None and may_be_source(kind):
        _require_source(name, value, kind)
    return checked_argument(name, kind, value)


def _takes_tables(kind: Any) -> bool:
    """Return whether an annotation admits a table."""
    return kind in (object, Any, pl.DataFrame, pl.LazyFrame) or any(
        map(_takes_tables, get_args(kind))
    )


def _require_source(name: str, value: Any, kind: Any) -> None:
    """Raise if a path or a table is expected and something else was passed."""
    empty = isinstance(value, str) and not value
    other = object in (kind, *get_args(kind)) and isinstance(value, NOT_SOURCES)
    if empty or other:
        what = "is empty" if empty else f"must be a path or a table; got {value!r}"
        raise StudyError(f"{option(name)} {what}. Pass a path, or a table.", parameter=name)


def _ids(sources: Sequence[_Source], columns: Mapping[str, str]) -> Ids:
    """Return the ids in the tables that were passed; they are read when they are needed."""
    known: dict[str, list[pl.Series]] = {}
    for source in sources:
        pairs = [*_columns(source.table, columns)]
        if source.numbers and "item" not in dict(pairs):
            pairs.append(("item", pl.Series(source.numbers, dtype=pl.Int64)))
        for key, series in pairs:
            known.setdefault(key, []).append(series)
    return Ids(known)


def _columns(table: Any, columns: Mapping[str, str]) -> Iterator[tuple[str, pl.Series]]:
    if isinstance(table, Presented):
        for key, several in view_of(table).ids.sources.items():
            yield from ((key, one) for one in several)
        return
    if isinstance(table, pl.LazyFrame):
        return  # it is read once, by the verb
    names = {spelling(name): name for name in reversed(table.columns)}
    for key in KEYS:
        theirs = columns.get(key, names.get(key))
        if theirs in table.columns and not table[theirs].dtype.is_nested():
            yield key, table[theirs]


def check_call(parameters: Mapping[str, Any], *, watch: object = None) -> None:
    """Raise if a number is not one, or if what receives the progress cannot.

    Args:
        parameters: The arguments of a call.
        watch: What was passed to receive the progress; None for nothing.
    """
    for name, value in parameters.items():
        if isinstance(value, float) and not isfinite(value):
            raise StudyError(f"{option(name)} must be a number; got {value}.", parameter=name)
    receives = (callable(getattr(watch, name, None)) for name in ("begin", "advance"))
    if watch is not None and not all(receives):
        what = f"{option('watch')} must have begin() and advance(); got {watch!r}."
        raise StudyError(what, parameter="watch")
