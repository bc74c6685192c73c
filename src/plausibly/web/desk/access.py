"""Who is at the desk: the owner or a viewer, by a link that is exchanged for a cookie."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from plausibly.ratings.store.desk import ROLES, link_number
from plausibly.web.context import AT_DESK, Desk, RequestProblem, desk_of
from plausibly.web.keys import Session

OWNER, VIEWER = ROLES
SECONDS = 7 * 24 * 3600  # after which the link is opened again


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody at the desk.

    Args:
        role: owner or viewer.
        nonce: A random number of their browser.
    """

    role: str
    nonce: str

    @property
    def is_owner(self) -> bool:
        """Whether they may see people and change anything."""
        return self.role == OWNER

    @property
    def session(self) -> Session:
        """What their forms are signed for."""
        return Session(f"desk {self.nonce}")


def cookie_name(desk: Desk) -> str:
    """Return the name of the cookie of the desk."""
    return f"{desk.cookie}-desk"


def links_of(desk: Desk) -> dict[str, str]:
    """Return the end of each link to the desk, by role; none before there are any."""
    with desk.reader.begin() as connection:
        numbers = {role: link_number(connection, role) for role in ROLES}
    return {role: desk.keys.desk(role, one) for role, one in numbers.items() if one}


async def visitor_of(request: Request) -> Visitor:
    """Return who is at the desk; for anyone else there is nothing here."""
    desk = desk_of(request)
    cookie = request.cookies.get(cookie_name(desk), "")
    visit = desk.keys.read_visit(cookie, seconds=SECONDS) if cookie else None
    if visit is not None:
        role, hashed, nonce = visit
        links = await run_in_threadpool(links_of, desk)
        if role in links and desk.keys.is_same(hashed, desk.keys.hashed("visit", links[role])):
            request.scope["state"][AT_DESK] = ("./", "desk.back")
            await desk.free_lapsed()
            return Visitor(role, nonce)
    raise RequestProblem(404)


async def owner_of(request: Request) -> Visitor:
    """Return the owner; refuse a viewer, and show a stranger nothing."""
    visitor = await visitor_of(request)
    if not visitor.is_owner:
        raise RequestProblem(403, desk_of(request).texts("desk.owners_only"))
    return visitor


def check_form(request: Request, visitor: Visitor, sent: Mapping[str, str]) -> None:
    """Refuse a form that was not served to this browser."""
    if not desk_of(request).keys.is_csrf(visitor.session, sent.get("_csrf", "")):
        raise RequestProblem(403, desk_of(request).texts("status.csrf"))


async def enter(request: Request) -> Response:
    """Exchange a link for a cookie, and go on to the desk.

    The cookie is for the folder this address is in, as the browser sees it, whatever path a proxy
    has put in front.
    """
    desk, key = desk_of(request), request.query_params.get("key", "")
    links = await run_in_threadpool(links_of, desk)
    for role, link in links.items():
        if desk.keys.is_same(key, link):
            response = RedirectResponse("./", status_code=303)
            response.set_cookie(
                cookie_name(desk),
                desk.keys.visit(role, link, secrets.token_urlsafe(12)),
                max_age=SECONDS,
                path=None,
                httponly=True,
                samesite="lax",
                secure=str(desk.served.server["public_url"]).startswith("https:"),
            )
            return response
    raise RequestProblem(404)
