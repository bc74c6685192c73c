"""Numbers of which a survey writes some with their label: 1 - not at all, 2, 3, 4, 5 - fully."""

from __future__ import annotations

import re

import polars as pl

from plausibly.io.missing import Missing

_LABELLED = re.compile(
    r"^\s*([+-]?\d{1,3})\s*(?:[-\u2013\u2014:.=)(\[]\s*|\s)([^\W\d].*?)[)\]]?\s*$"
)
_NUMBER = re.compile(r"^\s*[+-]?\d{1,3}\s*$")
_FEWEST = 2  # numbers without a label, below which answers are words
# A label of somebody who has no answer: the number next to it is a code.
_NO_ANSWER = re.compile(
    r"\b(don'?t know|do not know|no idea|not (sure|applicable)|unsure|no opinion|"
    r"can'?t (say|tell)|cannot (say|tell)|wei(ß|ss) (ich )?nicht|"
    r"keine (ahnung|angabe|antwort|meinung)|nicht (sicher|zutreffend)|non (so|saprei|applicabile)|"
    r"ne sais? pas|sans (avis|opinion|réponse)|non applicable|"
    r"no (sé|sabe|aplica|answer|contesta))\b",
    re.IGNORECASE,
)


def without_labels(ratings: pl.DataFrame, missing: Missing) -> tuple[pl.DataFrame, dict[str, str]]:
    """Return ratings with bare numbers for labelled ones, and which answer became which number.

    A question is changed only if other answers to it are bare numbers, every number has one
    wording, and all of them together are consecutive: next to 1 to 5, "9 - other" is not a number.

    >>> from plausibly.io.missing import MISSING
    >>> answers = ["1 - never", "2", "3", "4 (always)"]
    >>> without_labels(pl.DataFrame({"question": ["q"] * 4, "answer": answers}), MISSING)[1]
    {'1 - never': '1', '4 (always)': '4'}
    """
    distinct = ratings.select("question", "answer").drop_nulls().unique(maintain_order=True)
    if not distinct["answer"].unique().str.contains(r"^\s*[+-]?\d{1,3}\W*\s*\pL").any():
        return ratings, {}
    changed: dict[str, str] = {}
    asked: list[str] = []
    for (question,), part in distinct.group_by("question", maintain_order=True):
        answers = [one for one in part["answer"] if not missing.is_none(one)]
        if numbers := _numbers(answers):
            changed |= numbers
            asked.append(str(question))
    if not changed:
        return ratings, {}
    answer = (
        pl.when(pl.col("question").is_in(asked))
        .then(pl.col("answer").replace(changed))
        .otherwise(pl.col("answer"))
    )
    return ratings.with_columns(answer=answer), dict(sorted(changed.items()))


def _numbers(answers: list[str]) -> dict[str, str]:
    """Return the number of each labelled answer to one question; none if they are not numbers."""
    labelled = {one: match for one in answers if (match := _LABELLED.match(one))}
    bare = [one for one in answers if _NUMBER.match(one)]
    if not labelled or len(bare) < _FEWEST or len(labelled) + len(bare) < len(answers):
        return {}
    places = sorted([int(match[1]) for match in labelled.values()] + [int(one) for one in bare])
    if places != [*range(places[0], places[0] + len(places))]:
        return {}
    if any(_NO_ANSWER.search(match[2]) for match in labelled.values()):
        return {}
    return {one: str(int(match[1])) for one, match in labelled.items()}
