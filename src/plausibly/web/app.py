"""The application: routes, the desk behind them, and one shape for everything that goes wrong."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from sqlalchemy.exc import OperationalError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from plausibly.backends.prolific import client_from_environment
from plausibly.errors import StudyError
from plausibly.ratings.served import Served
from plausibly.ratings.server import door_of
from plausibly.ratings.store.dialect import connect, database_url
from plausibly.ratings.store.ids import PlatformIds, ids_file
from plausibly.ratings.store.opening import prepare, remember, remembered
from plausibly.ratings.store.writer import StoreWriter
from plausibly.web import rendering
from plausibly.web.addresses import Addresses, run_key
from plausibly.web.context import AT_DESK, Desk, RequestProblem, desk_of
from plausibly.web.draining import watching
from plausibly.web.guard import HEADERS, Guard, Limiter
from plausibly.web.health import Health
from plausibly.web.keys import PLATFORM_FILE, VARIABLE, Keys, refuse_short, study_secret
from plausibly.web.locale.texts import Texts
from plausibly.web.participant import api as participant
from plausibly.web.participant import entry, erasing, objecting, practice, understanding, work
from plausibly.web.participant.lookup import PlatformDoor
from plausibly.web.rendering import page
from plausibly.web.researcher import api as researcher

STOPPING = "stopping"
LONGEST_CLEARING = 20.0  # seconds in which a file is rewritten before the server ends
TOKEN = "PLAUSIBLY_TOKEN"  # noqa: S105 - the name of the variable, not a token


def create_app(
    served: Served,
    *,
    database: str | None = None,
    token: str = "",
    clock: Callable[[], float] = time.time,
    rehearsal: str = "",
) -> Starlette:
    """Return the application of a study.

    Args:
        served: The study.
        database: Where the answers lie; by default in the study folder.
        token: The researcher's token; without one the researcher's part is closed.
        clock: The time.
        rehearsal: A key that lets simulated people in; empty for real ones.
    """
    desk = open_desk(served, database=database, token=token, clock=clock)
    desk = replace(desk, rehearsal=rehearsal)
    from plausibly.web.desk import routes  # which opens desks with this module

    limiter = Limiter(per_minute=served.server["requests_per_minute"])

    guard = Middleware(Guard, desk=desk, limiter=limiter, refuse=refusing)
    app = Starlette(
        routes=[
            *work.ROUTES,  # what is asked for most comes first
            *participant.ROUTES,
            *_own_routes(),
            *researcher.ROUTES,
            *routes.ROUTES,
            *rendering.ROUTES,
            *entry.ROUTES,
            *practice.ROUTES,
            *understanding.ROUTES,
            *objecting.ROUTES,
            *erasing.ROUTES,
        ],
        middleware=[guard],
        exception_handlers={
            HTTPException: on_problem,
            OperationalError: on_busy,
            500: on_failure,
        },
        lifespan=_lifespan_of(desk, Path(str(database_url(served.folder, database).database))),
    )
    app.state.desk = desk
    return app


def _lifespan_of(
    desk: Desk, path: Path
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    """Return what the application does at its start, once a day, and in the end."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        from plausibly.web.people.purging import (  # which opens desks with this module
            clear_at_the_end,
            purge,
            purge_daily,
        )

        del app
        purging = asyncio.create_task(purge_daily(desk, path, await purge(desk, path)))
        with watching(desk):
            yield
        await asyncio.wait(desk.tasks, timeout=LONGEST_CLEARING) if desk.tasks else None
        unfinished = bool(desk.tasks)
        for task in (purging, *desk.tasks):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await desk.store.close()
        desk.dispose()
        if unfinished:
            clear_at_the_end(desk.place)

    return lifespan


