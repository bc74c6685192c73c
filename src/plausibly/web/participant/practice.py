"""Items to practise on: answered like the real ones, with feedback, stored nowhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from plausibly.ratings.answers import Answer, Checked, check_answers
from plausibly.ratings.forms import SEPARATOR, Form, Question
from plausibly.ratings.practice import Practice
from plausibly.ratings.seen import practised
from plausibly.ratings.served import Content
from plausibly.web.context import desk_of
from plausibly.web.locale.texts import Texts
from plausibly.web.participant.fields import (
    Given,
    blocks_of,
    by_place,
    fields_of,
    given_of,
    labels_of,
    read_fields,
    reworded,
    settled_of,
    without_skipped,
)
from plausibly.web.rendering import page, person_of, read_form

HERE = "/practice"
NOTHING = Checked((), None, ())


@dataclass(frozen=True, slots=True)
class PracticeVerdict:
    """Whether an answer is one we would give, and which one we would."""

    asked: str
    candidate: str
    same: bool
    expected: str


async def show_practice(request: Request) -> Response:
    """Show an item to practise on."""
    person_of(request)
    shown = _practice_of(request)
    if shown is None:
        return RedirectResponse("/work", status_code=303)
    return _page(request, shown, _earlier(shown[1]), NOTHING)


async def try_practice(request: Request) -> Response:
    """Tell a person what we would say; nothing is stored."""
    person_of(request)
    sent, shown = await read_form(request), _practice_of(request)
    if shown is None:
        return RedirectResponse("/work", status_code=303)
    form, practice = shown
    content, step, before = content_of(practice), practice.form_step, _earlier(practice)
    checked = check_answers(
        form,
        read_fields(form, content, sent, step=step, before=before),
        candidates=content.names,
        step=step,
        earlier={place: Answer(*place, text, None) for place, text in _said(practice).items()},
    )
    given = {**before, **given_of(sent, form, content, step)}
    return _page(request, shown, without_skipped(given, checked.refusals), checked)


def _practice_of(request: Request) -> tuple[Form, Practice] | None:
    """Return the form and the practice an address names, None if there is no such one."""
    form = desk_of(request).served.form
    place = int(request.path_params["place"])
    known = 1 <= place <= len(form.practice)
    return practised(form.practice[place - 1], form) if known else None


def _said(practice: Practice) -> dict[tuple[str, str], str]:
    """Return what was answered in the steps before, by question and candidate."""
    said = {}
    for whole, text in practice.earlier.items():
        name, _, candidate = whole.partition(":")
        said[name, candidate] = text
    return said


def _earlier(practice: Practice) -> dict[tuple[str, str], Sequence[str]]:
    return {place: [text] for place, text in _said(practice).items()}


def content_of(practice: Practice) -> Content:
    """Return a practice as an item is shown."""
    return Content(
        text=practice.text,
        more=dict(practice.columns),
        sentences=practice.sentences,
        candidates=tuple(practice.candidates.items()),
    )


def verdicts_of(
    form: Form, practice: Practice, answers: Sequence[Answer], texts: Texts
) -> list[PracticeVerdict]:
    """Return, for every question something is expected for, whether it was answered so."""
    questions = {question.id: question for question in form.questions}
    labels = labels_of(form, content_of(practice))
    compared = {name: texts("work.candidate", name=label) for name, label in labels.items()}
    said = {(one.question, one.candidate): one.answer for one in answers}
    verdicts = []
    for whole, wanted in practice.expect.items():
        name, _, candidate = whole.partition(":")
        question = questions[name]
        names = compared if question.type == "best-of-n" else _names(question, wanted)
        verdicts.append(
            PracticeVerdict(
                asked=question.text or question.id,
                candidate=labels.get(candidate, ""),
                same=said.get((name, candidate)) in wanted,
                expected=" / ".join(dict.fromkeys(_called(one, names) for one in wanted)),
            )
        )
    return verdicts


def _called(answer: str, names: Mapping[str, str]) -> str:
    """Return what an answer is called on the page, part by part where it names several."""
    return ", ".join(names.get(one, one) for one in answer.split(SEPARATOR))


def _names(question: Question, wanted: Sequence[str]) -> Mapping[str, str]:
    """Return what answers are called: on a slider, by the end they lie towards."""
    if question.type != "slider" or question.start is None or not question.labels:
        return dict(zip(question.options, question.labels or question.options, strict=False))
    low, high = question.labels
    places = {one: float(one) for one in wanted}
    sides = {one: low if place < question.start else high for one, place in places.items()}
    return {one: side for one, side in sides.items() if places[one] != question.start}


def _page(
    request: Request, shown: tuple[Form, Practice], given: Given, checked: Checked
) -> Response:
    desk, (form, practice) = desk_of(request), shown
    content = content_of(practice)
    place, of, step = int(request.path_params["place"]), len(form.practice), practice.form_step
    refusals = reworded(checked.refusals, form)
    messages = [one["message"] for one in desk.refused(refusals)]
    errors = by_place(refusals, messages)
    fields = fields_of(form, content, step=step, given=given, refusals=errors)
    blocks = blocks_of(fields, content)
    return page(
        request,
        "practice",
        status=422 if refusals else 200,
        position=place,
        of=of,
        here=f"{HERE}/{place}",
        onward=f"{HERE}/{place + 1}" if place < of else "/work",
        verdicts=verdicts_of(form, practice, checked.answers, desk.texts)
        if checked.answers
        else [],
        feedback=practice.feedback,
        content=content,
        columns={form.headings.get(k, k): v for k, v in content.more.items()},
        settled=settled_of(form, content, step=step, given=given),
        earlier="",
        fields=[one for block in blocks for one in block.fields],
        blocks=blocks,
        labels=labels_of(form, content),
    )


ROUTES = [
    Route(f"{HERE}/{{place:int}}", show_practice, methods=["GET"]),
    Route(f"{HERE}/{{place:int}}", try_practice, methods=["POST"]),
]
