"""The participant's API: join, ask for the next item, answer it."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from plausibly.ratings.store.allocation import (
    Done,
    Person,
    Shown,
    held_next,
    join,
    next_item,
)
from plausibly.ratings.store.answering import Refused, Sent, answer
from plausibly.ratings.store.places import Denied
from plausibly.web.desk import (
    Desk,
    RequestProblem,
    deny,
    desk_of,
    is_person,
    read_object,
    refuse_field,
    text_field,
)


async def join_study(request: Request) -> JSONResponse:
    """Let a person take part and hand out a token that speaks for them."""
    desk = desk_of(request)
    document = await read_object(request)
    number = text_field(desk, document, "person")
    if not is_person(number):
        refuse_field(desk, "person", "person")
    person = Person(
        desk.keys.annotator(number),
        text_field(desk, document, "source", default="link"),
    )
    person = replace(person, peers=desk.peers(request, person.annotator))
    outcome = await desk.write(partial(join, person=person, served=desk.served, now=desk.clock()))
    if isinstance(outcome, Denied):
        deny(desk, outcome)
    token = desk.keys.token(outcome.annotator)
    document = {"token": token, "annotator": outcome.annotator, "places": outcome.places}
    return JSONResponse(document)


async def give_next(request: Request) -> JSONResponse:
    """Hand out the item a person is to answer now, or say that they are done."""
    desk, annotator = desk_of(request), speaker(request)
    peers = desk.peers(request, annotator)
    asked: dict[str, Any] = {"annotator": annotator, "served": desk.served, "now": desk.clock()}
    found = await desk.write(partial(held_next, **asked), lasting=False)
    if found is None:
        found = await desk.write(partial(next_item, **asked, peers=peers))
    if isinstance(found, Denied):
        deny(desk, found)
    if isinstance(found, Done):
        if found.finished:
            return JSONResponse({"done": True, "code": desk.code(annotator)})
        later = None if found.seconds is None else math.ceil(found.seconds)
        return JSONResponse({"done": True, "code": None, "retry_after": later})
    return JSONResponse(shown(desk, found, annotator))


def shown(desk: Desk, slot: Shown, annotator: str) -> dict[str, Any]:
    """Return an item as the API shows it."""
    return {
        "item": slot.item,
        "form": desk.served.form.document,
        "step": slot.step,
        "content": desk.served.content(slot.item, annotator).as_json(slot.step),
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
    desk, annotator = desk_of(request), speaker(request)
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
    sent = Sent(reservation, given, key, step)
    job = partial(answer, annotator=annotator, sent=sent, served=desk.served, now=desk.clock())
    found = await desk.write(job)
    if isinstance(found, Denied):
        deny(desk, found)
    if isinstance(found, Refused):
        raise RequestProblem(422, desk.texts("status.422"), desk.refused(found.refusals))
    return JSONResponse({"revision": found.revision}, status_code=201 if found.new else 200)


def speaker(request: Request) -> str:
    """Return the person a request speaks for; refuse one that speaks for nobody."""
    annotator = request.scope["state"]["annotator"]
    if annotator is None:
        raise RequestProblem(401)
    return str(annotator)


ROUTES = [
    Route("/api/v1/join", join_study, methods=["POST"]),
    Route("/api/v1/next", give_next, methods=["GET"]),
    Route("/api/v1/answers", take_answers, methods=["POST"]),
]
