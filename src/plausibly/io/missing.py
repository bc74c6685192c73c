"""Which answers are none: an empty cell, and the words programs write for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

WORDS = ("NA", "N/A", "NaN", "nan", "None")


@dataclass(frozen=True, slots=True)
class Missing:
    """The answers that are left out and counted.

    Args:
        words: As they stand in a cell, spaces around them aside.
        blank: Whether an empty or blank cell is one, too.
    """

    words: frozenset[str]
    blank: bool = True

    def marks(self, answers: pl.Series) -> pl.Series:
        """Return for each answer whether it is none."""
        bare = answers.str.strip_chars()
        marked = bare.is_in(list(self.words)).fill_null(value=False)
        empty = (bare.is_null() | (bare == "")).fill_null(value=True)
        return marked | empty if self.blank else marked

    def is_none(self, answer: str | None) -> bool:
        """Tell whether one answer is none.

        >>> MISSING.is_none(" NA "), MISSING.is_none(""), MISSING.is_none("none")
        (True, True, False)
        """
        bare = (answer or "").strip()
        return bare in self.words or (self.blank and not bare)


MISSING = Missing(frozenset(WORDS))
NOTHING = Missing(frozenset(), blank=False)


def missing_answers(told: str | Sequence[str] | Missing | None) -> Missing:
    """Return which answers are none: the usual words, and those a user adds; "" for none at all.

    >>> sorted(missing_answers("not sure, -").words - MISSING.words)
    ['-', 'not sure']
    >>> missing_answers("").blank
    False
    """
    if told is None:
        return MISSING
    if isinstance(told, Missing):
        return told
    given = told.split(",") if isinstance(told, str) else told
    words = frozenset(word.strip() for word in given if word.strip())
    return Missing(MISSING.words | words) if words else NOTHING
