"""Questions as fields of a page, and what a page sends as answers to questions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from plausibly.ratings.answers import Refusal
from plausibly.ratings.forms import SEPARATOR, Form, Question
from plausibly.ratings.served import Content
from plausibly.web.locale.texts import Texts

Place = tuple[str, str]  # a question and the candidate it is about, empty for the whole item
Given = Mapping[Place, Sequence[str]]
Rules = Mapping[Place, Sequence[str]]  # after which answers something is not asked

MOST_TICKS = 21
LONGEST_SIDE = 24  # characters of a label of a scale whose options stand side by side
TOUCHED = "_touched:"  # before the name of a slider: its middle is meant

# What a page says about a slider that was left where it stood, by what its middle is.
UNANSWERED = {"refuse": "refused.middle", "touch": "refused.untouched"}


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a field; one that is barred must not be chosen."""

    value: str
    label: str
    chosen: bool
    barred: bool = False
    skips: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One question about the item, or about one of its candidates."""

    question: Question
    candidate: str
    place: int
    label: str
    given: tuple[str, ...]
    choices: tuple[Choice, ...]
    error: str
    skips: str
    prefix: str = ""  # of names on a page with several items

    @property
    def name(self) -> str:
        """Name of the field."""
        return self.prefix + field_name(self.question.id, self.candidate)

    @property
    def touched(self) -> str:
        """Name of the box that says that the middle of a slider is meant."""
        return TOUCHED + self.name

    @property
    def above(self) -> str:
        """Name of the field whose answer this one's must lie above, empty if there is none."""
        return self.prefix + self.question.above if self.question.above else ""

    @property
    def id(self) -> str:
        """Where the field is on the page."""
        whole = f"q-{self.prefix.replace('.', '-')}{self.question.id}"
        return f"{whole}-{self.place}" if self.place else whole

    @property
    def about(self) -> str:
        """Where the text is that is asked about."""
        return f"text-{self.prefix.removesuffix('.')}" if self.prefix else "text"

    def named(self, texts: Texts) -> str:
        """Return what is asked and about which candidate, to speak of it elsewhere on the page."""
        asked = self.question.text or self.question.id
        if self.prefix:
            return f"{self.prefix} {asked}"
        return f"{texts('work.candidate', name=self.label)}: {asked}" if self.label else asked

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

    @property
    def ticks(self) -> tuple[bool, ...]:
        """The places of a slider, true for the one where nothing is decided; none if too many."""
        asked = self.question
        if asked.min is None or asked.max is None or asked.start is None:
            return ()
        steps = round((asked.max - asked.min) / asked.step)
        if steps >= MOST_TICKS:
            return ()
        open_at = round((asked.start - asked.min) / asked.step)
        return tuple(place == open_at and asked.middle == "refuse" for place in range(steps + 1))

    @property
    def side_by_side(self) -> bool:
        """Whether the options of a scale are side by side, which long labels cannot."""
        short = all(len(choice.label) <= LONGEST_SIDE for choice in self.choices)
        return self.question.type == "likert" and short

    @property
    def unanswered(self) -> str:
        """Name of the text for a field that needs an answer and has none."""
        if self.question.type != "slider":
            return "refused.required"
        return UNANSWERED.get(self.question.middle, "refused.required")

    @property
    def meant(self) -> bool:
        """Whether a slider that must be touched was left in the middle on purpose."""
        start = self.question.start
        return start is not None and self.given[:1] == (f"{start:g}",)


def field_name(question: str, candidate: str) -> str:
    """Return the name of a field; a question's id holds no colon."""
    return f"{question}:{candidate}" if candidate else question


