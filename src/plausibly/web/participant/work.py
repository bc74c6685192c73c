"""The work itself: an item and its questions, each at its own address, and the code in the end."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import time_ns

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from plausibly.ratings.answers import check_answers
from plausibly.ratings.exits import FINISHED, FULL
from plausibly.ratings.served import Served
from plausibly.ratings.store.allocation import (
    Done,
    Shown,
    expire,
    finished_before,
    next_slot,
    placed,
    show,
)
from plausibly.ratings.store.answering import (
    Refused,
    Saved,
    Sent,
    answer,
    due_step,
    find_slot,
    last_open,
    may_answer,
    own_slot,
    page_slots,
)
from plausibly.ratings.store.latest import given_before
from plausibly.ratings.store.objections import reasons_of
from plausibly.ratings.store.places import Denied, Slot
from plausibly.web.context import Desk, RequestProblem, deny, desk_of, is_name
from plausibly.web.draining import refuse_new
from plausibly.web.keys import Session
from plausibly.web.participant.fields import (
    Given,
    given_again,
    given_of,
    read_fields,
    reworded,
    without_skipped,
)
from plausibly.web.participant.objecting import HERE as EXCLUDED
from plausibly.web.participant.parts import Filled, help_about, own_fields, part_of, place_of
from plausibly.web.participant.understanding import HERE as UNDERSTOOD
from plausibly.web.rendering import keep, page, person_of, read_form, session_of

HERE = "/work"
END = "/done"
# Pages for people who cannot go on.
ASIDE = {"comprehension": UNDERSTOOD, "screened": UNDERSTOOD, "excluded": EXCLUDED}
Stored = Mapping[tuple[str, str], str]


async def go_on(request: Request) -> Response:
    """Lead a person to the item they are to answer now, or to the end."""
    place = await _next_of(request)
    return RedirectResponse(END if isinstance(place, Done) else place, status_code=303)


async def _next_of(request: Request) -> str | Done:
    """Return where a person's next item is, or that there is none; refuse who may not."""
    desk = desk_of(request)
    annotator = person_of(request)
    refuse_new(desk)
    address = desk.address(request)
    job = partial(_ask_next, annotator=annotator, desk=desk, address=address)
    place = await desk.write(job)
    if isinstance(place, Denied) and place.reason in ASIDE:
        return ASIDE[place.reason]
    if isinstance(place, Denied):
        deny(desk, place)
    return place


def _ask_next(
    connection: Connection, *, annotator: str, desk: Desk, address: str
) -> str | Done | Denied:
    """Return what comes next; who had finished before they were excluded is still done."""
    now = desk.clock()
    slot = next_slot(connection, annotator, served=desk.served, now=now, address=address)
    if isinstance(slot, Denied) and slot.reason == "excluded":
        return finished_before(connection, annotator) or slot
    if isinstance(slot, Done | Denied):
        return slot
    return address_of(slot.reservation, due_step(slot, desk.served))


def address_of(reservation: str, step: int) -> str:
    """Return where a step of an item is answered."""
    return f"{HERE}/{reservation}" if step == 1 else f"{HERE}/{reservation}/{step}"


def step_of(request: Request) -> int:
    """Return the step of an item an address names."""
    return int(request.path_params.get("step", 1))


async def show_item(request: Request) -> Response:
    """Show an item: as it was answered if it was, to revise it while its batch is open.

    Where a page has several items, each of their addresses shows all of them.
    """
    desk, annotator = desk_of(request), person_of(request)
    reservation, step = request.path_params["reservation"], step_of(request)

    def job(connection: Connection) -> str | tuple[Shown, list[tuple[Slot, Stored]]]:
        now, served = desk.clock(), desk.served
        expire(connection, served=served, now=now)
        slot = find_slot(connection, annotator, reservation, served=served, now=now)
        if slot is None:
            return HERE
        if not may_answer(slot, step, served):
            return address_of(reservation, due_step(slot, served))
        members = page_slots(connection, slot, served=served)
        shown = [show(connection, one, now=now) for one in members]
        return shown[0], [(one, given_before(connection, one)) for one in members]

    reading = await desk.write(job, lasting=False)
    if isinstance(reading, str):
        return RedirectResponse(reading, status_code=303)
    shown, stored = reading
    filled = [(slot, Filled(_again(desk.served, slot, one))) for slot, one in stored]
    return _page(request, shown, filled)


