"""What you choose about reading a file of ratings, for all readers to see."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

Duplicates = Literal["stop", "first", "last", "mean"]


@dataclass(frozen=True, slots=True)
class ReadingChoices:
    """How a file of ratings is read, whatever its form.

    Args:
        encoding: Encoding of a text file, None to guess it.
        duplicates: What to do with rows that repeat a rating and differ.
        empty: Whether a file may describe people alone, as an export of Prolific does.
    """

    encoding: str | None = None
    duplicates: Duplicates = "stop"
    empty: bool = False


CHOICES = ReadingChoices()


@dataclass(frozen=True, slots=True)
class ReadingNow:
    """A file that is being read.

    Args:
        choices: How it is read.
        notes: Sentences on what was guessed meanwhile.
    """

    choices: ReadingChoices
    notes: list[str]


_NOW: ContextVar[ReadingNow | None] = ContextVar("reading_now", default=None)


@contextmanager
def choosing(choices: ReadingChoices) -> Iterator[ReadingNow]:
    """Read the file of ratings that is opened meanwhile as chosen."""
    now = ReadingNow(choices, [])
    token = _NOW.set(now)
    try:
        yield now
    finally:
        _NOW.reset(token)


def reading_now() -> ReadingNow | None:
    """Return how the file of ratings that is being read is read; None for any other file."""
    return _NOW.get()
