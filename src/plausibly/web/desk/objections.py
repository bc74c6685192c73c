"""Objections of excluded people: the owner reads them and replies."""

from __future__ import annotations

from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from plausibly.ratings.store.objections import LONGEST, Objection, list_objections
from plausibly.web.context import AT_DESK, RequestProblem, desk_of
from plausibly.web.desk.access import OWNER, owner_of
from plausibly.web.desk.actions import sent_by_owner
from plausibly.web.desk.showing import desk_page, moment
from plausibly.web.people.objecting import reply_logged


async def show_objections(request: Request) -> Response:
    """Show what excluded people object, open objections first."""
    visitor, desk = await owner_of(request), desk_of(request)

    def read() -> list[Objection]:
        with desk.reader.begin() as connection:
            return list_objections(connection)

    return desk_page(
        request,
        visitor,
        "objections",
        here="objections",
        objections=await run_in_threadpool(read),
        moment=moment,
        longest=LONGEST,
    )


async def reply(request: Request) -> Response:
    """Store the reply to an objection, which its person reads with their link."""
    _, sent = await sent_by_owner(request)
    desk, text = desk_of(request), sent.get("reply", "").strip()
    number = sent.get("number", "")
    if not text:
        request.scope["state"][AT_DESK] = ("objections", "desk_objections.back")
        raise RequestProblem(422, desk.texts("desk_objections.empty"))
    if not number.isdecimal():
        raise RequestProblem(422, desk.texts("desk.unusable"))
    now = desk.clock()

    def job(connection: Connection) -> Objection | None:
        return reply_logged(connection, int(number), text, by=OWNER, now=now)

    if await desk.write(job) is None:
        raise RequestProblem(404)
    return RedirectResponse("objections", status_code=303)
