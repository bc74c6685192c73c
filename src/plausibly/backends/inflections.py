"""lemminflect as what is wanted of it here, tables of English forms, without the spaCy it loads."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from threading import get_ident
from types import ModuleType

from plausibly.errors import MissingExtra

HOOKED = "spacy"


def lemminflect(purpose: str) -> ModuleType:
    """Return lemminflect, or say which extra brings it.

    It imports spaCy, and with it torch, where these are installed, only to add methods to spaCy's
    tokens, which nothing here calls: four seconds of every command that asks about a word. So spaCy
    is not there for it, unless it has been loaded already.

    Args:
        purpose: What it is wanted for, for the error.
    """
    try:
        with _unhooked():
            import lemminflect
    except ImportError as error:
        raise MissingExtra(purpose, "parse") from error
    module: ModuleType = lemminflect
    return module


@contextmanager
def _unhooked() -> Iterator[None]:
    if HOOKED in sys.modules:
        yield
        return
    finder = _Absent(get_ident())
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Absent(MetaPathFinder):
    """Finds no spaCy in one thread and leaves everything else to others."""

    def __init__(self, thread: int) -> None:
        self._thread = thread

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Raise for spaCy; return None, for the next finder, for any other module."""
        del path, target
        if fullname == HOOKED and get_ident() == self._thread:
            raise ModuleNotFoundError(f"{fullname} must not be imported here", name=fullname)
        return None