def _again(served: Served, slot: Slot, stored: Stored) -> Given:
    """Return what is stored about an item as the page shows it."""
    seen = served.seen(slot.item, slot.annotator)
    return given_again(seen.outward.stored(stored), seen.form)


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """What became of a page that was sent, where its person goes on, and what it showed."""

    outcome: Saved | Refused | Denied
    onward: str = HERE
    shown: Shown | None = None
    parts: Sequence[tuple[Slot, Filled]] = ()


async def send_answers(request: Request) -> Response:
    """Store what a page sent, or show the page again with what is wrong."""
    desk, annotator = desk_of(request), person_of(request)
    sent, reservation = await read_form(request), request.path_params["reservation"]
    key, address = sent.get("_key", [""])[-1], desk.address(request)
    if not is_name(key):
        raise RequestProblem(422)
    posted = PageFields(reservation, step_of(request), key, sent, desk.per_minute(request))

    def job(connection: Connection) -> PageOutcome:
        ask = partial(_ask_next, annotator=annotator, desk=desk, address=address)
        received = receive(connection, annotator, posted, desk=desk)
        if received.outcome == Denied("expired"):
            ask(connection)  # the place is taken up again if nobody has it
            received = receive(connection, annotator, posted, desk=desk)
        if not isinstance(received.outcome, Saved):
            return received
        onward = HERE if desk.draining.is_set() else ask(connection)
        return replace(received, onward=onward if isinstance(onward, str) else HERE)

    received = await desk.write(job)
    outcome = received.outcome
    if outcome == Denied("expired"):
        heading, text = "late.title", "late.text"
        return page(request, "message", status=409, heading=heading, text=text, onward=HERE)
    if outcome == Denied("excluded"):
        return RedirectResponse(EXCLUDED, status_code=303)
    if isinstance(outcome, Denied):
        deny(desk, outcome)
    if isinstance(outcome, Refused) and received.shown is not None:
        return _page(request, received.shown, received.parts)
    response = RedirectResponse(received.onward, status_code=303)
    keep(response, desk, Session(session_of(request).nonce, annotator))
    return response


@dataclass(frozen=True, slots=True)
class PageFields:
    """What a page sent: to which address, in which step, under which key; and a limit."""

    reservation: str
    step: int
    key: str
    fields: Mapping[str, Sequence[str]]
    per_minute: int = 0


def receive(
    connection: Connection, annotator: str, posted: PageFields, *, desk: Desk
) -> PageOutcome:
    """Store every item of a page, or none: one that is wrong keeps the others waiting."""
    served, now = desk.served, desk.clock()
    slot = own_slot(connection, annotator, posted.reservation)  # it may be sent twice
    if slot is None:
        return PageOutcome(Denied("forged"))
    members = page_slots(connection, slot, served=served)
    parts = [_read(connection, one, posted, served) for one in members]
    if len(members) > 1 and any(filled.refusals for _, filled, _ in parts):
        wrong = tuple(refusal for _, filled, _ in parts for refusal in filled.refusals)
        shown = placed(connection, members[0])
        return PageOutcome(Refused(wrong), HERE, shown, [(one, filled) for one, filled, _ in parts])
    outcome: Saved | Refused | Denied = Denied("forged")
    for one, filled, given in parts:
        key = f"{posted.key}-{place_of(one, served)}" if len(members) > 1 else posted.key
        details = Sent(
            one.reservation,
            given,
            key,
            posted.step,
            together=len(members),
            corrects=True,
            per_minute=posted.per_minute,
        )
        take = partial(answer, connection, annotator, served=served, now=now)
        outcome = take(details)
        if outcome == Denied("other-answer"):  # a page out of the browser's memory, sent anew
            outcome = take(replace(details, key=secrets.token_urlsafe(9)))
        if isinstance(outcome, Refused):
            refusals = reworded(outcome.refusals, served.form)
            again = Filled(without_skipped(filled.given, refusals), refusals)
            return PageOutcome(outcome, HERE, placed(connection, one), [(one, again)])
        if isinstance(outcome, Denied):
            break
    return PageOutcome(outcome)


