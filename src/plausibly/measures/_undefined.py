"""Reasons why a measure has no value, in the words of the user's data."""

from __future__ import annotations

from plausibly.domain import as_number
from plausibly.measures._sample import Sample
from plausibly.measures.coded import Coded

ONE_ANSWER = "all answers are the same"


def not_numbers(coded: Coded) -> str:
    """Return that answers are not numbers, with the first such answer.

    If others are numbers, a single "not sure" leaves a measure without a value: the text shows
    what helps.
    """
    words = [answer for answer in coded.answers if as_number(answer) is None]
    reason = f"answers are not numbers (first: {words[0]!r})"
    if len(words) == coded.n_answers:
        return reason
    return f"{reason}; they can be left out as missing answers"


def no_numbers(coded: Coded) -> str | None:
    """Return that answers are not numbers, or None if they are."""
    return not_numbers(coded) if coded.values is None else None


def unpaired(sample: Sample) -> str | None:
    """Return why nothing can be compared, or None if some item has two ratings."""
    if sample.paired.any():
        return None
    return no_shared_item(sample.coded)


def no_shared_item(coded: Coded) -> str:
    """Return that no two annotators share an item, by name if there are only two."""
    names = coded.annotators.head(2).to_list()
    if coded.n_annotators == 0:
        return "there are no ratings"
    if coded.n_annotators == 1:
        return f"the only annotator is {names[0]}"
    if coded.n_annotators == 2:
        return f"annotators {names[0]} and {names[1]} share no item"
    return "no two annotators share an item"
