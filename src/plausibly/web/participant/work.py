"""The work itself: an item and its questions, each at its own address, and the code in the end."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlsplit

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from plausibly.ratings.answers import Refusal
from plausibly.ratings.store.allocation import (
    Done,
    Shown,
    expire,
    has_finished,
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
    may_answer,
    own_slot,
)
from plausibly.ratings.store.latest import given_before
from plausibly.ratings.store.places import Denied
from plausibly.web.desk import Desk, RequestProblem, deny, desk_of, is_name
from plausibly.web.keys import Session
from plausibly.web.participant.fields import (
    Given,
    blocks_of,
    by_place,
    fields_of,
    given_again,
    given_of,
    labels_of,
    read_fields,
    reworded,
    settled_of,
    without_skipped,
)
from plausibly.web.rendering import keep, page, person_of, read_form, session_of

HERE = "/work"
END = "/done"

# What platforms call themselves, by the sites people go back to.
PLATFORMS = {
    "prolific.com": "Prolific",
    "prolific.co": "Prolific",
    "cloudresearch.com": "CloudResearch",
    "mturk.com": "Mechanical Turk",
    "sona-systems.com": "Sona",
}


@dataclass(frozen=True, slots=True)
class Filled:
    """What a page shows in its fields, and what is wrong with it."""

    given: Given
    refusals: tuple[Refusal, ...] = ()


async def go_on(request: Request) -> Response:
    """Lead a person to the item they are to answer now, or to the end."""
    place = await _next_of(request)
    return RedirectResponse(END if isinstance(place, Done) else place, status_code=303)


async def _next_of(request: Request) -> str | Done:
    """Return where a person's next item is, or that there is none; refuse who may not."""
    desk = desk_of(request)
    annotator = person_of(request)
    peers = desk.peers(request, annotator)
    job = partial(_ask_next, annotator=annotator, desk=desk, peers=peers)
    place = await desk.write(job)
    if isinstance(place, Denied):
        deny(desk, place)
    return place


def _ask_next(
    connection: Connection, *, annotator: str, desk: Desk, peers: Sequence[str]
) -> str | Done | Denied:
    """Return what comes next; who had finished before they were excluded is still done."""
    now = desk.clock()
    slot = next_slot(connection, annotator, served=desk.served, now=now, peers=peers)
    if slot == Denied("excluded") and has_finished(connection, annotator):
        return Done(finished=True)
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
    """Show an item: as it was answered if it was, to revise it while its batch is open."""
    desk, annotator = desk_of(request), person_of(request)
    reservation, step = request.path_params["reservation"], step_of(request)

    def job(connection: Connection) -> str | tuple[Shown, Mapping[tuple[str, str], str]]:
        now = desk.clock()
        expire(connection, served=desk.served, now=now)
        slot = find_slot(connection, annotator, reservation)
        if slot is None:
            return HERE
        if not may_answer(slot, step, desk.served):
            return address_of(reservation, due_step(slot, desk.served))
        return show(connection, slot, now=now), given_before(connection, slot)

    reading = await desk.write(job)
    if isinstance(reading, str):
        return RedirectResponse(reading, status_code=303)
    shown, stored = reading
    return _item(request, desk, shown, Filled(given_again(stored, desk.served.form)))


_Stored = tuple[Shown, Given]


