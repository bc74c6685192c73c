"""What a check expects: an answer to one question of the form, or several of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plausibly.domain import as_number
from plausibly.errors import StudyError, UnknownName
from plausibly.measures.checks import FIRST_SIDE, LAST_SIDE
from plausibly.ratings.answers import check_answers
from plausibly.ratings.forms import Form, Question


def parts_of(expected: str) -> list[str]:
    """Return the answers that are as expected.

    >>> parts_of("yes | maybe")
    ['yes', 'maybe']
    """
    return re.split(r"\s*[,;|]\s*", expected)


def question_checked(form: Form, name: str | None = None) -> Question:
    """Return the question that a check expects an answer to.

    Args:
        form: The questions.
        name: What the item's `expected_question` says; without it, the first question that is
            not answered with a text.
    """
    if name is None:
        closed = (one for one in form.questions if one.type != "text")
        return next(closed, form.questions[0])
    for question in form.questions:
        if question.id == name:
            return question
    raise UnknownName("question", name, [one.id for one in form.questions])


def refuse_impossible(
    expected: str,
    form: Form,
    candidates: Sequence[str],
    *,
    where: str,
    kind: str = "check",
    asked_of: str | None = None,
) -> None:
    """Raise if a check expects what nobody can answer, so that everyone would fail it.

    Args:
        expected: What the check expects.
        form: The questions.
        candidates: Names of the check's candidates.
        where: The check, as an error names it.
        kind: A check may expect a side by its name; gold and attention items name an answer.
        asked_of: The question it expects an answer to (default: the one the form checks).
    """
    try:
        asked = question_checked(form, asked_of)
    except UnknownName as error:
        raise StudyError(f"{where}: expected_question: {error}") from error
    if asked.per == "candidate":
        raise StudyError(
            f"{where} is compared with the answer to {asked.id!r}, which is asked per candidate. "
            "Put a question about the whole item first, or name one in expected_question."
        )
    sided = kind == "check"
    whole = _accepts(asked, expected, candidates, sided=sided)
    parts = parts_of(expected)
    strange = [one for one in parts if not _accepts(asked, one, candidates, sided=sided)]
    if strange and not whole:
        raise StudyError(
            f"{where} expects {strange[0]!r}, which is not an answer to {asked.id!r}. "
            f"Expected {_answers(asked, candidates)}."
        )


def _accepts(asked: Question, answer: str, candidates: Sequence[str], *, sided: bool) -> bool:
    """Return whether the form takes an answer, or a label or place that stands for one."""
    if not answer.strip():
        return False
    names = (*asked.labels, *FIRST_SIDE, *LAST_SIDE) if asked.sides else asked.labels
    if sided and asked.type == "slider" and answer in names:
        return True
    places = {n for n, option in enumerate(asked.options, 1) if as_number(option) is None}
    if asked.type == "likert" and as_number(answer) in places:
        return True
    alone = Form("check", (asked,))
    return not check_answers(alone, {asked.id: answer}, candidates=candidates).refusals


def _answers(asked: Question, candidates: Sequence[str]) -> str:
    if asked.type == "slider":
        middle = f" other than {asked.start:g}" if asked.middle == "refuse" else ""
        ends = f", or {' or '.join(asked.labels)}" if asked.labels else ""
        return f"a number from {asked.min:g} to {asked.max:g}{middle}{ends}"
    known = candidates if asked.type == "best-of-n" else asked.options
    return (
        f"one of {', '.join(known)}" if known else f"a text of at most {asked.longest} characters"
    )