def open_desk(
    served: Served, *, database: str | None, token: str, clock: Callable[[], float]
) -> Desk:
    """Open the database, bring it up to date, and return the desk of a study."""
    if token:
        refuse_short(TOKEN, token)
    door = {"door": door_of(served.server)}
    served = replace(served, server={**served.server, **door})
    url = database_url(served.folder, database)
    engine = connect(url)
    number = prepare(engine, served, now=clock())
    begun = remembered(engine, "key") is not None
    secret = study_secret(served.folder, number, make=not begun)
    keys = Keys(secret, seconds=served.server["session_hours"] * 3600) if secret else None
    if keys is None or remember(engine, "key", keys.fingerprint()) != keys.fingerprint():
        raise StudyError(
            f"{served.folder}: the answers were collected with another key, so the people in them "
            f"would not be recognised. Put {VARIABLE} or answers.key back as it was."
        )
    place = Path(str(url.database))
    return Desk(
        served=served,
        platform=_platform(served),
        ids=PlatformIds(
            ids_file(place), partial(study_secret, served.folder, number, name=PLATFORM_FILE)
        ),
        keys=keys,
        texts=Texts(served.server["interface"], served.folder),
        store=StoreWriter(engine),
        reader=connect(url, begin="BEGIN"),
        templates=environment(),
        clock=clock,
        cookie=f"plausibly-{number}",
        place=place,
        researcher=token,
        health=Health(url),
        addresses=Addresses(served.server["trusted_proxies"], run_key(place)),
    )


def _platform(served: Served) -> PlatformDoor | None:
    """Return what asks the platform about people; None without a token of it."""
    if served.server["platform"] != "prolific":
        return None
    client = client_from_environment()
    return None if client is None else PlatformDoor(client)


def environment() -> Environment:
    """Return the templates: everything escaped, nothing undefined passed over."""
    return Environment(
        loader=PackageLoader(__package__ or ""),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        auto_reload=False,  # they do not change while the server runs
        trim_blocks=True,
        lstrip_blocks=True,
    )


async def health(request: Request) -> Response:
    """Say that the server is ready, or that answers cannot be stored."""
    desk = desk_of(request)
    reason = STOPPING if desk.draining.is_set() else await desk.cannot_write()
    about = {"study": desk.served.name}
    if not reason:
        return JSONResponse({"ok": True, **about})
    text, later = desk.texts(f"status.{reason}"), {"Retry-After": "5"}
    return say_problem(request, 503, text, headers=later, more={**about, "reason": reason})


async def openapi(request: Request) -> Response:
    """Return the description of the API."""
    del request
    document = files(__package__).joinpath("openapi.json").read_bytes()
    return Response(document, media_type="application/json")


def _own_routes() -> list[Route]:
    return [
        Route("/healthz", health, methods=["GET"]),
        Route("/api/v1/openapi.json", openapi, methods=["GET"]),
    ]


async def on_problem(request: Request, problem: Exception) -> Response:
    """Answer a request that was refused."""
    if not isinstance(problem, HTTPException):
        raise problem
    if not isinstance(problem, RequestProblem):
        return say_problem(request, problem.status_code, headers=dict(problem.headers or {}))
    return say_problem(
        request,
        problem.status_code,
        problem.detail,
        headers=dict(problem.headers or {}),
        more={**problem.more, "errors": problem.errors},
    )


async def on_busy(request: Request, problem: Exception) -> Response:
    """Answer a request whose answers could not be stored: the disk is full, or locked."""
    del problem
    return say_problem(request, 503, headers={"Retry-After": "5"})


async def on_failure(request: Request, problem: Exception) -> Response:
    """Answer a request on which the server failed."""
    del problem
    strict = {name.decode(): value.decode() for name, value in HEADERS}
    return say_problem(request, 500, headers=strict)


def refusing(status: int) -> ASGIApp:
    """Return what answers a request that nothing else looks at: one too many, or too long."""

    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        headers = {"Retry-After": "5"} if status == 429 else {}
        await say_problem(Request(scope), status, headers=headers)(scope, receive, send)

    return refuse


def say_problem(
    request: Request,
    status: int,
    text: str = "",
    *,
    headers: dict[str, str],
    more: Mapping[str, Any] | None = None,
) -> Response:
    """Return a refusal, in the one shape all of them have."""
    desk = desk_of(request)
    error = text or desk.texts(f"status.{status}")
    if status == 401:
        headers = {**headers, "WWW-Authenticate": "Bearer"}
    if not request.url.path.startswith(("/api/", "/healthz")):
        state = request.scope["state"]
        known = state["session"] is not None and state["session"].annotator is not None
        onward = known and request.url.path != work.HERE
        back = state.get(AT_DESK)
        response = page(request, "problem", status=status, text=error, onward=onward, back=back)
        response.headers.update(headers)
        return response
    document = {"ok": False, "error": error, "errors": [], **(more or {})}
    return JSONResponse(document, status_code=status, headers=headers)
