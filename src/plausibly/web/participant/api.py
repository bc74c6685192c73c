"""The participant's API: join, ask for the next item, answer it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from plausibly.ratings.consent import (
    consent_document,
    consent_version,
    entry_questions,
    is_eligible,
    unanswered,
)
from plausibly.ratings.store.allocation import Done, Shown, held_next, join, next_item
from plausibly.ratings.store.answering import Refused, Sent, answer
from plausibly.ratings.store.doors import Person, turn_away
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.understanding import understand
from plausibly.web.context import (
    Desk,
    RequestProblem,
    deny,
    desk_of,
    is_person,
    read_object,
    refuse_field,
    text_field,
)
from plausibly.web.draining import refuse_new
from plausibly.web.participant.doors import EntryClaim, at_program, hidden, is_complete, keep_ids
from plausibly.web.participant.lookup import confirmed_by_platform

SHORT = range(1001)


async def give_consent(request: Request) -> JSONResponse:
    """Return what people agree to and are asked before they join."""
    served = open_desk(request).served
    return JSONResponse(consent_document(served.form, served.server))


async def join_study(request: Request) -> JSONResponse:
    """Let a person take part who agreed and is eligible; hand out a token that speaks for them."""
    desk = open_desk(request)
    document = await read_object(request)
    refuse_new(desk)
    if "language" in document and desk.served.forms:
        language = text_field(desk, document, "language")
        if language not in desk.served.forms:
            refuse_field(desk, "language", "known", known=", ".join(desk.served.forms))
        desk = desk.speaking(language)
    person, claim = await _entering(request, desk, document)
    person = replace(person, language=desk.language)
    outcome = await desk.write(partial(join, person=person, served=desk.served, now=desk.clock()))
    if isinstance(outcome, Denied):
        deny(desk, hidden(outcome, claim))
    await keep_ids(desk, claim, outcome.annotator)
    token = desk.keys.token(outcome.annotator)
    answer = {"token": token, "annotator": outcome.annotator, "places": outcome.places}
    if desk.served.form.comprehension and not request.scope["state"]["rehearsal"]:
        answer["understood"] = await _understands(desk, document, outcome.annotator)
    return JSONResponse(answer)


async def _understands(desk: Desk, document: Mapping[str, Any], annotator: str) -> bool:
    """Return whether a person has understood the instructions; without answers none is judged."""
    said = document.get("comprehension", {})
    if not isinstance(said, dict):
        refuse_field(desk, "comprehension", "answers")
    if not said:
        return False
    job = partial(understand, annotator=annotator, said=said, served=desk.served, now=desk.clock())
    outcome = await desk.write(job)
    if isinstance(outcome, Denied):
        deny(desk, outcome)
    return outcome.passed


async def _entering(
    request: Request, desk: Desk, document: Mapping[str, Any]
) -> tuple[Person, EntryClaim]:
    """Return the person who joins, past the door; refuse without consent or eligibility."""
    state = request.scope["state"]
    linked = desk.served.server["door"] == "links" and "link" in document
    number = "" if linked else text_field(desk, document, "person")
    if not linked and not is_person(number):
        refuse_field(desk, "person", "person")
    source = text_field(desk, document, "source", default="link")
    if state["rehearsal"]:
        coded = desk.keys.annotator(number)
        person = Person(coded, source, consented=True, channel="api", short=None, understood=True)
        return person, EntryClaim()
    given = {
        name: text_field(desk, document, name)
        for name in ("study", "submission", "link")
        if name in document
    }
    claim = EntryClaim(number, source, **given, short=_announced(desk, document))
    if not is_complete(desk, claim):
        deny(desk, Denied("door"))
    said = _agreed(desk, document)
    person = at_program(desk, claim, state["annotator"])
    if not is_eligible(desk.served.form, said):
        await desk.write(partial(turn_away, person=person, now=desk.clock()))
        deny(desk, Denied("screened"))
    vouched = await confirmed_by_platform(desk, claim)
    if vouched is False:
        deny(desk, Denied("door"))
    confirmed = person.confirmed or vouched is True
    return replace(person, address=desk.address(request), confirmed=confirmed), claim


def _announced(desk: Desk, document: Mapping[str, Any]) -> str:
    """Return how many items of a short round a person agreed to; empty if to none."""
    short = document.get("short", 0)
    if isinstance(short, bool) or not isinstance(short, int | float) or short not in SHORT:
        refuse_field(desk, "short", "count", most=SHORT[-1])
    return str(int(short)) if short else ""


def _agreed(desk: Desk, document: Mapping[str, Any]) -> Mapping[str, object]:
    """Return the answers to the questions before the study; refuse who has not agreed to it."""
    form = desk.served.form
    said = document.get("screening", {})
    asked = entry_questions(form)
    version = consent_version(form, desk.served.server)
    if (form.consent or asked) and document.get("consent") != version:
        deny(desk, Denied("consent"))
    if not isinstance(said, dict):
        refuse_field(desk, "screening", "answers")
    missing = unanswered(form, said)
    if missing:
        refuse_field(desk, "screening", "screening", names=", ".join(missing))
    return said


async def give_next(request: Request) -> JSONResponse:
    """Hand out the item a person is to answer now, or say that they are done."""
    desk, annotator = open_desk(request), speaker(request)
    address = desk.address(request)
    asked: dict[str, Any] = {"annotator": annotator, "served": desk.served, "now": desk.clock()}
    found = await desk.write(partial(held_next, **asked), lasting=False)
    if found is None:
        refuse_new(desk)
        found = await desk.write(partial(next_item, **asked, address=address))
    if isinstance(found, Denied):
        deny(desk, found)
    if isinstance(found, Done):
        if found.finished:
            return JSONResponse({"done": True, "code": desk.code(annotator, short=found.short)})
        later = None if found.seconds is None else math.ceil(found.seconds)
        return JSONResponse({"done": True, "code": None, "retry_after": later})
    return JSONResponse(shown(desk, found, annotator))


def shown(desk: Desk, slot: Shown, annotator: str) -> dict[str, Any]:
    """Return an item as the API shows it."""
    served = desk.speaking(desk.served.languages.get(slot.item)).served
    seen = served.seen(slot.item, annotator)
    return {
        "item": slot.item,
        "form": {**seen.form.document, "version": served.form.version},
        "step": slot.step,
        "content": seen.content.as_json(slot.step),
        "reservation": slot.reservation,
        "progress": {
            "batch": slot.batch,
            "position": slot.position,
            "of": slot.of,
            "answered": slot.answered,
        },
    }


async def take_answers(request: Request) -> JSONResponse:
    """Store the answers to an item: 201 once they are on disk, 200 if they were before."""
    desk, annotator = open_desk(request), speaker(request)
    document = await read_object(request)
    given = document.get("answers")
    if not isinstance(given, dict):
        refuse_field(desk, "answers", "answers")
    step = document.get("step")
    if isinstance(step, float) and step.is_integer():  # 2.0 is a whole number to JSON Schema
        step = int(step)
    if step is not None and (isinstance(step, bool) or not isinstance(step, int)):
        refuse_field(desk, "step", "count", most=desk.served.form.steps)
    reservation, key = (text_field(desk, document, name) for name in ("reservation", "key"))
    sent = Sent(reservation, given, key, step, per_minute=desk.per_minute(request))
    job = partial(answer, annotator=annotator, sent=sent, served=desk.served, now=desk.clock())
    found = await desk.write(job)
    if isinstance(found, Denied):
        deny(desk, found)
    if isinstance(found, Refused):
        raise RequestProblem(422, desk.texts("status.422"), desk.refused(found.refusals))
    return JSONResponse({"revision": found.revision}, status_code=201 if found.new else 200)


def open_desk(request: Request) -> Desk:
    """Return the desk if programs may take part; simulated people always may."""
    desk = desk_of(request)
    if not desk.served.server["api"] and not desk.rehearsal:
        raise RequestProblem(403, desk.texts("status.no_api"))
    return desk


def speaker(request: Request) -> str:
    """Return the person a request speaks for; refuse one that speaks for nobody."""
    annotator = request.scope["state"]["annotator"]
    if annotator is None:
        raise RequestProblem(401)
    return str(annotator)


ROUTES = [
    Route("/api/v1/answers", take_answers, methods=["POST"]),  # most often asked for
    Route("/api/v1/next", give_next, methods=["GET"]),
    Route("/api/v1/join", join_study, methods=["POST"]),
    Route("/api/v1/consent", give_consent, methods=["GET"]),
]
