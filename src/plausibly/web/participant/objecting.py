"""What excluded people see: why, what they can object, and what was replied."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from plausibly.ratings.exits import FINISHED, FULL
from plausibly.ratings.store.allocation import Done, finished_before
from plausibly.ratings.store.objections import (
    LONGEST,
    ExclusionReason,
    Objection,
    list_objections,
    object_to,
    reasons_of,
)
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.verdicts import grace_left
from plausibly.web.context import CONTROL, Desk, WayOut, deny, desk_of
from plausibly.web.rendering import page, person_of, read_form

HERE = "/excluded"
Standing = tuple[list[ExclusionReason], list[Objection], Done | None, bool]


async def show_reasons(request: Request) -> Response:
    """Show an excluded person why, and what became of an objection."""
    return await _shown(request)


async def _shown(request: Request, *, empty: bool = False) -> Response:
    desk, annotator = desk_of(request), person_of(request)

    def job(connection: Connection) -> Standing:
        withdrew = grace_left(connection, annotator, now=desk.clock()) is not None
        return (
            reasons_of(connection, annotator),
            list_objections(connection, annotator),
            finished_before(connection, annotator),
            withdrew,
        )

    reasons, said, done, withdrew = await desk.write(job, lasting=False)
    if withdrew:
        deny(desk, Denied("excluded"))
    if not reasons:
        return RedirectResponse("/work", status_code=303)
    return page(
        request,
        "excluded",
        status=422 if empty else 403,
        reasons=reasons,
        said=[(one, desk.texts.day(datetime.fromtimestamp(one.made, UTC))) for one in said],
        open=next((one.text for one in said if one.replied is None), ""),
        longest=LONGEST,
        empty=empty,
        here=HERE,
        way=_way_out(desk, annotator, done),
    )


def _way_out(desk: Desk, annotator: str, done: Done | None) -> WayOut:
    """Return the code a person has earned: a verdict on their answers does not change it."""
    if done is None:
        return desk.way_out(FULL, annotator)
    return desk.way_out(FINISHED, annotator, code=desk.code(annotator, short=done.short))


async def take_objection(request: Request) -> Response:
    """Store what an excluded person objects."""
    desk, annotator = desk_of(request), person_of(request)
    sent = await read_form(request)
    lines = sent.get("text", [""])[-1].splitlines()
    text = "\n".join(CONTROL.sub(" ", line) for line in lines).strip()[:LONGEST]
    if not text:
        return await _shown(request, empty=True)
    job = partial(object_to, annotator=annotator, text=text, now=desk.clock())
    outcome = await desk.write(job)
    if isinstance(outcome, Denied):
        deny(desk, outcome)
    return RedirectResponse(HERE, status_code=303)


ROUTES = [
    Route(HERE, show_reasons, methods=["GET"]),
    Route(HERE, take_objection, methods=["POST"]),
]
