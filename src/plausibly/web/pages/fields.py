"""Questions as fields of a page, and what a page sends as answers to questions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from plausibly.ratings.answers import Refusal
from plausibly.ratings.forms import SEPARATOR, Form, Question
from plausibly.web.served import Content

Given = Mapping[tuple[str, str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a field."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Field:
    """One question about the item, or about one of its candidates."""

    question: Question
    candidate: str
    given: tuple[str, ...]
    choices: tuple[Choice, ...]
    error: str
    skips: str

    @property
    def name(self) -> str:
        """Name of the field."""
        return field_name(self.question.id, self.candidate)

    @property
    def id(self) -> str:
        """Where the field stands on the page."""
        return f"q-{self.question.id}-{self.candidate}" if self.candidate else f"q-{self.name}"

    @property
    def kind(self) -> str:
        """What the field looks like."""
        several = self.question.type == "set" or self.question.ties
        return "several" if several else "one" if self.choices else self.question.type

    @property
    def value(self) -> str:
        """What was given, or where a slider starts."""
        if self.given:
            return self.given[0]
        return f"{self.question.start:g}" if self.question.start is not None else ""


def field_name(question: str, candidate: str) -> str:
    """Return the name of a field; a question's id holds no colon."""
    return f"{question}:{candidate}" if candidate else question


def fields_of(
    form: Form, content: Content, *, given: Given, refusals: Mapping[tuple[str, str], str]
) -> list[Field]:
    """Return the fields of an item in the order they are asked.

    Args:
        form: The questions.
        content: The item.
        given: What was answered so far, by question and candidate.
        refusals: What is wrong with it, by question and candidate.
    """
    return [
        Field(
            question=question,
            candidate=candidate,
            given=tuple(given.get((question.id, candidate), ())),
            choices=_choices(question, content, given.get((question.id, candidate), ())),
            error=refusals.get((question.id, candidate), ""),
            skips=_skips(question, candidate, form),
        )
        for question, candidate in asked(form, content)
    ]


def asked(form: Form, content: Content) -> Iterator[tuple[Question, str]]:
    """Yield each question with the candidate it is about, empty for the whole item."""
    for question in form.questions:
        for candidate in content.names if question.per == "candidate" else ("",):
            yield question, candidate


@dataclass(frozen=True, slots=True)
class Block:
    """Fields that stand together: one about the item, or all about one candidate."""

    candidate: str
    text: str
    fields: tuple[Field, ...]


def blocks_of(fields: Sequence[Field], content: Content) -> list[Block]:
    """Return the fields in blocks: neighbouring questions per candidate, candidate by candidate."""
    blocks: list[Block] = []
    for about, run in groupby(fields, key=lambda field: field.question.per):
        if about == "item":
            blocks += [Block("", "", (field,)) for field in run]
            continue
        together = list(run)
        blocks += [
            Block(name, text, tuple(field for field in together if field.candidate == name))
            for name, text in content.candidates
        ]
    return blocks


def _choices(question: Question, content: Content, given: Sequence[str]) -> tuple[Choice, ...]:
    if question.type == "best-of-n":
        return tuple(Choice(name, name, name in given) for name in content.names)
    labels = question.labels or question.options
    if question.type == "slider":
        return ()
    return tuple(
        Choice(option, label, option in given)
        for option, label in zip(question.options, labels, strict=True)
    )


def _skips(question: Question, candidate: str, form: Form) -> str:
    """Return for the page's script after which answers a field is not asked."""
    earlier = {one.id: one for one in form.questions}
    rules = {
        field_name(name, candidate if earlier[name].per == "candidate" else ""): list(answers)
        for name, answers in question.skip_if.items()
        if candidate or earlier[name].per == "item"
    }
    return json.dumps(rules) if rules else ""


def read_fields(
    form: Form, content: Content, sent: Mapping[str, Sequence[str]]
) -> dict[str, object]:
    """Return the answers a page sent, as the API would send them."""
    answers: dict[str, Any] = {}
    for question, candidate in asked(form, content):
        values = sent.get(field_name(question.id, candidate), ())
        answer: object = list(values)
        if not (question.type == "set" or question.ties):
            answer = values[-1] if values else None
        if _untouched(question, answer):
            answer = None
        if question.per == "candidate":
            if answer not in (None, "", []):
                answers.setdefault(question.id, {})[candidate] = answer
        else:
            answers[question.id] = answer
    return answers


def _untouched(question: Question, answer: object) -> bool:
    """Tell whether an optional slider was left where it stood, which is no answer."""
    left = question.type == "slider" and not question.required and question.middle == "refuse"
    return left and question.start is not None and answer == f"{question.start:g}"


def given_of(sent: Mapping[str, Sequence[str]], form: Form, content: Content) -> Given:
    """Return what a page sent, by question and candidate, to show it again."""
    return {
        (question.id, candidate): sent.get(field_name(question.id, candidate), ())
        for question, candidate in asked(form, content)
    }


def given_again(stored: Mapping[tuple[str, str], str], form: Form) -> Given:
    """Return what is stored, by question and candidate, to show it again."""
    several = {q.id for q in form.questions if q.type == "set" or q.ties}
    return {
        (question, candidate): answer.split(SEPARATOR) if question in several else [answer]
        for (question, candidate), answer in stored.items()
    }


def by_place(refusals: Sequence[Refusal], texts: Sequence[str]) -> dict[tuple[str, str], str]:
    """Return the text of each refusal by the field it belongs to."""
    return {
        (refusal.question, refusal.candidate): text
        for refusal, text in zip(refusals, texts, strict=True)
    }