def fields_of(
    form: Form,
    content: Content,
    *,
    step: int,
    given: Given,
    refusals: Mapping[Place, str],
    prefix: str = "",
) -> list[Field]:
    """Return the fields of a step of an item in the order they are asked.

    What answers of earlier steps rule out is not among them, nor is a comparison of which they
    rule out every candidate.

    Args:
        form: The questions.
        content: The item.
        step: The step.
        given: What was answered so far, by question and candidate.
        refusals: What is wrong with it, by question and candidate.
        prefix: Of the names of the fields, on a page with several items.
    """
    labels = labels_of(form, content)
    places = {name: place for place, name in enumerate(content.names, 1)}
    fields = [
        Field(
            question=question,
            candidate=candidate,
            place=places.get(candidate, 0),
            label=labels.get(candidate, ""),
            given=tuple(given.get((question.id, candidate), ())),
            choices=_compared(question, form, content, given)
            if question.type == "best-of-n"
            else _choices(question, content, given.get((question.id, candidate), ())),
            error=refusals.get((question.id, candidate), ""),
            skips=_as_json(_rules(question, candidate, form), prefix),
            prefix=prefix,
        )
        for question, candidate in asked(form, content, step)
        if not _apply(_settled(question, candidate, form), given)
    ]
    return [one for one in fields if one.choices or one.question.type != "best-of-n"]


def _settled(question: Question, candidate: str, form: Form) -> Rules:
    """Return the rules that answers of earlier steps have decided."""
    steps = {one.id: one.form_step for one in form.questions}
    rules = _rules(question, candidate, form)
    return {
        place: answers for place, answers in rules.items() if steps[place[0]] < question.form_step
    }


def labels_of(form: Form, content: Content) -> dict[str, str]:
    """Return what each candidate is called on the page: its place tells nothing about it."""
    if form.named:
        return {name: name for name in content.names}
    return {name: str(place) for place, name in enumerate(content.names, 1)}


def asked(form: Form, content: Content, step: int) -> Iterator[tuple[Question, str]]:
    """Yield each question of a step with the candidate it is about, empty for the whole item."""
    for question in (one for one in form.questions if one.form_step == step):
        for candidate in content.names if question.per == "candidate" else ("",):
            yield question, candidate


@dataclass(frozen=True, slots=True)
class Block:
    """Fields that belong together: one about the item, or all about one candidate."""

    text: str
    fields: tuple[Field, ...]


def blocks_of(fields: Sequence[Field], content: Content) -> list[Block]:
    """Return the fields in blocks: neighbouring questions per candidate, candidate by candidate."""
    blocks: list[Block] = []
    for about, run in groupby(fields, key=lambda field: field.question.per):
        if about == "item":
            blocks += [Block("", (field,)) for field in run]
            continue
        together = list(run)
        blocks += [
            Block(text, tuple(field for field in together if field.candidate == name))
            for name, text in content.candidates
        ]
    return blocks


def _choices(question: Question, content: Content, given: Sequence[str]) -> tuple[Choice, ...]:
    """Return the options a question has of its own; numbers of sentences with the sentences."""
    if question.type == "slider":
        return ()
    said = {str(n): text for n, text in enumerate(content.sentences, 1)}
    texts = said if question.sentences else {}
    return tuple(
        Choice(option, label, option in given, text=texts.get(option, ""))
        for option, label in zip(question.options, question.labels or question.options, strict=True)
    )


def _compared(question: Question, form: Form, content: Content, given: Given) -> tuple[Choice, ...]:
    """Return the candidates, each with its text, as options of a question that compares them."""
    texts = dict(content.candidates)
    chosen = given.get((question.id, ""), ())
    choices = []
    for name, label in labels_of(form, content).items():
        if _apply(_settled(question, name, form), given):
            continue
        rules = _rules(question, name, form)
        barred = _apply(rules, given)
        chosen_now = name in chosen and not barred
        choices.append(Choice(name, label, chosen_now, barred, _as_json(rules), texts[name]))
    return tuple(choices)


def _rules(question: Question, candidate: str, form: Form) -> Rules:
    """Return after which answers a question, or one candidate of it, is not asked."""
    earlier = {one.id: one for one in form.questions}
    return {
        (name, candidate if earlier[name].per == "candidate" else ""): answers
        for name, answers in question.skip_if.items()
        if candidate or earlier[name].per == "item"
    }


def _apply(rules: Rules, given: Given) -> bool:
    return any(SEPARATOR.join(given.get(place, ())) in answers for place, answers in rules.items())


def _as_json(rules: Rules, prefix: str = "") -> str:
    """Return rules for the page's script."""
    known_fields = {prefix + field_name(*place): list(answers) for place, answers in rules.items()}
    return json.dumps(known_fields) if known_fields else ""


