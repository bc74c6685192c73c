"""What the owner does at the desk: pause and close the study, exclude and restore people."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl, urlencode

from sqlalchemy import Connection, select
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from plausibly.ratings.store.desk import EXCLUDED, RESTORED, log_verdicts
from plausibly.ratings.store.objections import BY_US
from plausibly.ratings.store.offers import short_pay
from plausibly.ratings.store.overview import standing_places
from plausibly.ratings.store.pausing import CLOSED, OPEN, PAUSED
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.schema import people, screened
from plausibly.web.context import LONGEST_NAME, Desk, RequestProblem, deny, desk_of, read_body
from plausibly.web.desk.access import OWNER, Visitor, check_form, owner_of
from plausibly.web.desk.showing import amount, desk_page, short_name
from plausibly.web.people.deciding import Judge, excluding, restoring
from plausibly.web.people.pausing import change_gate

FORM = "application/x-www-form-urlencoded"
WITHDREW = "withdrew"  # why a person cannot be restored; its text is for that person


async def sent_by_owner(request: Request) -> tuple[Visitor, dict[str, str]]:
    """Return the owner and what their form says; refuse anyone else and any other form."""
    visitor = await owner_of(request)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise RequestProblem(415, desk_of(request).texts("status.form"))
    try:
        body = (await read_body(request)).decode("utf-8")
        sent = dict(parse_qsl(body, keep_blank_values=True, max_num_fields=20))
    except ValueError:
        raise RequestProblem(400) from None
    check_form(request, visitor, sent)
    return visitor, sent


async def set_gate(request: Request) -> Response:
    """Pause, close or reopen the study."""
    _, sent = await sent_by_owner(request)
    desk, state = desk_of(request), sent.get("state", "")
    if state not in (OPEN, PAUSED, CLOSED):
        raise RequestProblem(422, desk.texts("desk.unusable"))
    now = desk.clock()
    await desk.write(lambda connection: change_gate(connection, state, by=OWNER, now=now))
    return RedirectResponse("./", status_code=303)


async def ask_exclusion(request: Request) -> Response:
    """Show what excluding a person would do, and what it would cost."""
    visitor, desk = await owner_of(request), desk_of(request)
    name = request.query_params.get("name", "")
    places = await run_in_threadpool(_read, desk, name, standing_places)
    return desk_page(
        request,
        visitor,
        "exclude",
        here="people",
        name=name,
        short=short_name(name),
        price=price_of(desk, places),
        usual=desk.texts.word(BY_US),
        longest=LONGEST_NAME,
    )


def price_of(desk: Desk, places: int) -> list[str]:
    """Return what it would cost to have as many ratings again, in sentences."""
    texts = desk.texts
    if not places:
        return [texts("desk_exclude.nothing")]
    void = texts.counted("desk_exclude.void", places)
    total, each = short_pay(desk.served, places)
    if not each:
        return [void, texts("desk_exclude.unknown")]
    sums = {"total": amount(desk, total), "each": amount(desk, each, digits=3)}
    return [void, texts.counted("desk_exclude.price", places, **sums)]


async def exclude_person(request: Request) -> Response:
    """Exclude a person; their places open at once."""
    _, sent = await sent_by_owner(request)
    reason = sent.get("reason", "").strip()[:LONGEST_NAME] or BY_US
    judge = excluding(reason, ask_return=sent.get("pay") == "return")
    return await _judge(request, sent.get("name", ""), judge, EXCLUDED)


async def restore_person(request: Request) -> Response:
    """Undo the verdicts on a person; their answers come back where there is room."""
    _, sent = await sent_by_owner(request)
    return await _judge(request, sent.get("name", ""), restoring, RESTORED)


async def _judge(request: Request, name: str, judge: Judge, what: str) -> Response:
    desk = desk_of(request)
    now = desk.clock()
    await run_in_threadpool(_read, desk, name, standing_places)  # is there such a person?

    def job(connection: Connection) -> Denied | None:
        verdict = judge(connection, name, now)
        log_verdicts(connection, [verdict], by=OWNER, what=what, now=now)
        return verdict if isinstance(verdict, Denied) else None

    denied = await desk.write(job)
    if denied is not None and denied.reason == WITHDREW:
        raise RequestProblem(409, desk.texts("desk_person.cannot_restore"))
    if denied is not None:
        deny(desk, denied)
    return RedirectResponse(f"person?{urlencode({'name': name})}", status_code=303)


def _read(desk: Desk, name: str, read: Callable[[Connection, str], int]) -> int:
    """Return what is read about a person; refuse a name nobody has."""
    with desk.reader.begin() as connection:
        for table in (people, screened):
            if connection.scalar(select(table.c.annotator).where(table.c.annotator == name)):
                return read(connection, name)
    raise RequestProblem(404)
