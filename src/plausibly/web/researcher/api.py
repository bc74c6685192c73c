"""The researcher's API: ratings, progress, exclusions, withdrawn items, further rounds."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from io import StringIO
from itertools import islice
from typing import Any

from sqlalchemy import Connection, select
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from plausibly.domain import as_number
from plausibly.ratings.store.desk import EXCLUDED, PROGRAM, RESTORED, log_verdicts
from plausibly.ratings.store.doors import release
from plausibly.ratings.store.objections import BY_US
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.progress import progress, stream_ratings
from plausibly.ratings.store.reading import RATING_COLUMNS
from plausibly.ratings.store.rounds import Reopening, Round, reopen, undo_round
from plausibly.ratings.store.schema import people
from plausibly.ratings.store.verdicts import Verdict, exclude, give_back, restore, withdraw
from plausibly.web.context import (
    Desk,
    RequestProblem,
    deny,
    desk_of,
    read_object,
    refuse_field,
    refuse_unknown,
    text_field,
)

LINES_TOGETHER = 500
COUNTS = range(1, 1001)


async def researcher_desk(request: Request) -> Desk:
    """Return the desk if the researcher asks; refuse anyone else."""
    desk = desk_of(request)
    if not desk.researcher:
        raise RequestProblem(403, desk.texts("status.closed"))
    if not request.scope["state"]["researcher"]:
        raise RequestProblem(401)
    await desk.free_lapsed()
    return desk


async def give_ratings(request: Request) -> StreamingResponse:
    """Stream the ratings, one JSON object a line or as CSV; `state=all` adds void ones."""
    desk = await researcher_desk(request)
    refuse_unknown(desk, request.query_params, ("state", "format"))
    form = request.query_params.get("format", "jsonl")
    if form not in {"jsonl", "csv"}:
        refuse_field(desk, "format", "format")
    state = request.query_params.get("state", "valid")
    if state not in {"valid", "all"}:
        refuse_field(desk, "state", "state")
    return ratings_stream(desk, form=form, everything=state == "all")


def ratings_stream(
    desk: Desk,
    *,
    form: str,
    everything: bool,
    shown: Callable[[Iterator[dict[str, Any]]], Iterator[dict[str, Any]]] | None = None,
) -> StreamingResponse:
    """Return the ratings as they are now, one JSON object a line or as CSV.

    Args:
        desk: The study.
        form: csv or jsonl.
        everything: Whether void ones are among them.
        shown: Turns the rows into what is shown of them; None for all of it.
    """
    rows = stream_ratings(desk.reader, everything=everything)
    rows = rows if shown is None else shown(rows)
    if form == "csv":
        return StreamingResponse(_cells(rows), media_type="text/csv; charset=utf-8")
    return StreamingResponse(_lines(rows), media_type="application/x-ndjson")


def _cells(rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """Yield the same rows as CSV; a text cannot become a formula in a spreadsheet."""
    names = list(RATING_COLUMNS)
    yield _written([names])
    while some := list(islice(rows, LINES_TOGETHER)):
        yield _written([[_cell(row[name]) for name in names] for row in some])


def _written(rows: list[list[Any]]) -> bytes:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _cell(value: object) -> object:
    formula = isinstance(value, str) and value[:1] in {"=", "+", "-", "@"} and len(value) > 1
    return f"'{value}" if formula and as_number(str(value)) is None else value


def _lines(rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    while some := list(islice(rows, LINES_TOGETHER)):
        # Escaped, so that no character inside a text can be taken for the end of a line.
        yield "".join(f"{json.dumps(row)}\n" for row in some).encode()


async def give_progress(request: Request) -> JSONResponse:
    """Say how far the collection is."""
    desk = await researcher_desk(request)

    def read() -> dict[str, Any]:
        with desk.reader.begin() as connection:
            return progress(connection, desk.served)

    return JSONResponse(await run_in_threadpool(read))


async def exclude_person(request: Request) -> JSONResponse:
    """Exclude a person; their answers become void and the places open again."""
    desk = await researcher_desk(request)
    document = await read_object(request, optional=True)
    reason = text_field(desk, document, "reason", default=BY_US)
    job = partial(exclude, check=None, reason=reason, now=desk.clock())
    return await _judge(desk, request.path_params["person"], job, EXCLUDED)


async def restore_person(request: Request) -> JSONResponse:
    """Undo a person's exclusions and quarantine; their answers come back where there is room."""
    desk = await researcher_desk(request)
    now = desk.clock()

    def job(connection: Connection, annotator: str) -> Verdict | Denied:
        release(connection, annotator)
        return restore(connection, annotator, now=now)

    return await _judge(desk, request.path_params["person"], job, RESTORED)