def read_fields(
    form: Form, content: Content, sent: Mapping[str, Sequence[str]], *, step: int, before: Given
) -> dict[str, object]:
    """Return the answers a page sent, as the API would send them."""
    answers: dict[str, Any] = {}
    given = {**before, **given_of(sent, form, content, step)}
    for question, candidate in asked(form, content, step):
        values = given[question.id, candidate]
        answer: object = list(values)
        if not (question.type == "set" or question.ties):
            answer = values[-1] if values else None
        skipped = _apply(_rules(question, candidate, form), given)
        if _untouched(question, answer, skipped=skipped):
            answer = None
        if question.per == "candidate":
            if answer not in (None, "", []):
                answers.setdefault(question.id, {})[candidate] = answer
        else:
            answers[question.id] = answer
    return answers


def _untouched(question: Question, answer: object, *, skipped: bool) -> bool:
    """Check if a slider that need not be moved was not moved, which does not count as an answer."""
    if question.type != "slider" or question.start is None or answer != f"{question.start:g}":
        return False
    return skipped or (not question.required and question.middle == "refuse")


def given_of(
    sent: Mapping[str, Sequence[str]], form: Form, content: Content, step: int
) -> dict[Place, Sequence[str]]:
    """Return what a page sent, by question and candidate, to show it again."""
    return {
        (question.id, candidate): _sent(question, field_name(question.id, candidate), sent)
        for question, candidate in asked(form, content, step)
    }


def _sent(question: Question, name: str, sent: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Return what a field sent: nothing for a slider that must be touched and was not."""
    values = sent.get(name, ())
    if question.middle == "touch" and question.start is not None and not sent.get(TOUCHED + name):
        return [value for value in values if value != f"{question.start:g}"]
    return values


def given_again(stored: Mapping[Place, str], form: Form) -> dict[Place, Sequence[str]]:
    """Return what is stored, by question and candidate, to show it again."""
    several = {q.id for q in form.questions if q.type == "set" or q.ties}
    return {
        (question, candidate): answer.split(SEPARATOR) if question in several else [answer]
        for (question, candidate), answer in stored.items()
    }


@dataclass(frozen=True, slots=True)
class Settled:
    """An answer of an earlier step, as the page shows it and nobody can change it any more."""

    asked: str
    candidate: str
    answer: str


def settled_of(form: Form, content: Content, *, step: int, given: Given) -> list[Settled]:
    """Return what was answered in the steps before, in the order it was asked."""
    labels = labels_of(form, content)
    settled = []
    for question, candidate in (pair for n in range(1, step) for pair in asked(form, content, n)):
        names = dict(zip(question.options, question.labels or question.options, strict=False))
        if question.type == "best-of-n":
            names = labels
        values = given.get((question.id, candidate), ())
        if values:
            listing = ", ".join(names.get(value, value) for value in values)
            text = question.text or question.id
            settled.append(Settled(text, labels.get(candidate, ""), listing))
    return settled


def without_skipped(given: Given, refusals: Sequence[Refusal]) -> Given:
    """Return what was given without answers nobody asked for: a radio cannot be emptied by hand."""
    skipped = {(one.question, one.candidate) for one in refusals if one.reason == "skipped"}
    return {place: () if place in skipped else values for place, values in given.items()}


def reworded(refusals: Sequence[Refusal], form: Form) -> tuple[Refusal, ...]:
    """Return refusals as a page says them: it does not call candidates by their names."""
    asked_for = {question.id: question for question in form.questions}

    def reword(one: Refusal) -> Refusal:
        question = asked_for.get(one.question)
        if question is None:
            return one
        if question.type == "best-of-n" and one.reason == "option":
            return replace(one, reason="barred", detail={})
        if question.middle == "touch" and one.reason == "required":
            return replace(one, reason="untouched", detail={})
        return one

    return tuple(reword(one) for one in refusals)


def by_place(refusals: Sequence[Refusal], texts: Sequence[str]) -> dict[Place, str]:
    """Return the text of each refusal by the field it belongs to."""
    return {
        (refusal.question, refusal.candidate): text
        for refusal, text in zip(refusals, texts, strict=True)
    }
