"""Items to practise on: what people try before they begin, and the feedback they get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from plausibly.errors import StudyError, UnknownName
from plausibly.io.setting_lines import Spot

if TYPE_CHECKING:
    from plausibly.ratings.forms import Question

SEPARATOR = ";"  # between the parts of an answer, as in forms


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """One item to practise on.

    Args:
        text: What is judged.
        expect: From a question (`question:candidate` for one asked per candidate) to the answers
            we would give.
        feedback: Why, shown after any answer.
        columns: What is shown with the text.
        sentences: The sentences of a text that is shown by number.
        candidates: From name to text.
        form_step: The step of the form that is practised.
        earlier: What was answered in the steps before, from question (`question:candidate` for
            one asked per candidate) to answer.
    """

    text: str
    expect: Mapping[str, tuple[str, ...]]
    feedback: str
    columns: Mapping[str, str] = field(default_factory=dict)
    sentences: tuple[str, ...] = ()
    candidates: Mapping[str, str] = field(default_factory=dict)
    form_step: int = 1
    earlier: Mapping[str, str] = field(default_factory=dict)


def practices_of(raw: object, questions: Sequence[Question], *, where: str) -> tuple[Practice, ...]:
    """Return the items to practise on that a form describes; raise on one that cannot be shown."""
    if not isinstance(raw, list | tuple):
        raise StudyError(
            f"{Spot(where, 'form').at('practice')}: practice must be a list of tables; got {raw!r}."
        )
    return tuple(
        _practice(one, questions, Spot(where, "form.practice", n, f"practice {n}"))
        for n, one in enumerate(raw, 1)
    )


def _practice(raw: object, questions: Sequence[Question], place: Spot) -> Practice:
    needed = ("text", "expect", "feedback")
    if not isinstance(raw, Mapping) or any(name not in raw for name in needed):
        raise StudyError(f"{place}: a practice item needs {', '.join(needed)}; got {raw!r}.")
    known = [one.name for one in fields(Practice)]
    for name in raw:
        if name not in known:
            raise StudyError(f"{place.at(str(name))}: {UnknownName('key', str(name), known)}")
    practice = Practice(
        text=str(raw["text"]),
        expect=_expected(raw["expect"], place),
        feedback=str(raw["feedback"]),
        columns=_texts(raw, "columns", place),
        sentences=tuple(str(one) for one in raw.get("sentences", ())),
        candidates=_texts(raw, "candidates", place),
        form_step=raw.get("form_step", 1),
        earlier=_texts(raw, "earlier", place),
    )
    _check(practice, {question.id: question for question in questions}, place)
    return practice


def _check(practice: Practice, asked: Mapping[str, Question], place: Spot) -> None:
    """Raise unless everything that is expected is asked in that step, and can be answered."""
    for whole, answers in practice.expect.items():
        name, _, candidate = whole.partition(":")
        if candidate and candidate not in practice.candidates:
            known = UnknownName("candidate", candidate, practice.candidates)
            raise StudyError(f"{place.at('expect')}: expect: {known}")
        if name not in asked:
            raise StudyError(
                f"{place.at('expect')}: expect: {UnknownName('question', name, asked)}"
            )
        question = asked[name]
        if question.form_step != practice.form_step:
            raise StudyError(
                f"{place.at('expect')}: expect: {name!r} is asked in step {question.form_step}, "
                f"not {practice.form_step}. Set form_step."
            )
        compares = question.type == "best-of-n"
        possible = tuple(practice.candidates) if compares else question.options
        parts = [one for answer in answers for one in answer.split(SEPARATOR)]
        strange = [one for one in parts if possible and one not in possible]
        if strange:
            raise StudyError(
                f"{place.at('expect')}: expect: {UnknownName('answer', strange[0], possible)}"
            )
    for whole in practice.earlier:
        name, _, candidate = whole.partition(":")
        if candidate and candidate not in practice.candidates:
            known = UnknownName("candidate", candidate, practice.candidates)
            raise StudyError(f"{place.at('earlier')}: earlier: {known}")
        if name not in asked:
            raise StudyError(
                f"{place.at('earlier')}: earlier: {UnknownName('question', name, asked)}"
            )


def _texts(raw: Mapping[str, Any], name: str, place: Spot) -> dict[str, str]:
    texts = raw.get(name, {})
    if not isinstance(texts, Mapping):
        raise StudyError(f"{place.at(name)}: {name} maps names to texts; got {texts!r}.")
    return {str(key): str(text) for key, text in texts.items()}


def _expected(raw: object, place: Spot) -> dict[str, tuple[str, ...]]:
    if not isinstance(raw, Mapping) or not raw:
        raise StudyError(
            f"{place.at('expect')}: expect maps a question to its answers; got {raw!r}."
        )
    return {
        str(name): tuple(str(one) for one in answers)
        if isinstance(answers, list | tuple)
        else (str(answers),)
        for name, answers in raw.items()
    }
