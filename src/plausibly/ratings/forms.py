"""Forms are data: what the page shows and what the server checks come from the same questions."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from plausibly.errors import StudyError, UnknownName
from plausibly.io.setting_lines import Spot
from plausibly.measures.question_facts import SCALES
from plausibly.measures.sides import Sides, parse_sides
from plausibly.ratings.guides import (
    check_keys,
    check_kinds,
    guides_of,
    headings_of,
    per_page_of,
    reveals_of,
    text_lines,
    word_of,
)
from plausibly.ratings.points import numbered
from plausibly.ratings.practice import Practice, practices_of
from plausibly.ratings.screening import ScreeningQuestion, screening_of

TYPES = ("slider", "likert", "choice", "best-of-n", "set", "text")
NEEDS = {"slider": ("min", "max", "start"), "choice": ("options",)}
SEPARATOR = ";"
COMMENT = "comment"
ORDERS = ("shuffled", "given")
MIDDLES = ("refuse", "accept", "touch")
MOST_SIDED = 10_000
NAME = re.compile(r"[^\W\d_][\w-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question of a form.

    Args:
        id: Its name in the ratings table.
        type: slider, likert, choice, best-of-n, set or text.
        text: What the person reads.
        hint: A line below it.
        required: Whether an answer must be given.
        per: "item", or "candidate" for one answer per candidate of the item.
        skip_if: From an earlier question to the answers after which this one is not asked. On a
            best-of-n question, answers about a candidate bar that candidate only.
        options: The answers, in the order of the scale.
        labels: What the person reads for each option; for a slider, for its two ends; for a
            likert, perhaps for its ends and its middle only.
        min: Lower end of a slider, or of a likert without options.
        max: Upper end.
        start: Position of the slider at first.
        step: Distance between two answers on a slider.
        middle: "refuse" an answer at the start of the slider, "accept" it, or accept it only if
            the participant has touched the slider or confirmed it ("touch").
        ties: Whether best-of-n may name several candidates.
        longest: Most characters of a text.
        form_step: In which step of the item it is asked; what one step was answered is stored
            before the next is shown.
        sides: Answers that count as one when a check is judged, lowest first: '1,2|4,5'. A slider
            has the two sides of its start unless it declares others.
        above: An earlier question with a number that the answer to this one must exceed.
        unsure: Answers that say nothing; `[ratings] min_answered` does not count them.
        sentences: Whether the options are numbers of the item's sentences, shown next to them.
        scale: nominal, ordinal, interval or text, where it does not follow from the type.
    """

    id: str
    type: str
    text: str = ""
    hint: str = ""
    required: bool = True
    per: str = "item"
    skip_if: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    min: float | None = None
    max: float | None = None
    start: float | None = None
    step: float = 1
    middle: str = "accept"
    ties: bool = False
    longest: int = 2000
    form_step: int = 1
    sides: str = ""
    above: str = ""
    unsure: tuple[str, ...] = ()
    sentences: bool = False
    scale: str = ""

    @property
    def answer_sides(self) -> Sides | None:
        """The sides a check is judged by, the labels of a slider's ends among them; or None."""
        if self.sides:
            return parse_sides(self.sides)
        if self.type != "slider" or self.min is None or self.max is None or self.start is None:
            return None
        steps = round((self.max - self.min) / self.step)
        if steps > MOST_SIDED:
            return None
        places = [self.min + n * self.step for n in range(steps + 1)]
        low = {f"{place:g}" for place in places if place < self.start}
        high = {f"{place:g}" for place in places if place > self.start}
        if not low or not high:
            return None
        first, last = self.labels or ("", "")
        return frozenset({*low, first} - {""}), frozenset({*high, last} - {""})

    def as_json(self) -> dict[str, Any]:
        """Return the question as the API shows it."""
        document: dict[str, Any] = {
            "id": self.id,
            "type": self.type,
            "text": self.text,
            "required": self.required,
            "per": self.per,
            "form_step": self.form_step,
            "skip_if": {name: list(answers) for name, answers in self.skip_if.items()},
        }
        if self.type == "slider":
            ends = {"min": self.min, "max": self.max, "start": self.start}
            document |= {**ends, "step": self.step, "middle": self.middle}
        if self.options:
            document["options"] = list(self.options)
        if self.labels:
            document["labels"] = list(self.labels)
        if self.above:
            document["above"] = self.above
        if self.type == "best-of-n":
            document["ties"] = self.ties
        if self.type == "text":
            document["longest"] = self.longest
        return document