async def send_answers(request: Request) -> Response:
    """Store what a page sent, or show the page again with what is wrong."""
    desk, annotator = desk_of(request), person_of(request)
    sent, reservation = await read_form(request), request.path_params["reservation"]
    key, peers = sent.get("_key", [""])[-1], desk.peers(request, annotator)
    if not is_name(key):
        raise RequestProblem(422)

    step, form = step_of(request), desk.served.form

    def job(connection: Connection) -> tuple[Saved | Refused | Denied, _Stored | None, str]:
        slot = own_slot(connection, annotator, reservation)  # it may be sent twice
        given: Mapping[str, object] = {}
        before: Given = {}
        if slot is not None:
            before = given_again(given_before(connection, slot), form) if step > 1 else {}
            content = desk.served.contents[slot.item]
            given = read_fields(form, content, sent, step=step, before=before)
        told = Sent(reservation, given, key, step)
        take = partial(answer, connection, annotator, served=desk.served, now=desk.clock())
        outcome = take(told)
        if outcome == Denied("other-answer"):  # a page out of the browser's memory, sent anew
            outcome = take(replace(told, key=secrets.token_urlsafe(9)))
        ask = partial(_ask_next, annotator=annotator, desk=desk, peers=peers)
        if outcome == Denied("expired"):
            ask(connection)  # the place is taken up again if nobody has it
            outcome = take(told)
        shown = (placed(connection, slot), before) if slot is not None else None
        saved = isinstance(outcome, Saved)
        onward = ask(connection) if saved else HERE
        return outcome, shown, onward if isinstance(onward, str) else HERE

    outcome, stored, onward = await desk.write(job)
    if outcome == Denied("expired"):
        heading, text = "late.title", "late.text"
        return page(request, "message", status=409, heading=heading, text=text, onward=HERE)
    if isinstance(outcome, Denied):
        deny(desk, outcome)
    if isinstance(outcome, Refused) and stored is not None:
        shown, before = stored
        content = desk.served.contents[shown.item]
        given = {**before, **given_of(sent, form, content, step)}
        refusals = reworded(outcome.refusals, form)
        return _item(request, desk, shown, Filled(without_skipped(given, refusals), refusals))
    response = RedirectResponse(onward, status_code=303)
    keep(response, desk, Session(session_of(request).nonce, annotator))
    return response


def _item(request: Request, desk: Desk, shown: Shown, filled: Filled) -> Response:
    """Return the page of an item."""
    served = desk.served
    content = served.content(shown.item, person_of(request))
    messages: Sequence[str] = [one["message"] for one in desk.refused(filled.refusals)]
    errors, step, form = by_place(filled.refusals, messages), step_of(request), served.form
    fields = fields_of(form, content, step=step, given=filled.given, refusals=errors)
    return page(
        request,
        "work",
        status=422 if filled.refusals else 200,
        shown=shown,
        content=content,
        columns={form.headings.get(k, k): v for k, v in content.shown_at(step).items()},
        here=address_of(shown.reservation, step),
        settled=settled_of(form, content, step=step, given=filled.given),
        earlier=address_of(shown.reservation, step - 1) if form.reopen and step > 1 else "",
        step=step,
        fields=fields,
        blocks=blocks_of(fields, content),
        labels=labels_of(served.form, content),
        key=secrets.token_urlsafe(9),
    )


async def show_end(request: Request) -> Response:
    """Show the completion code to who has nothing left to answer, and to nobody else."""
    desk, annotator = desk_of(request), person_of(request)
    place = await _next_of(request)
    if isinstance(place, str):
        return RedirectResponse(place, status_code=303)
    if not place.finished:
        heading, text = "done.nothing_title", "done.nothing"
        return page(request, "message", heading=heading, text=text)
    code = desk.code(annotator)
    back = str(desk.served.server["return_url"]).replace("{code}", code)
    return page(request, "done", code=code, back=back, platform=platform_of(back))


def platform_of(address: str) -> str:
    """Return the platform an address belongs to, empty for any other site.

    >>> platform_of("https://app.prolific.com/submissions/complete?cc=X"), platform_of("/")
    ('Prolific', '')
    """
    host = urlsplit(address).hostname or ""
    sites = [site for site in PLATFORMS if host == site or host.endswith(f".{site}")]
    return PLATFORMS[sites[0]] if sites else ""


ROUTES = [
    Route(HERE, go_on, methods=["GET"]),
    Route(f"{HERE}/{{reservation}}", show_item, methods=["GET"]),
    Route(f"{HERE}/{{reservation}}", send_answers, methods=["POST"]),
    Route(f"{HERE}/{{reservation}}/{{step:int}}", show_item, methods=["GET"]),
    Route(f"{HERE}/{{reservation}}/{{step:int}}", send_answers, methods=["POST"]),
    Route(END, show_end, methods=["GET"]),
]
