"""Checks what a person answered against the form, the same way for page and API."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from plausibly.domain import as_number
from plausibly.ratings.forms import COMMENT, SEPARATOR, Form, Question


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer as it is stored; `candidate` is empty for answers about the whole item."""

    question: str
    candidate: str
    answer: str
    value: float | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an answer cannot be taken: `reason` names a text of the catalogue, `detail` fills it."""

    question: str
    candidate: str
    reason: str
    detail: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Checked:
    """The answers in the order of the form, or the refusals because of which none is taken."""

    answers: tuple[Answer, ...]
    comment: str | None
    refusals: tuple[Refusal, ...]


class _Refused(Exception):
    """An answer is refused, for a reason of the catalogue."""

    def __init__(self, reason: str, **detail: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


def check_answers(
    form: Form,
    given: Mapping[str, object],
    *,
    candidates: Sequence[str] = (),
    step: int = 1,
    earlier: Mapping[tuple[str, str], Answer] | None = None,
) -> Checked:
    """Return the answers in stored form, or every reason why they cannot be taken.

    Args:
        form: The questions.
        given: From question to answer; for a question per candidate, to an answer per candidate.
        candidates: Names of the item's candidates.
        step: The step of the item that is answered.
        earlier: What was answered in the steps before, by question and candidate.
    """
    before = dict(earlier or {})
    taken = dict(before)
    steps = {question.id: question.form_step for question in form.questions}
    refusals = [
        Refusal(name, "", "step" if name in steps else "unknown")
        for name in given
        if steps.get(name) != step
    ]
    for question in (one for one in form.questions if one.form_step == step):
        for candidate, raw in _asked(question, given.get(question.id), candidates, refusals):
            try:
                answer = _taken(question, candidate, raw, (taken, candidates))
            except _Refused as refused:
                detail = refused.detail
                refusals.append(Refusal(question.id, candidate, refused.reason, detail))
                continue
            if answer is not None:
                taken[question.id, candidate] = answer
    taken = {place: answer for place, answer in taken.items() if place not in before}
    comment = taken.get((COMMENT, ""))
    if len(taken) > 1:  # a comment accompanies other answers; alone, it is an answer itself
        taken.pop((COMMENT, ""), None)
    stored = () if refusals else tuple(taken.values())
    return Checked(stored, comment.answer if comment else None, tuple(refusals))


def _asked(
    question: Question, raw: object, candidates: Sequence[str], refusals: list[Refusal]
) -> Iterator[tuple[str, object]]:
    """Yield each candidate a question is asked about, empty for the item, with what was given."""
    if question.per == "item":
        yield "", raw
        return
    given = {} if raw is None else raw
    if not isinstance(given, Mapping):
        refusals.append(Refusal(question.id, "", "per-candidate"))
        return
    strangers = [str(name)[:80] for name in given if name not in candidates]
    refusals += [Refusal(question.id, name, "unknown-candidate") for name in strangers]
    for candidate in candidates:
        yield candidate, given.get(candidate)


_Context = tuple[Mapping[tuple[str, str], Answer], Sequence[str]]


def _taken(question: Question, candidate: str, raw: object, context: _Context) -> Answer | None:
    """Return the answer to store, None if none is due; raise `_Refused` otherwise."""
    taken, candidates = context
    missing = raw is None or raw in ("", [])
    if is_skipped(question, candidate, taken):
        if not missing:
            raise _Refused("skipped")
        return None
    choices = [name for name in candidates if not _barred(question, name, taken)]
    if question.type == "best-of-n" and not choices and missing:
        return None
    if missing:
        if question.required:
            raise _Refused("required")
        return None
    answer, value = _stored(question, raw, choices)
    if question.above:
        _refuse_below(question, candidate, value, taken)
    return Answer(question.id, candidate, answer, value) if answer else None


def one_answer(
    question: Question,
    candidate: str,
    raw: object,
    *,
    taken: Mapping[tuple[str, str], Answer],
    candidates: Sequence[str] = (),
) -> Answer | Refusal | None:
    """Return one answer as it is stored, why it cannot be taken, or None if none is due.

    Args:
        question: The question.
        candidate: Whom it is about, empty for the item.
        raw: The answer.
        taken: What was answered before.
        candidates: Names of the item's candidates.
    """
    try:
        return _taken(question, candidate, raw, (taken, candidates))
    except _Refused as refused:
        return Refusal(question.id, candidate, refused.reason, refused.detail)


def open_candidates(
    question: Question, candidates: Sequence[str], taken: Mapping[tuple[str, str], Answer]
) -> list[str]:
    """Return the candidates that a question may still name."""
    return [name for name in candidates if not _barred(question, name, taken)]


def _refuse_below(
    question: Question,
    candidate: str,
    value: float | None,
    taken: Mapping[tuple[str, str], Answer],
) -> None:
    """Raise `_Refused` unless an answer lies above the one to the question it names."""
    other = taken.get((question.above, candidate)) or taken.get((question.above, ""))
    if other is not None and other.value is not None and (value is None or value <= other.value):
        raise _Refused("above", least=other.answer)


def due_after(
    form: Form, step: int, taken: Mapping[tuple[str, str], Answer], candidates: Sequence[str]
) -> int:
    """Return the step that comes after one, leaving out steps in which nothing is asked."""
    for later in range(step + 1, form.steps + 1):
        for question in (one for one in form.questions if one.form_step == later):
            about = candidates if question.per == "candidate" else ("",)
            if question.type == "best-of-n":
                if any(not _barred(question, name, taken) for name in candidates):
                    return later
            elif any(not is_skipped(question, candidate, taken) for candidate in about):
                return later
    return form.steps + 1


def is_skipped(question: Question, candidate: str, taken: Mapping[tuple[str, str], Answer]) -> bool:
    """Return whether earlier answers say that a question is not asked."""
    return any(
        (given := taken.get((name, candidate)) or taken.get((name, ""))) is not None
        and given.answer in answers
        for name, answers in question.skip_if.items()
    )


def _barred(question: Question, candidate: str, taken: Mapping[tuple[str, str], Answer]) -> bool:
    return any(
        (given := taken.get((name, candidate))) is not None and given.answer in answers
        for name, answers in question.skip_if.items()
    )


def _stored(question: Question, raw: object, choices: Sequence[str]) -> tuple[str, float | None]:
    """Return answer and value as the ratings table holds them."""
    if question.type == "slider":
        return _slid(question, raw)
    if question.type == "text":
        return _written(question, raw), None
    if question.type == "set":
        return _several(raw, question.options), None
    if question.type == "best-of-n" and question.ties:
        return _several(raw, choices, once=True), None
    allowed = choices if question.type == "best-of-n" else question.options
    answer = _one(raw, allowed)
    place = float(allowed.index(answer) + 1) if question.type == "likert" else None
    number = as_number(answer) if question.type != "best-of-n" else None
    return answer, place if number is None else number


def _slid(question: Question, raw: object) -> tuple[str, float]:
    number = _number(raw)
    low, high, start = question.min or 0, question.max or 0, question.start
    if number is None or not low <= number <= high:
        raise _Refused("range", min=low, max=high)
    steps = (number - low) / question.step
    if not math.isclose(steps, round(steps), abs_tol=1e-9):
        raise _Refused("range", min=low, max=high)
    if question.middle == "refuse" and number == start:
        raise _Refused("middle")
    return f"{number:g}", float(number)


def _number(raw: object) -> float | None:
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        return None
    if isinstance(raw, int):
        return float(raw) if abs(raw) < 1e15 else None
    return as_number(str(raw).strip())


def _one(raw: object, allowed: Sequence[str]) -> str:
    number = None if isinstance(raw, str) else _number(raw)
    text = f"{number:g}" if number is not None else raw
    if not isinstance(text, str) or text not in allowed:
        raise _Refused("option", options=", ".join(allowed))
    return text


def _several(raw: object, allowed: Sequence[str], *, once: bool = False) -> str:
    parts = [raw] if isinstance(raw, str) else raw
    if not isinstance(parts, list | tuple):
        raise _Refused("option", options=", ".join(allowed))
    chosen = {_one(part, allowed) for part in parts}
    if once and len(chosen) < len(parts):
        raise _Refused("option", options=", ".join(allowed))
    return SEPARATOR.join(option for option in allowed if option in chosen)


def _written(question: Question, raw: object) -> str:
    if not isinstance(raw, str):
        raise _Refused("text")
    text = raw.replace("\r\n", "\n").strip()
    if len(text) > question.longest:
        raise _Refused("length", longest=question.longest)
    if any(c == "\x00" or "\ud800" <= c <= "\udfff" for c in text):
        raise _Refused("text")
    if not text and question.required:
        raise _Refused("required")
    return text