@dataclass(frozen=True)
class Form:
    """The questions asked about every item of a study, and the pages around them.

    Args:
        id: Name of the form.
        questions: In the order they are asked.
        consent: Paragraphs a person agrees to before taking part.
        instructions: Paragraphs on how to answer.
        eligibility: A yes-or-no question; only people who answer yes may take part. Empty: all.
        screening: Further questions that decide who may take part.
        comprehension: Questions about the instructions; whoever fails twice is screened out.
        show: Columns of the items table shown with the text.
        order: Of the candidates: "shuffled", another one for each person and item; or "given".
        candidates: "blind", they are numbers to people and programs; or "shown" by their names.
        reveal: From a step of the item to the columns that are shown from that step on, and in
            nothing that is sent before it.
        reopen: Whether a step may be revised after the next one was shown.
        numbered: A column with a JSON list of sentences, shown one below the other by number.
        translated: A column with a JSON list of their translations, shown next to them where an
            item has them.
        lines: Columns shown one below the other in place of the text.
        headings: What the page calls the columns it shows.
        language: Of the texts, as in `it` or `en-GB`; empty if it is that of the pages.
        practice: Items people try before they begin; what they say there is not stored.
        guided_by: A column that tells kinds of items apart, such as their relation.
        guides: Paragraphs on how to answer items of one sort, by what that column says.
        per_page: Items on one page, 1 or more; several only where nothing comes in steps.
    """

    id: str
    questions: tuple[Question, ...]
    consent: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    eligibility: str = ""
    screening: tuple[ScreeningQuestion, ...] = ()
    comprehension: tuple[ScreeningQuestion, ...] = ()
    show: tuple[str, ...] = ()
    order: str = "shuffled"
    candidates: str = "blind"
    reveal: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    reopen: bool = False
    headings: Mapping[str, str] = field(default_factory=dict)
    numbered: str = ""
    translated: str = ""
    lines: tuple[str, ...] = ()
    language: str = ""
    practice: tuple[Practice, ...] = ()
    guided_by: str = ""
    guides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    per_page: int = 1

    @property
    def steps(self) -> int:
        """How many steps an item has."""
        return self.questions[-1].form_step

    @property
    def compares(self) -> bool:
        """Whether anything is asked about candidates."""
        return any(q.per == "candidate" or q.type == "best-of-n" for q in self.questions)

    @property
    def named(self) -> bool:
        """Whether pages call candidates by their names."""
        return self.order == "given" and self.candidates == "shown"

    @cached_property
    def version(self) -> str:
        """A digest that changes when anything a person answers to changes."""
        shown = [[_without_defaults(q), q.hint] for q in self.questions]
        order: list[object] = [self.order] if self.compares else []
        order += ["blind"] if order == ["given"] and not self.named else []
        order += [dict(self.reveal), self.reopen] if self.reveal or self.reopen else []
        order += [self.lines] if self.lines else []
        order += [[asdict(one) for one in self.practice]] if self.practice else []
        order += [dict(self.guides)] if self.guides else []
        order += [{"per_page": self.per_page}] if self.per_page > 1 else []
        text = json.dumps([self.id, shown, self.instructions, self.show, *order], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:10]

    @cached_property
    def document(self) -> dict[str, Any]:
        """The form as the API shows it."""
        questions = [question.as_json() for question in self.questions]
        return {"id": self.id, "version": self.version, "questions": questions}