async def _judge(
    desk: Desk, person: str, judge: Callable[[Connection, str], Verdict | Denied], what: str
) -> JSONResponse:
    """Pass a verdict on a person, named as they joined or as the ratings table names them."""
    now = desk.clock()

    def job(connection: Connection) -> tuple[str, Verdict | Denied]:
        known = connection.scalar(select(people.c.annotator).where(people.c.annotator == person))
        annotator = known or desk.keys.annotator(person)
        verdict = judge(connection, annotator)
        log_verdicts(connection, [verdict], by=PROGRAM, what=what, now=now)
        return annotator, verdict

    annotator, verdict = await desk.write(job)
    if isinstance(verdict, Denied):
        deny(desk, verdict)
    return JSONResponse({"ok": True, "annotator": annotator, **asdict(verdict)})


async def withdraw_item(request: Request) -> JSONResponse:
    """Withdraw an item; a withdrawn check takes the exclusions it caused with it."""
    desk, item = await researcher_desk(request), request.path_params["item"]
    job = partial(withdraw, item=item, served=desk.served, now=desk.clock())
    verdict = await desk.write(job)
    if isinstance(verdict, Denied):
        deny(desk, verdict)
    return JSONResponse({"ok": True, "item": item, **asdict(verdict)})


async def give_item_back(request: Request) -> JSONResponse:
    """Undo the withdrawal of an item."""
    desk, item = await researcher_desk(request), request.path_params["item"]
    job = partial(give_back, item=item, served=desk.served, now=desk.clock())
    verdict = await desk.write(job)
    if isinstance(verdict, Denied):
        deny(desk, verdict)
    return JSONResponse({"ok": True, "item": item, **asdict(verdict)})


async def open_round(request: Request) -> JSONResponse:
    """Reopen items with few valid ratings for people who have not taken part yet."""
    desk = await researcher_desk(request)
    document = await read_object(request)
    refuse_unknown(desk, document, ("fewer_than", "ratings", "items", "close"))
    fewer_than = _count(desk, document, "fewer_than")
    ratings = _count(desk, document, "ratings")
    only = document.get("items")
    named = isinstance(only, list) and all(isinstance(name, str) for name in only)
    if "items" in document and not named:
        refuse_field(desk, "items", "items")
    close = document.get("close", False)
    if not isinstance(close, bool):
        refuse_field(desk, "close", "flag")
    opening = Reopening(fewer_than, ratings, only, close)
    outcome = await desk.write(partial(reopen, opening=opening, now=desk.clock()))
    return _round(desk, outcome, status=201)


async def drop_round(request: Request) -> JSONResponse:
    """Undo the latest round; the one before it goes on."""
    desk, number = await researcher_desk(request), request.path_params["round"]
    outcome = await desk.write(partial(undo_round, number=number, now=desk.clock()))
    return _round(desk, outcome, status=200)


def _round(desk: Desk, outcome: Round | Denied, *, status: int) -> JSONResponse:
    """Return the round that is open now."""
    if isinstance(outcome, Denied):
        deny(desk, outcome)
    document = {"round": outcome.number, "items": outcome.items, "places": outcome.places}
    return JSONResponse(document, status_code=status)


def _count(desk: Desk, document: Mapping[str, Any], name: str) -> int:
    given = document.get(name)
    if isinstance(given, bool) or not isinstance(given, int | float) or given not in COUNTS:
        refuse_field(desk, name, "count", most=COUNTS[-1])
    return int(given)


ROUTES = [
    Route("/api/v1/ratings", give_ratings, methods=["GET"]),
    Route("/api/v1/progress", give_progress, methods=["GET"]),
    Route("/api/v1/people/{person:path}/exclude", exclude_person, methods=["POST"]),
    Route("/api/v1/people/{person:path}/restore", restore_person, methods=["POST"]),
    Route("/api/v1/items/{item:path}/withdraw", withdraw_item, methods=["POST"]),
    Route("/api/v1/items/{item:path}/restore", give_item_back, methods=["POST"]),
    Route("/api/v1/rounds", open_round, methods=["POST"]),
    Route("/api/v1/rounds/{round:int}/undo", drop_round, methods=["POST"]),
]
