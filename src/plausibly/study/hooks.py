"""What a study asks about a step before it runs: whether it has it, and which files it reads.

A hook is a function, or a frozen dataclass that is called, in a module that needs no library of
tables. The outline of a protocol names it by its place, so that `status` imports nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from plausibly.registry import resolved

Parameters = Mapping[str, Any]
HOOK = "hook"


@dataclass(frozen=True)
class Named:
    """Returns the files of the study that parameters name.

    Args:
        keys: Keys of the section that may name a file.
        always: Files that are read wherever they are.

    >>> Named(("train", "scheme"))({"train": "pairs.csv", "scheme": "binary"})
    ('pairs.csv',)
    """

    keys: tuple[str, ...] = ()
    always: tuple[str, ...] = ()

    def __call__(self, parameters: Parameters) -> tuple[str, ...]:
        """Return what has a suffix."""
        chosen = [parameters.get(name) for name in self.keys]
        named = (one for one in chosen if isinstance(one, str) and Path(one).suffix)
        return (*named, *self.always)


@dataclass(frozen=True)
class Listed:
    """Returns what one key names: nothing, a file, or a list of files.

    >>> Listed("files")({"files": ["a.txt", "b.txt"]}), Listed("items")({"items": None})
    (('a.txt', 'b.txt'), ())
    """

    key: str = ""

    def __call__(self, parameters: Parameters) -> tuple[str, ...]:
        """Return the files."""
        value = parameters.get(self.key) or ()
        return (str(value),) if isinstance(value, str | Path) else tuple(value)


@dataclass(frozen=True)
class Placed:
    """Returns what keys name: files, folders, lists of them; what is not there is no input.

    >>> Placed(("counts", "vectors"))({"counts": "corpus", "vectors": None})
    ('corpus',)
    """

    keys: tuple[str, ...] = ()

    def __call__(self, parameters: Parameters) -> tuple[str, ...]:
        """Return the names."""
        return tuple(name for key in self.keys for name in Listed(key)(parameters))


@dataclass(frozen=True)
class Set:
    """Returns whether a study sets a key to something.

    >>> Set("ask", "model")({"ask": {"model": ["mock:1"]}}, {})
    True
    """

    section: str
    key: str

    def __call__(self, sections: Mapping[str, Parameters], defaults: Parameters) -> bool:
        """Return whether it is set; the defaults do not matter."""
        del defaults
        return bool(sections.get(self.section, {}).get(self.key))


@dataclass(frozen=True)
class Unset:
    """Returns files that are not written because a key is not set.

    >>> Unset("clean", "top_up", ("rounds.parquet",))({"clean": {"top_up": False}})
    ('rounds.parquet',)
    """

    section: str
    key: str
    files: tuple[str, ...]

    def __call__(self, sections: Mapping[str, Parameters]) -> tuple[str, ...]:
        """Return the files unless the key is set."""
        return () if sections.get(self.section, {}).get(self.key) else self.files


def no_files(parameters: Parameters) -> tuple[str, ...]:
    """Return that parameters name no file."""
    del parameters
    return ()


def written_hook(hook: Callable[..., Any] | None) -> Any:
    """Return a hook as JSON: the place of a function, or a class with its fields.

    >>> written_hook(Set("ask", "model"))
    ['plausibly.study.hooks:Set', {'section': 'ask', 'key': 'model'}]
    """
    if hook is None:
        return None
    if is_dataclass(hook) and not isinstance(hook, type):
        values = {one.name: getattr(hook, one.name) for one in fields(hook)}
        return [_place(type(hook)), {name: _value(one) for name, one in values.items()}]
    return _place(hook)


def _value(value: Any) -> Any:
    return {HOOK: written_hook(value)} if callable(value) else value


def read_hook(written: Any) -> Any:
    """Return the hook that `written_hook` wrote.

    >>> read_hook("plausibly.study.hooks:no_files")({})
    ()
    """
    if written is None or isinstance(written, str):
        return written and resolved(written)
    place, values = written
    return resolved(place)(**{name: _read_value(one) for name, one in values.items()})


def _read_value(value: Any) -> Any:
    if isinstance(value, Mapping) and HOOK in value:
        return read_hook(value[HOOK])
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True)
class Later:
    """A hook that is imported when it is called, because what it needs takes long to import.

    Args:
        written: As `written_hook` writes it.

    >>> Later("plausibly.study.hooks:no_files")({})
    ()
    """

    written: Any

    def __call__(self, *positions: Any, **keywords: Any) -> Any:
        """Call the hook."""
        return read_hook(self.written)(*positions, **keywords)


def _place(named: Any) -> str:
    place = f"{named.__module__}:{named.__qualname__}"
    if "<" in place or "." in named.__qualname__:
        raise TypeError(f"{place} has no name in its module; a hook of a step needs one")
    return place