def _without_defaults(question: Question) -> dict[str, Any]:
    """Return a question without what was added to forms later, so that old digests stay."""
    document = question.as_json()
    if question.form_step == 1:
        del document["form_step"]
    return document


def form_of(document: Mapping[str, Any], *, where: str) -> Form:
    """Return the form a document describes; raise naming the first thing wrong with it."""
    place = Spot(where, "form")
    check_keys("key of the form", document, [f.name for f in fields(Form)], place)
    if not document.get("questions"):
        raise StudyError(f"{place}: a form needs at least one question. Add [[form.questions]].")
    questions: list[Question] = []
    written = document["questions"]
    if not isinstance(written, list | tuple):
        raise StudyError(
            f"{place.at('questions')}: questions must be tables. Write each below [[questions]]."
        )
    for number, raw in enumerate(written, 1):
        questions.append(_question(raw, questions, Spot(where, "form.questions", number)))
    if all(question.id == COMMENT for question in questions):
        raise StudyError(f"{place}: the form asks for a comment only. Add a question.")
    return Form(
        id=str(document.get("id", "form")),
        questions=tuple(questions),
        consent=text_lines(document, "consent", place),
        instructions=text_lines(document, "instructions", place),
        eligibility=str(document.get("eligibility", "")),
        screening=screening_of(document.get("screening", ()), where=where),
        comprehension=screening_of(
            document.get("comprehension", ()), where=where, name="comprehension"
        ),
        show=text_lines(document, "show", place),
        order=word_of(document, "order", ORDERS, place),
        candidates=word_of(document, "candidates", ("blind", "shown"), place),
        reveal=reveals_of(document.get("reveal", {}), questions[-1].form_step, place),
        reopen=bool(document.get("reopen", False)),
        headings=headings_of(document.get("headings", {}), place),
        numbered=str(document.get("numbered", "")),
        translated=str(document.get("translated", "")),
        lines=text_lines(document, "lines", place),
        language=str(document.get("language", "")),
        practice=practices_of(document.get("practice", ()), questions, where=where),
        guided_by=str(document.get("guided_by", "")),
        guides=guides_of(document.get("guides", {}), where=place),
        per_page=per_page_of(document.get("per_page", 1), alone=_alone(questions), where=place),
    )


def _alone(questions: Sequence[Question]) -> bool:
    """Return whether an item needs a page of its own: it comes in steps, or with candidates."""
    return questions[-1].form_step > 1 or Form("", tuple(questions)).compares


def _question(raw: object, before: Sequence[Question], where: Spot) -> Question:
    if not isinstance(raw, Mapping) or not isinstance(raw.get("id"), str):
        raise StudyError(f"{where}: every question is a table with an id; got {raw!r}.")
    place = replace(where, name=f"question {raw['id']!r}", id=raw["id"])
    check_keys("key", raw, [f.name for f in fields(Question)], place)
    check_kinds(raw, place)
    if raw.get("type") not in TYPES:
        raise StudyError(f"{place.at('type')}: {UnknownName('type', str(raw.get('type')), TYPES)}")
    for name in NEEDS.get(raw["type"], ()):
        if name not in raw:
            raise StudyError(f"{place}: a {raw['type']} needs {name!r}. Add it.")
    if raw["type"] == "likert":
        raw = numbered(raw, place)
    rest = {k: v for k, v in raw.items() if k not in {"skip_if", "options", "labels", "unsure"}}
    try:
        question = Question(
            **rest,
            options=text_lines(raw, "options", place),
            labels=text_lines(raw, "labels", place),
            unsure=text_lines(raw, "unsure", place),
            skip_if=_skips(raw.get("skip_if", {}), before, place),
        )
    except TypeError as error:
        raise StudyError(f"{place}: {error}.") from error
    _check(question, before, place)
    return question


