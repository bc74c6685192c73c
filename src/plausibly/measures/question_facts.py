"""What is declared about a question. No library of tables is needed: `status` checks it, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from plausibly.errors import StudyError, UnknownName
from plausibly.measures.sides import parse_sides

Scale = Literal["nominal", "ordinal", "interval", "text"]
SCALES: tuple[str, ...] = get_args(Scale)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionFacts:
    """What is declared about a question; everything may be left open.

    Args:
        scale: nominal, ordinal, interval or text.
        reason: Why it is on that scale.
        type: Type of the question in a form, such as slider or set.
        order: Its answers, from least to most.
        sides: Answers that count as one, lowest first, as '1,2|4,5'.
        bounds: Lowest and highest value of a scale with ends.
        unsure: Answers that count as missing.
    """

    scale: str = ""
    reason: str = ""
    type: str = ""
    order: tuple[str, ...] = ()
    sides: str = ""
    bounds: tuple[float, float] | None = None
    unsure: tuple[str, ...] = ()


FACTS: tuple[str, ...] = tuple(one.name for one in fields(QuestionFacts))
NOTHING = QuestionFacts()


def facts_of(raw: Mapping[str, Any], *, where: str) -> QuestionFacts:
    """Return what a table, such as [questions.NAME] of study.toml, declares about a question.

    Args:
        raw: Keys of `QuestionFacts`; others are not read.
        where: What to name in an error.

    >>> facts_of({"scale": "ordinal", "order": ["no", "maybe", "yes"]}, where="fit").order
    ('no', 'maybe', 'yes')
    """
    scale = str(raw.get("scale") or "")
    if scale and scale not in SCALES:
        raise StudyError(f"{where}: {UnknownName('scale', scale, SCALES)}", parameter="scale")
    return QuestionFacts(
        scale=scale,
        reason=str(raw.get("reason") or ""),
        type=str(raw.get("type") or ""),
        order=_texts(raw.get("order"), f"{where}: order"),
        sides=_sides(raw.get("sides"), where),
        bounds=_ends(raw.get("bounds"), f"{where}: bounds"),
        unsure=_texts(raw.get("unsure"), f"{where}: unsure"),
    )


def _sides(given: object, where: str) -> str:
    text = str(given or "")
    if text:
        try:
            parse_sides(text)
        except StudyError as error:
            raise StudyError(f"{where}: {error}", parameter="sides") from error
    return text


def _texts(given: object, where: str) -> tuple[str, ...]:
    listed = given.split(",") if isinstance(given, str) else given or ()
    if not isinstance(listed, Sequence):
        raise StudyError(f"{where} must be a list of answers; got {given!r}.")
    return tuple(str(one).strip() for one in listed)


def _ends(given: object, where: str) -> tuple[float, float] | None:
    if given is None:
        return None
    ends = given.split(",") if isinstance(given, str) else given
    try:
        low, high = (float(one) for one in ends)  # type: ignore[attr-defined]
    except (TypeError, ValueError) as error:
        raise StudyError(f"{where} must be two numbers, as '0,100'; got {given!r}.") from error
    return low, high
