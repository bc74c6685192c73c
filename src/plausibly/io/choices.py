"""What you choose about reading a file of ratings, for all readers to see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Duplicates = Literal["stop", "first", "last", "mean"]
Decimal = Literal[".", ","]


@dataclass(frozen=True, slots=True)
class ReadingChoices:
    """How a file of ratings is read, whatever its form.

    Args:
        encoding: Encoding of a text file, None to guess it.
        duplicates: What to do with rows that repeat a rating and differ.
        empty: Whether a file may describe people alone, as an export of Prolific does.
        header_row: Line of the header, counted from 1; None to find it below title lines.
        sheet: Name or number of the sheet of a workbook; None for the first.
        decimal: The decimal sign, None to find it.
    """

    encoding: str | None = None
    duplicates: Duplicates = "stop"
    empty: bool = False
    header_row: int | None = None
    sheet: str | None = None
    decimal: Decimal | None = None


CHOICES = ReadingChoices()


@dataclass(frozen=True, slots=True)
class ReadingNow:
    """A file that is being read.

    Args:
        choices: How it is read.
        notes: Sentences on what was guessed meanwhile.
        facts: How the file is laid out, as far as it is known by now.
        columns: What is known about each column of the file, by its name.
        dropped: How many rows or answers were left out, by the reason.
        duplicates: How many rows repeat a rating, by what became of them.
        contents: The bytes of each file that was read, because a pipe can be read only once.
    """

    choices: ReadingChoices
    notes: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, Any] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    duplicates: Counter[str] = field(default_factory=Counter)
    contents: dict[Path, bytes] = field(default_factory=dict)


_NOW: ContextVar[ReadingNow | None] = ContextVar("reading_now", default=None)
_GUESSES: ContextVar[tuple[list[str], ...]] = ContextVar("guesses", default=())


@contextmanager
def reporting_guesses(guesses: list[str]) -> Iterator[None]:
    """Let any table that is opened meanwhile be guessed at, and keep what was guessed.

    Args:
        guesses: Receives one sentence per guess. Without such a list nothing is guessed.
    """
    token = _GUESSES.set((*_GUESSES.get(), guesses))
    try:
        yield
    finally:
        _GUESSES.reset(token)


def may_guess() -> bool:
    """Return whether a guess about the file that is being read would be reported."""
    return _NOW.get() is not None or bool(_GUESSES.get())


def report_guess(sentence: str) -> None:
    """Keep a guess about the file that is being read, once."""
    now = _NOW.get()
    for guesses in _GUESSES.get() if now is None else (now.notes,):
        if sentence not in guesses:
            guesses.append(sentence)


@contextmanager
def choosing(choices: ReadingChoices) -> Iterator[ReadingNow]:
    """Read the file of ratings that is opened meanwhile as chosen."""
    now = ReadingNow(choices)
    token = _NOW.set(now)
    try:
        yield now
    finally:
        _NOW.reset(token)


def reading_now() -> ReadingNow | None:
    """Return how the file of ratings that is being read is read; None for any other file."""
    return _NOW.get()


def noting(**facts: object) -> None:
    """Keep how the file that is being read is laid out."""
    now = _NOW.get()
    if now is not None:
        now.facts.update(facts)


def dropping(reason: str, count: int) -> None:
    """Count what is left out of the file that is being read."""
    now = _NOW.get()
    if now is not None and count:
        now.dropped[reason] += count