def _check(question: Question, before: Sequence[Question], place: Spot) -> None:
    """Raise if a question cannot be asked."""
    if not NAME.fullmatch(question.id):
        raise StudyError(f"{place.at('id')}: an id is made of letters, digits, - and _.")
    if question.id in {earlier.id for earlier in before}:
        raise StudyError(f"{place.at('id')}: two questions have this id. Rename one.")
    if question.per not in {"item", "candidate"}:
        raise StudyError(f"{place.at('per')}: must be 'item' or 'candidate'; got {question.per!r}.")
    strange = [e.id for e in before if e.id in question.skip_if and not _bears_on(e, question)]
    if strange:
        raise StudyError(
            f"{place.at('skip_if')}: skip_if: {strange[0]!r} is answered per candidate, this "
            "question once. Ask it per candidate too."
        )
    word_of({"middle": question.middle}, "middle", MIDDLES, place)
    _check_step(question, before, place)
    if question.above and question.above not in {earlier.id for earlier in before}:
        known = [earlier.id for earlier in before]
        raise StudyError(
            f"{place.at('above')}: above: {UnknownName('earlier question', question.above, known)}"
        )
    _check_options(question, place)
    if question.type == "slider":
        _check_slider(question, place)
    elif question.labels and len(question.labels) != len(question.options):
        raise StudyError(
            f"{place.at('labels')}: {len(question.labels)} labels for "
            f"{len(question.options)} options."
        )


def _check_step(question: Question, before: Sequence[Question], place: Spot) -> None:
    last = before[-1].form_step if before else 1
    steps = {1} if not before else {last, last + 1}
    if isinstance(question.form_step, bool) or question.form_step not in steps:
        allowed = " or ".join(str(step) for step in sorted(steps))
        raise StudyError(
            f"{place.at('form_step')}: form_step must be {allowed} here; got "
            f"{question.form_step!r}. Steps count from 1 in the order of the questions."
        )


def _check_options(question: Question, place: Spot) -> None:
    if question.scale and question.scale not in SCALES:
        raise StudyError(f"{place.at('scale')}: {UnknownName('scale', question.scale, SCALES)}")
    if question.type == "set" and not question.options:
        raise StudyError(f"{place}: a set needs 'options'. Add it.")
    if any(SEPARATOR in option or not option for option in question.options):
        raise StudyError(
            f"{place.at('options')}: an option must not be empty or contain {SEPARATOR!r}."
        )
    if len(set(question.options)) < len(question.options):
        raise StudyError(f"{place.at('options')}: an option is listed twice.")


def _bears_on(earlier: Question, question: Question) -> bool:
    """Return whether answers to an earlier question can decide if this one is asked."""
    return earlier.per == "item" or question.per == "candidate" or question.type == "best-of-n"


def _check_slider(question: Question, place: Spot) -> None:
    low, high, start = question.min, question.max, question.start
    numbers = (low, high, start, question.step)
    if any(isinstance(n, bool) or not isinstance(n, int | float) for n in numbers):
        raise StudyError(f"{place}: min, max, start and step must be numbers.")
    if low is None or high is None or start is None or not low <= start <= high or low == high:
        raise StudyError(f"{place}: expected min <= start <= max and min < max.")
    if question.step <= 0:
        raise StudyError(f"{place.at('step')}: step must be above 0; got {question.step}.")
    if len(question.labels) not in {0, 2}:
        raise StudyError(f"{place.at('labels')}: a slider has two labels, one per end.")


def _skips(raw: object, before: Sequence[Question], place: Spot) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(raw, Mapping):
        raise StudyError(
            f"{place.at('skip_if')}: skip_if maps a question to its answers; got {raw!r}."
        )
    earlier = {question.id for question in before}
    for name in raw:
        if name not in earlier:
            raise StudyError(
                f"{place.at('skip_if')}: skip_if: {UnknownName('earlier question', name, earlier)}"
            )
    return MappingProxyType({name: text_lines(raw, name, place) for name in raw})
