"""Whether a check was passed: an answer next to the expected one, a list of them, or a side."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from plausibly.domain import as_number
from plausibly.errors import StudyError
from plausibly.measures.jaccard import NO_SIDE, Sides, side_of

EXPECTED_QUESTION = "expected_question"
"""Column of items: the question whose answer `expected` is."""

# An item that happened is expected to be judged plausible (the last side), a perturbed one
# implausible (the first).
LAST_SIDE = ("plausible", "attested")
FIRST_SIDE = ("implausible", "perturbed")

# An answer so many steps of the scale away from a gold key is off (Emami et al., 2021, 4.1).
OFF_STEPS = 2


def passed(
    answer: str, expected: str, *, kind: str, sides: Sides | None, scale: Sequence[str] = ()
) -> bool:
    """Return whether an item that is there to look at people was answered well.

    The server asks it of each answer and cleaning of all of them. A check asks for the side of
    the expected answer, an attention item for that very answer, a gold item for one that is not
    off its key by `OFF_STEPS` steps or more.

    >>> passed("4", "5", kind="gold", sides=None), passed("4", "5", kind="attention", sides=None)
    (True, False)
    """
    if kind == "gold":
        apart = steps_apart(answer, expected, scale)
        return apart is None or apart < OFF_STEPS
    return meets(answer, expected, None if kind == "attention" else sides)


def steps_apart(answer: str, expected: str, scale: Sequence[str]) -> float | None:
    """Return how far two answers lie apart on a scale, None if one lies outside it.

    >>> steps_apart("impossible", "necessary", ["impossible", "equal", "necessary"])
    2.0
    """
    places = [place_of(one, scale) for one in (answer, expected)]
    if places[0] is None or places[1] is None:
        return None
    return abs(places[0] - places[1])


def place_of(answer: str, scale: Sequence[str]) -> float | None:
    """Return the place of an answer: its rank in the scale, or the number it is."""
    return float(scale.index(answer)) if answer in scale else as_number(answer)


def unexpected(answers: pl.DataFrame, *, sides: Sides | None) -> pl.DataFrame:
    """Return the answers that are not what was expected.

    `expected` holds an answer, several separated by commas, semicolons or bars, or the words
    plausible and implausible for the last and first side. With sides, an answer on the side of
    an expected answer is as good; without, it must be that answer. An item without an expected
    answer expects nothing.
    """
    distinct = answers.select("answer", "expected").drop_nulls().unique()
    wrong = [not meets(answer, expected, sides) for answer, expected in distinct.iter_rows()]
    return answers.join(
        distinct.filter(pl.Series(wrong, dtype=pl.Boolean)),
        on=["answer", "expected"],
        how="semi",
        maintain_order="left",
    )


def meets(answer: str, expected: str, sides: Sides | None) -> bool:
    """Return whether an answer is as expected.

    >>> from plausibly.measures.jaccard import parse_sides
    >>> sides = parse_sides("1,2|4,5")
    >>> meets("4", "5", sides), meets("4", "plausible", sides), meets("3", "5", sides)
    (True, True, False)
    >>> meets("4", "5", None), meets("4.0", "4", None), meets("2", "1,2", None)
    (False, True, True)
    """
    wanted = expected_answers(expected)
    if any(same(answer, one) for one in wanted):
        return True
    words = (*LAST_SIDE, *FIRST_SIDE)
    if expected in words:
        if sides is None and answer in words:
            return False
        if sides is None:
            raise StudyError(
                f"a check expects {expected!r}, but the answers are like {answer!r}. Name the "
                "answers of each side, lowest first, with sides, as in '1,2|4,5'."
            )
        return answer_side(answer, sides) == expected_side(expected, sides)
    if sides is None:
        return False
    return answer_side(answer, sides) in {answer_side(one, sides) for one in wanted} - {NO_SIDE}


def expected_answers(expected: str) -> list[str]:
    """Return the answers that are as expected: the whole text, and its parts.

    >>> expected_answers("1, 2")
    ['1, 2', '1', '2']
    """
    return [expected, *re.split(r"\s*[,;|]\s*", expected)]


def same(answer: str, other: str) -> bool:
    """Return whether two answers are one, numbers compared as numbers."""
    number = as_number(answer)
    return answer == other or (number is not None and number == as_number(other))


def answer_side(answer: str, sides: Sides) -> int:
    """Return the side an answer lies on, -1 for none."""
    return int(side_of([answer], sides)[0])


def expected_side(word: str, sides: Sides) -> int:
    """Return the side that the words plausible, attested, implausible or perturbed name."""
    return len(sides) - 1 if word in LAST_SIDE else 0


def side_column(answers: pl.Series, sides: Sides) -> pl.Series:
    """Return the side each answer lies on, -1 for none."""
    distinct = answers.unique().to_list()
    places = side_of(distinct, sides).tolist()
    return answers.replace_strict(distinct, places, default=NO_SIDE, return_dtype=pl.Int32)
