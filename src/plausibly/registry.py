"""Names to objects, resolved on first use so that a command loads only what it needs.

The protocols stand above everything that asks for one by name, so their table is text.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from plausibly.errors import StudyError, UnknownName

T = TypeVar("T")

PROTOCOLS = {
    "adept": "plausibly.protocols.adept.protocol:ADEPT",
    "custom": "plausibly.protocols.custom.protocol:CUSTOM",
    "gita": "plausibly.protocols.gita.protocol:GITA",
    "iks": "plausibly.protocols.iks.protocol:IKS",
    "pap": "plausibly.protocols.pap.protocol:PAP",
    "sp10k": "plausibly.protocols.sp10k.protocol:SP10K",
}
OPEN = "custom"
"""The protocol whose steps a folder of TOML files has."""


class Registry(Generic[T]):
    """Names, each standing for `package.module:attribute`; an open one takes code from outside.

    An open registry also knows the entry points of its group, anything written as
    `package.module:NAME`, and callables themselves.

    >>> kinds: Registry[type] = Registry("kind", {"path": "pathlib:PurePath"})
    >>> kinds["path"].__name__
    'PurePath'
    >>> list(kinds)
    ['path']
    >>> Registry("kind", {}, group="plausibly.kinds")["pathlib:PurePath"].__name__
    'PurePath'
    """

    def __init__(self, kind: str, places: Mapping[str, str], *, group: str = "") -> None:
        self.kind = kind
        self.group = group
        self._places = dict(places)

    def __getitem__(self, name: str | Callable[..., Any]) -> T:
        if not isinstance(name, str):
            return self._passed(name)
        if name in self._places:
            return cast(T, resolved(self._places[name]))
        if self.group and ":" in name:
            return cast(T, _outside(self.kind, name, name))
        entry = self._entries().get(name)
        if entry is None:
            raise UnknownName(self.kind, name, self)
        return cast(T, _outside(self.kind, name, entry.value))

    def is_ours(self, name: object) -> bool:
        """Return whether a name stands for something of this package."""
        return name in self._places

    def file_of(self, name: str) -> Path:
        """Return the file of the module that a name is about."""
        entry = self._entries().get(name)
        place = self._places.get(name) or (entry.value if entry and ":" not in name else name)
        return Path(import_module(place.partition(":")[0]).__file__ or "")

    def _passed(self, value: object) -> T:
        if not self.group or not callable(value):
            raise UnknownName(self.kind, repr(value), self)
        return cast(T, value)

    def _entries(self) -> dict[str, EntryPoint]:
        return _entry_points(self.group) if self.group else {}

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._places, *self._entries()}))

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return bool(self.group) and callable(name)
        return name in self._places or (
            bool(self.group) and (":" in name or name in self._entries())
        )

    def __len__(self) -> int:
        return len({*self._places, *self._entries()})


@cache
def _entry_points(group: str) -> dict[str, EntryPoint]:
    return {one.name: one for one in entry_points(group=group)}


def called(name: str | Callable[..., Any]) -> str:
    """Return what a method, measure or rule is called: its name, or that of the function.

    >>> called("mace"), called(len), called("mylab.votes:loudest")
    ('mace', 'len', 'loudest')
    """
    if isinstance(name, str):
        return name.rpartition(":")[2]
    return str(getattr(name, "__name__", type(name).__name__))


_IMPORTED: ContextVar[list[str] | None] = ContextVar("imported", default=None)


@contextmanager
def noting_outside() -> Iterator[list[str]]:
    """Yield a list that receives the place of all code from outside that is imported meanwhile."""
    places: list[str] = []
    before = _IMPORTED.set(places)
    try:
        yield places
    finally:
        _IMPORTED.reset(before)


def _outside(kind: str, name: str, place: str) -> Any:
    """Return what somebody else's code has at a place; raise if there is nothing."""
    try:
        with _from_here():
            value = resolved(place)
    except (ImportError, AttributeError, ValueError) as error:
        raise StudyError(
            f"{kind} {name!r} cannot be imported ({error}). Write package.module:NAME, and check "
            "that the package is installed."
        ) from error
    noted = _IMPORTED.get()
    if noted is not None and place not in noted:
        noted.append(place)
    return value


@contextmanager
def _from_here() -> Iterator[None]:
    """Let modules of the working folder be imported, as `python -m` does."""
    here = str(Path.cwd())
    if here in sys.path:
        yield
        return
    sys.path.insert(0, here)
    try:
        yield
    finally:
        sys.path.remove(here)


def resolved(place: str) -> Any:
    """Return what is at `package.module:NAME`.

    >>> resolved("pathlib:PurePath").__name__
    'PurePath'
    """
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)
