"""Which scale the answers to a question are on, judged from the answers alone.

Two values, or words, are nominal; 3 to 11 consecutive whole numbers are ordinal; whole numbers over
a wider range, or decimals, are interval. Words are ordinal only if their order is declared. Whole
numbers can also be codes of categories: where the different answers to an item never include two
neighbouring values, and where few whole numbers have gaps, nothing is guessed. Words such as "not
sure" next to numbers are not part of the scale. A question called `comment` is a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import polars as pl

from plausibly.domain import as_number
from plausibly.errors import StudyError
from plausibly.measures._grouping import Floats
from plausibly.measures.coded import codes_of, numbers_of

ScaleName = Literal["nominal", "ordinal", "interval", "text", "ask"]

FEWEST_ORDINAL = 3
MOST_ORDINAL = 11
MANY_WORDS = 20
MIN_SINGLE_SHARE = 0.5
COMMENT = "comment"
NAMED = 3  # words among numbers that are named
# Words that platforms store as 0: no place on a scale, whatever number stands next to them.
UNSURE = ("not sure", "i'm not sure", "i am not sure", "unsure", "don't know", "i don't know")


@dataclass(frozen=True, slots=True)
class InferredScale:
    """The scale of a question, with the reason.

    Args:
        scale: nominal, ordinal, interval or text; "ask" if the answers do not decide it.
        reason: Why, in words for the report.
    """

    scale: ScaleName
    reason: str


def is_unsure(answers: pl.Series) -> pl.Series:
    """Return which answers are words such as "not sure".

    >>> is_unsure(pl.Series(["4", "Not sure"])).to_list()
    [False, True]
    """
    return answers.str.strip_chars().str.to_lowercase().is_in(UNSURE)


def scales_of(ratings: pl.DataFrame) -> dict[str, InferredScale]:
    """Return the scale of each question of a table with item, question and answer."""
    parts = ratings.partition_by("question", as_dict=True, maintain_order=True)
    return {
        str(question): scale_of(part, question=str(question)) for (question,), part in parts.items()
    }


def scale_of(
    ratings: pl.DataFrame, *, order: Sequence[str] = (), question: str = ""
) -> InferredScale:
    """Return the scale of one question.

    Args:
        ratings: Columns item and answer; missing answers are left out.
        order: The answers from least to most, if their order is declared.
        question: Its name; a comment is a text.

    >>> scale_of(pl.DataFrame({"item": ["t1", "t1", "t2"], "answer": ["1", "2", "3"]})).scale
    'ordinal'
    """
    known = ratings.select("item", "answer").drop_nulls("answer")
    distinct = known["answer"].unique()
    if len(distinct) == 0:
        return InferredScale("ask", "there are no answers")
    if order:
        return _declared(distinct, order)
    unsure = is_unsure(distinct)
    numbers = numbers_of(distinct.filter(~unsure))
    if question == COMMENT and numbers is None:
        return InferredScale("text", "a comment")
    if numbers is None or len(numbers) == 0:
        return _of_words(known["answer"])
    if not unsure.any():
        return _of_numbers(known, numbers)
    found = _of_numbers(known.filter(~is_unsure(known["answer"])), numbers)
    words = ", ".join(repr(word) for word in distinct.filter(unsure).sort())
    return replace(found, reason=f"{found.reason}; {words} is not part of the scale")


def _declared(distinct: pl.Series, order: Sequence[str]) -> InferredScale:
    unknown = sorted(set(distinct) - set(order))
    if unknown:
        raise StudyError(
            f"{len(unknown)} answers are not in the declared order (first: {unknown[0]!r}). "
            f"Declared: {', '.join(order)}."
        )
    return InferredScale("ordinal", "the order of the answers is declared")


def _of_words(answers: pl.Series) -> InferredScale:
    """Return nominal, or text where most of many answers occur only once."""
    counts = answers.value_counts()
    singles = int((counts["count"] == 1).sum())
    found = InferredScale("nominal", "the answers are words")
    if len(counts) > MANY_WORDS and singles >= MIN_SINGLE_SHARE * len(answers):
        found = InferredScale("text", f"{singles} of {len(answers)} answers occur only once")
    words = counts.filter([as_number(answer) is None for answer in counts["answer"]])
    number = int(words["count"].sum())
    if 2 * number >= len(answers):
        return found
    named = ", ".join(repr(word) for word in words["answer"].sort()[:NAMED])
    what = "is not a number" if number == 1 else "are not numbers"
    return replace(found, reason=f"{number} of {len(answers)} answers {what}: {named}")


def _of_numbers(known: pl.DataFrame, numbers: Floats) -> InferredScale:
    values = np.unique(numbers)
    size, low, high = len(values), values[0], values[-1]
    if size < FEWEST_ORDINAL:
        few = "only 1 answer" if size == 1 else f"only {size} different answers"
        return InferredScale("nominal", f"there {'is' if size == 1 else 'are'} {few}")
    if not np.array_equal(values, np.round(values)):
        return InferredScale("interval", "some answers have decimals")
    if not _neighbours_meet(known, values):
        return InferredScale(
            "ask",
            "no item has two neighbouring answers, so the numbers may be codes of categories",
        )
    if high - low >= MOST_ORDINAL:
        found = f"the answers are {size} whole numbers from {low:g} to {high:g}"
        return InferredScale("interval", found)
    if high - low + 1 == size:
        return InferredScale("ordinal", f"the answers are the whole numbers {low:g} to {high:g}")
    return InferredScale("ask", f"the answers are {size} whole numbers with gaps")


def _neighbours_meet(known: pl.DataFrame, values: Floats) -> bool:
    """Return whether some item has two answers that are neighbours among all answers.

    Where no item has two different answers, nothing speaks against a scale.
    """
    known = known.unique()
    numbers = numbers_of(known["answer"])
    if numbers is None:
        return False
    place = np.searchsorted(values, numbers)
    item = codes_of(known["item"])[0].astype(np.int64)
    seen = np.unique(item * len(values) + place)
    same_item = np.diff(seen // len(values)) == 0
    steps = np.diff(seen)[same_item]
    return len(steps) == 0 or bool((steps == 1).any())
