"""Answers that count as one: the sides of a scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from plausibly.domain import as_number
from plausibly.errors import StudyError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Sides = tuple[frozenset[str], ...]

NO_SIDE = -1


def side_of(answers: Sequence[str], sides: Sides) -> npt.NDArray[np.int32]:
    """Return the side each answer lies on, -1 for none; numbers match as numbers.

    >>> side_of(["1.0", "3", "5"], parse_sides("1,2|4,5")).tolist()
    [0, -1, 1]
    """
    import numpy as np  # whoever only parses sides needs none

    place = {_spelling(answer): number for number, side in enumerate(sides) for answer in side}
    return np.asarray([place.get(_spelling(a), NO_SIDE) for a in answers], dtype=np.int32)


def parse_sides(text: str) -> Sides:
    """Return the sides written as answers separated by commas, sides by bars.

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
        twice = sorted(answer for answer in side if _spelling(answer) in seen)
        if twice:
            raise StudyError(f"sides {text!r}: answer {twice[0]} lies on two sides. Name it once.")
        seen |= {_spelling(answer) for answer in side}
    return sides


def _spelling(answer: str) -> str | float:
    number = as_number(answer)
    return answer if number is None else number
