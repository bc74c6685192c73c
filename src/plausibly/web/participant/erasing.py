"""Erase at once what a person has answered, when they ask for it and confirm it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from plausibly.ratings.consent import may_withdraw
from plausibly.ratings.exits import FULL
from plausibly.ratings.store.places import Denied
from plausibly.web.context import Desk, deny, desk_of
from plausibly.web.keys import new_session
from plausibly.web.rendering import page, person_of, read_form

HERE = "/withdraw/erase"


async def ask_erasure(request: Request) -> Response:
    """Ask a person to confirm that everything of theirs is deleted."""
    person_of(request)
    _refuse_late(desk_of(request))
    return page(request, "erase", unsure=False)


async def take_erasure(request: Request) -> Response:
    """Delete everything of a person who has confirmed it."""
    from plausibly.web.people.purging import erase_now  # which opens desks with the application

    desk, annotator = desk_of(request), person_of(request)
    sent = await read_form(request)
    _refuse_late(desk)
    if sent.get("sure", [""])[-1] != "yes":
        return page(request, "erase", status=422, unsure=True)
    way = desk.way_out(FULL, annotator)
    if not await erase_now(desk, annotator):
        deny(desk, Denied("unknown"))
    return page(request, "erased", session=new_session(), way=way)


def _refuse_late(desk: Desk) -> None:
    if not may_withdraw(desk.served.server, now=desk.clock()):
        deny(desk, Denied("released"))


ROUTES = [
    Route(HERE, ask_erasure, methods=["GET"]),
    Route(HERE, take_erasure, methods=["POST"]),
]
