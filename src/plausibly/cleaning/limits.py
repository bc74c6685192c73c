"""Thresholds that say their direction and whether the boundary itself is crossed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import polars as pl

from plausibly.errors import StudyError

Sign = Literal[">", ">=", "<", "<="]

# Shares and means of shares are sums of rounded fractions: what lies this near to a boundary
# lies on it.
ROUNDING = 1e-9

SIGNS: Mapping[str, Sign] = {
    "more_than": ">",
    "at_least": ">=",
    "fewer_than": "<",
    "below": "<",
    "at_most": "<=",
}


@dataclass(frozen=True, slots=True)
class Limit:
    """A boundary and the side of it that is suspect.

    >>> str(Limit(">", 0.75)), str(Limit("<", 10))
    ('> 0.75', '< 10')
    """

    sign: Sign
    value: float

    def crossed(self, number: pl.Expr) -> pl.Expr:
        """Return whether a number lies on the suspect side; a missing number does not."""
        match self.sign:
            case ">":
                beyond = number > self.value + ROUNDING
            case ">=":
                beyond = number >= self.value - ROUNDING
            case "<":
                beyond = number < self.value - ROUNDING
            case "<=":
                beyond = number <= self.value + ROUNDING
        return beyond.fill_null(False)

    def __str__(self) -> str:
        return f"{self.sign} {self.value:g}"


def limit(**given: float | None) -> Limit:
    """Return the one limit that was given, by the word that says its direction.

    >>> limit(more_than=0.75, at_least=None)
    Limit(sign='>', value=0.75)
    """
    named = {word: value for word, value in given.items() if value is not None}
    if len(named) != 1:
        raise StudyError(f"give one of {' or '.join(given)}; got {', '.join(named) or 'none'}.")
    ((word, value),) = named.items()
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise StudyError(f"{word} must be a number; got {value!r}.")
    return Limit(SIGNS[word], value)