def _read(
    connection: Connection, slot: Slot, posted: PageFields, served: Served
) -> tuple[Slot, Filled, Mapping[str, object]]:
    """Return what a page says about one of its items, and, of several, what is wrong with it."""
    seen, step = served.seen(slot.item, slot.annotator), posted.step
    form, content = seen.form, seen.content
    before = _again(served, slot, given_before(connection, slot)) if step > 1 else {}
    place = place_of(slot, served)
    sent = own_fields(posted.fields, place)
    answers = read_fields(form, content, sent, step=step, before=before)
    given = {**before, **given_of(sent, form, content, step)}
    if not place:
        return slot, Filled(given), answers
    refusals = reworded(check_answers(form, answers, step=step).refusals, form)
    return slot, Filled(without_skipped(given, refusals), refusals), answers


def _page(request: Request, shown: Shown, filled: Sequence[tuple[Slot, Filled]]) -> Response:
    """Return the page of an item, or of several."""
    desk, annotator, step = desk_of(request), person_of(request), step_of(request)
    parts = [part_of(desk, (slot, annotator), step, one) for slot, one in filled]
    reopens = desk.served.form.reopen and step > 1
    guide = desk.served.guide(shown.item)
    return page(
        request,
        "work",
        status=422 if any(one.refusals for _, one in filled) else 200,
        shown=shown,
        last=shown.position + len(parts) - 1,
        guided=bool(guide),
        help=help_about(desk, guide),
        here=address_of(shown.reservation, step),
        earlier=address_of(shown.reservation, step - 1) if reopens else "",
        parts=parts,
        fields=[one for part in parts for block in part.blocks for one in block.fields],
        key=f"{time_ns():x}",  # tells views of the page apart; no secret
    )


async def show_end(request: Request) -> Response:
    """Show the completion code to who has nothing left to answer, and to nobody else."""
    desk, annotator = desk_of(request), person_of(request)
    place = await _next_of(request)
    if isinstance(place, str):
        return RedirectResponse(place, status_code=303)
    if not place.finished:
        heading, text = "done.nothing_title", "done.nothing"
        return page(request, "message", heading=heading, text=text, way=desk.way_out(FULL))
    code = desk.code(annotator, short=place.short)
    served, now = desk.served, desk.clock()

    def job(connection: Connection) -> tuple[str | None, bool]:
        last = last_open(connection, annotator=annotator, served=served, now=now)
        return last, bool(reasons_of(connection, annotator))

    last, unused = await desk.write(job)
    way = desk.way_out(FINISHED, annotator, code=code)
    correct = f"{HERE}/{last}" if last else ""
    return page(request, "done", way=way, correct=correct, excluded=EXCLUDED if unused else "")


ROUTES = [
    Route(f"{HERE}/{{reservation}}", send_answers, methods=["POST"]),  # most often asked for
    Route(f"{HERE}/{{reservation}}", show_item, methods=["GET"]),
    Route(HERE, go_on, methods=["GET"]),
    Route(f"{HERE}/{{reservation}}/{{step:int}}", show_item, methods=["GET"]),
    Route(f"{HERE}/{{reservation}}/{{step:int}}", send_answers, methods=["POST"]),
    Route(END, show_end, methods=["GET"]),
]
