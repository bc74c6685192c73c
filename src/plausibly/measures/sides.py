"""Sides of a scale: answers that count as one, written as in `1,2|4,5`."""

from __future__ import annotations

from plausibly.domain import as_number
from plausibly.errors import StudyError

Sides = tuple[frozenset[str], ...]


def parse_sides(text: str) -> Sides:
    """Return the sides written as answers between commas, sides between bars.

    >>> [sorted(side) for side in parse_sides("1,2|4,5")]
    [['1', '2'], ['4', '5']]
    """
    sides = tuple(
        frozenset(answer.strip() for answer in side.split(",") if answer.strip())
        for side in text.split("|")
    )
    if not all(sides):
        raise StudyError(f"sides {text!r}: a side is empty. Write them as in '1,2|4,5'.")
    seen: set[str | float] = set()
    for side in sides:
        twice = sorted(answer for answer in side if spelling(answer) in seen)
        if twice:
            raise StudyError(f"sides {text!r}: answer {twice[0]} lies on two sides. Name it once.")
        seen |= {spelling(answer) for answer in side}
    return sides


def spelling(answer: str) -> str | float:
    """Return an answer as it is compared: as a number where it is one."""
    number = as_number(answer)
    return answer if number is None else number
