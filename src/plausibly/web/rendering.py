"""Pages and the two files they load, whose names change with their content."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from plausibly.web.context import Desk, RequestProblem, desk_of, read_body
from plausibly.web.keys import Session, new_session
from plausibly.web.subpath import base_of, linked

TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
FILES = ("style.css", "form.js", "author.js", "desk.css")
FOREVER = "public, max-age=31536000, immutable"
MOST_FIELDS = 500


@dataclass(frozen=True, slots=True)
class Asset:
    """A file pages load."""

    path: str
    content: bytes
    type: str


@cache
def assets() -> dict[str, Asset]:
    """Return the files pages load, by the name the templates know them by."""
    found = {}
    for name in FILES:
        content = files("plausibly.web").joinpath("static", name).read_bytes()
        stem, suffix = name.split(".")
        digest = hashlib.sha256(content).hexdigest()[:12]
        found[name] = Asset(f"/static/{stem}.{digest}.{suffix}", content, TYPES[suffix])
    return found


async def give_asset(request: Request) -> Response:
    """Return a file pages load, for ever: another content has another name."""
    for asset in assets().values():
        if asset.path == request.url.path:
            headers = {"Cache-Control": FOREVER}
            return Response(asset.content, media_type=asset.type, headers=headers)
    raise RequestProblem(404)


def page(
    request: Request,
    template: str,
    *,
    status: int = 200,
    session: Session | None = None,
    **more: object,
) -> HTMLResponse:
    """Return a page; a session is handed to the browser with it."""
    desk = desk_of(request)
    known = session or request.scope["state"]["session"]
    content = desk.templates.get_template(f"{template}.html.jinja").render(
        texts=desk.texts,
        study=desk.served,
        style=assets()["style.css"].path,
        script=assets()["form.js"].path,
        csrf=desk.keys.csrf(known) if known else "",
        **more,
    )
    base = base_of(desk.served.server)
    response = HTMLResponse(linked(content, base), status_code=status)
    if desk.language and "language" in request.query_params:
        keep_language(response, desk)
    if session is not None:
        keep(response, desk, session)
    return response


def keep_language(response: Response, desk: Desk) -> None:
    """Let the browser keep the language that the pages speak, where a study has several."""
    if not desk.language:
        return
    server = desk.served.server
    response.set_cookie(
        desk.language_cookie,
        desk.language,
        max_age=int(server["session_hours"] * 3600),
        path=base_of(server) or "/",
        httponly=True,
        samesite="lax",
        secure=str(server["public_url"]).startswith("https:"),
    )


def keep(response: Response, desk: Desk, session: Session) -> None:
    """Hand a session to the browser: signed, for this site only, out of reach of scripts."""
    server = desk.served.server
    header = _set_cookie(
        desk.cookie,
        desk.keys.session(session),
        int(server["session_hours"] * 3600),
        base_of(server) or "/",
        str(server["public_url"]).startswith("https:"),
    )
    response.raw_headers.append((b"set-cookie", header))


@lru_cache(4096)
def _set_cookie(name: str, value: str, seconds: int, path: str, secure: bool) -> bytes:
    """Return the header that sets a cookie; every answer sends the same one for a while."""
    response = Response()
    response.set_cookie(
        name, value, seconds, path=path, secure=secure, httponly=True, samesite="lax"
    )
    return response.headers["set-cookie"].encode("latin-1")


def session_of(request: Request) -> Session:
    """Return the browser's session, a new one if it has none."""
    session = request.scope["state"]["session"]
    return session if isinstance(session, Session) else new_session()


def person_of(request: Request) -> str:
    """Return who is at the browser; refuse whoever is not known."""
    session = session_of(request)
    if session.annotator is None:
        raise RequestProblem(401, desk_of(request).texts("status.session"))
    return session.annotator


async def read_form(request: Request) -> dict[str, list[str]]:
    """Return the fields a page sent, after making sure that it was our page."""
    desk = desk_of(request)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise RequestProblem(415, desk.texts("status.form"))
    body = await read_body(request)
    try:
        text = body.decode("utf-8")
        sent = parse_qs(text, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
    except ValueError:
        raise RequestProblem(400) from None
    if not desk.keys.is_csrf(request.scope["state"]["session"], sent.get("_csrf", [""])[0]):
        raise RequestProblem(403, desk.texts("status.csrf"))
    return sent


ROUTES = [Route("/static/{name}", give_asset, methods=["GET"])]
