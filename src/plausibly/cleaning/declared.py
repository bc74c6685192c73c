"""What is declared about answers when they are cleaned: sides, and where sliders started."""

from __future__ import annotations

import polars as pl

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError, option
from plausibly.io.imported import values_of
from plausibly.measures.jaccard import Sides, parse_sides, side_of


def starts_of(spelled: str | None) -> dict[str, str] | None:
    """Return from a question to where its slider started; None if that is not known.

    >>> starts_of("fits=50, odd=3"), starts_of(""), starts_of(None)
    ({'fits': '50', 'odd': '3'}, {}, None)
    """
    if spelled is None:
        return None
    pairs = [one.partition("=") for one in spelled.split(",") if one.strip()]
    odd = next((question for question, sign, at in pairs if not sign or not at.strip()), None)
    if odd is not None:
        raise StudyError(
            f"{option('starts')}: {odd.strip()!r} has no value. Write it as 'fits=50,odd=3'.",
            parameter="starts",
        )
    return {question.strip(): at.strip() for question, _, at in pairs}


def sides_for(
    ratings: pl.DataFrame, *, preset: str | None = None, asked: str | None = None
) -> tuple[str | None, str]:
    """Return which answers count as one, and a note if the preset's do not fit these answers.

    Args:
        ratings: The ratings.
        preset: Those of the preset, which are about a scale from 1 to 5.
        asked: Those that were asked for; empty for none.

    >>> seven = pl.DataFrame({"value": [1.0, 7.0]})
    >>> sides_for(seven, preset="1,2|4,5")[0], sides_for(seven, asked="1,2|6,7")[0]
    (None, '1,2|6,7')
    """
    if asked is not None or preset is None:
        return asked or None, ""
    named = values_of(pl.Series([answer for side in parse_sides(preset) for answer in side]))
    if named.null_count():  # words, which are compared as they are
        return preset, ""
    lowest, highest = min(named.to_list()), max(named.to_list())
    values = ratings["value"].drop_nulls()
    fits = values.is_between(lowest, highest) & (values == values.round())
    if fits.all() and len(values):
        return preset, ""
    what = (
        f"Answers are not the whole numbers from {lowest:g} to {highest:g}, so the sides of the "
        f"preset ({preset}) are left out: only equal answers count as one. {option('sides')} sets "
        "yours."
    )
    return None, what if len(values) else ""


def scheme_of(ratings: pl.DataFrame, sides: Sides | None) -> LabelScheme | None:
    """Return the sides as labels 0, 1, …, lowest first; an answer on none has no label."""
    if sides is None:
        return None
    answers = ratings["answer"].unique().to_list()
    places = side_of(answers, sides).tolist()
    of = {answer: str(place) for answer, place in zip(answers, places, strict=True) if place >= 0}
    return LabelScheme("sides", tuple(str(place) for place in range(len(sides))), of)
