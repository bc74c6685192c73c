"""The way in: consent, eligibility, instructions, and the personal link back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import date
from functools import partial

from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from plausibly.ratings.consent import (
    entry_questions,
    is_eligible,
    may_withdraw,
    stated,
    unanswered,
)
from plausibly.ratings.exits import FULL, SCREENED
from plausibly.ratings.store.allocation import (
    batch_size,
    held_item,
    in_short_round,
    is_known,
    join,
    language_of,
    offer_now,
)
from plausibly.ratings.store.doors import Person, turn_away
from plausibly.ratings.store.erasing import erased_before
from plausibly.ratings.store.offers import short_pay
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.verdicts import GRACE, grace_left, leave, stay
from plausibly.web.context import STATUS, Desk, RequestProblem, deny, desk_of
from plausibly.web.draining import refuse_new
from plausibly.web.keys import Session, new_session
from plausibly.web.participant.doors import (
    CLAIMS,
    EntryClaim,
    at_page,
    claim_of,
    hidden,
    is_complete,
    keep_ids,
)
from plausibly.web.participant.lookup import check_link, confirmed_by_platform
from plausibly.web.rendering import keep, keep_language, page, person_of, read_form, session_of

DAY = 24 * 3600.0
LEADING_BACK = frozenset(
    {"screened", "short", "full", "taken", "paused", "over", "crowded", "address"}
)
"""Reasons not to let people in that have a page with the way back to where they came from."""


async def landing(request: Request) -> Response:
    """Show what taking part means; who has agreed before goes on."""
    desk, session = desk_of(request), session_of(request)
    claim = claim_of(desk, request.query_params)
    coded = desk.keys.annotator(claim.person) if claim.person else None
    if session.annotator is not None and coded in {None, session.annotator}:
        return RedirectResponse("/work", status_code=303)
    if not is_complete(desk, claim):
        links = desk.served.server["door"] == "links"
        heading, text = "consent.number_title", "consent.link" if links else "consent.number"
        return page(request, "message", heading=heading, text=text)
    if not claim.person and session.screened:
        return _turn_away(request)
    checked = await check_link(desk, claim, request.query_params, audience=_site(request))
    if checked is None:
        deny(desk, Denied("door"))
    return await _ask(request, checked)


async def _ask(request: Request, claim: EntryClaim) -> Response:
    """Show the consent page to someone who may enter, unless nothing is left to rate."""
    desk = desk_of(request)
    offered = await desk.write(
        partial(offer_now, served=desk.served, now=desk.clock()), lasting=False
    )
    if isinstance(offered, Denied):
        return _closed(request, offered)
    said = dict.fromkeys(("agree", *entry_questions(desk.served.form)), "")
    claim = replace(claim, short=str(offered.items) if offered.short else "")
    return _consent(request, {**asdict(claim), **said}, ())


def _closed(request: Request, denied: Denied) -> Response:
    """Say that nobody new can begin, with the way back to where people came from."""
    desk = desk_of(request)
    minutes = {} if denied.seconds is None else {"minutes": max(1, math.ceil(denied.seconds / 60))}
    text = desk.texts(f"denied.{denied.reason}", **minutes)
    way, status = desk.way_out(FULL), STATUS[denied.reason]
    heading = "consent.closed_title"
    response = page(
        request, "problem", status=status, heading=heading, text=text, onward=False, way=way
    )
    if denied.seconds is not None:
        response.headers["Retry-After"] = str(math.ceil(denied.seconds))
    return response


async def consent(request: Request) -> Response:
    """Let a person take part who has agreed and is eligible."""
    desk, sent = desk_of(request), await read_form(request)
    session, now = session_of(request), desk.clock()
    names = (*CLAIMS, "agree", *entry_questions(desk.served.form))
    said = {name: sent.get(name, [""])[-1] for name in names}
    claim = EntryClaim(**{name: said[name] for name in CLAIMS})
    claim = replace(claim, source=claim.source or "link")
    if not is_complete(desk, claim):
        number = desk.texts("consent.number")
        raise RequestProblem(422 if claim.person else 403, "" if claim.person else number)
    agreed = () if said["agree"] == "yes" else ("agree",)
    problems = (*unanswered(desk.served.form, said), *agreed)  # in the order of the page
    if problems:
        return _consent(request, said, problems)
    person = at_page(desk, claim, session)
    if not is_eligible(desk.served.form, said):
        named = bool(claim.person or claim.link)
        if named and await desk.write(partial(turn_away, person=person, now=now)):
            await keep_ids(desk, claim, person.annotator)
        return _turn_away(request)
    if not claim.person and session.screened:
        return _turn_away(request)
    person = replace(person, address=desk.address(request))
    return await _let_in(request, claim, person, said)


async def _let_in(
    request: Request, claim: EntryClaim, person: Person, said: Mapping[str, str]
) -> Response:
    """Let an eligible person begin whom the platform does not disown, or show why they cannot."""
    desk = desk_of(request)
    refuse_new(desk)
    vouched = await confirmed_by_platform(desk, claim)
    if vouched is False:
        deny(desk, Denied("door"))
    person = replace(person, confirmed=person.confirmed or vouched is True)
    found = await desk.write(partial(join, person=person, served=desk.served, now=desk.clock()))
    if isinstance(found, Denied):
        return _not_let_in(request, hidden(found, claim), said)
    await keep_ids(desk, claim, found.annotator)
    response = RedirectResponse("/instructions", status_code=303)
    keep(response, desk, new_session(found.annotator))
    return response


def _not_let_in(request: Request, denied: Denied, said: Mapping[str, str]) -> Response:
    """Show why a person cannot begin, or another offer if there is one.

    A browser that was turned away is turned away with every number that is refused.
    """
    if denied.reason == "door" and session_of(request).screened:
        return _turn_away(request)
    if denied.reason not in LEADING_BACK:
        deny(desk_of(request), denied)
    if denied.reason == "screened":
        return _turn_away(request)
    if denied.reason == "short":  # fewer places than were announced
        return _consent(request, {**said, "short": str(denied.places)}, ("short",))
    return _closed(request, denied)


def _turn_away(request: Request) -> Response:
    """Say that the study is not for a person; a browser without a number keeps that in mind."""
    session = replace(session_of(request), screened=True)
    desk = desk_of(request)
    form, way = desk.served.form, desk.way_out(SCREENED)
    heading, text = "consent.screened_title", "consent.screened"
    if form.screening:
        text = "consent.screened_answers"
        return page(request, "message", session=session, heading=heading, text=text, way=way)
    show = partial(page, request, "message", session=session, heading=heading, text=text)
    return show(about=form.eligibility, way=way)


def _consent(request: Request, said: Mapping[str, str], problems: tuple[str, ...]) -> Response:
    session = session_of(request)
    if not problems and session.annotator is not None:
        session = new_session()
    items = int(said["short"]) if said["short"].isdecimal() else 0
    texts, server = desk_of(request).texts, desk_of(request).served.server
    total, each = (texts.number(pay, 2) for pay in short_pay(desk_of(request).served, items))
    shown = stated(server)
    if server["withdraw_until"]:
        shown["withdraw_until"] = texts.day(date.fromisoformat(server["withdraw_until"]))
    return page(
        request,
        "consent",
        short={"places": items, "total": total, "each": each} if items else None,
        stated=shown,
        status=422 if problems else 200,
        session=session,
        said=said,
        problems=problems,
        asked={
            name: text for name, (text, *_) in entry_questions(desk_of(request).served.form).items()
        },
    )


async def instructions(request: Request) -> Response:
    """Show what to do, and the link to come back with."""
    desk, annotator = desk_of(request), person_of(request)
    link = _link(request, annotator)

    def job(connection: Connection) -> tuple[int, str | None, bool]:
        held = held_item(connection, annotator)
        return batch_size(connection, annotator), held, in_short_round(connection, annotator)

    of, item, short = await desk.write(job, lasting=False)
    guide = desk.served.guide(item) if item else ()
    further = not short and desk.served.reach > desk.served.whole_round
    most = desk.served.form.per_page
    return page(request, "instructions", link=link, of=of, guide=guide, further=further, most=most)


def _link(request: Request, annotator: str) -> str:
    """Return a person's link."""
    return f"{_site(request)}/resume/{desk_of(request).keys.link(annotator)}"


def _site(request: Request) -> str:
    """Return where people reach the server: as the study says, or where it listens.

    Never as a request says: whoever sent it would choose where the personal link leads.
    """
    site = str(desk_of(request).served.server["public_url"]).rstrip("/")
    if site:
        return site
    host, port = request.scope.get("server") or ("127.0.0.1", None)
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}" if port else f"http://{name}"


async def resume(request: Request) -> Response:
    """Take a person up where they left; who was only invited is asked to agree first.

    Whoever was erased is not asked again.
    """
    desk, link = desk_of(request), request.path_params["link"]
    annotator = desk.keys.read_link(link)
    if annotator is None:
        raise RequestProblem(403, desk.texts("status.link"))

    def job(connection: Connection) -> tuple[bool, bool, float | None, str]:
        grace = grace_left(connection, annotator, now=desk.clock())
        gone = erased_before(connection, desk.keys.hashed("erased", annotator)) is not None
        language = language_of(connection, annotator)
        return is_known(connection, annotator), gone, grace, language

    known, gone, grace, language = await desk.write(job, lasting=False)
    if language in desk.served.forms and desk.language != language and not request.query_params:
        return RedirectResponse(f"/resume/{link}?language={language}", status_code=303)
    if gone and not known:
        return page(request, "erased", way=desk.way_out(FULL, annotator))
    if not known:
        return await _ask(request, EntryClaim(link=link))
    if grace is not None:
        return _withdrawn(request, new_session(annotator), grace)
    response = RedirectResponse("/work", status_code=303)
    keep_language(response, desk)
    keep(response, desk, new_session(annotator))
    return response


async def ask_withdrawal(request: Request) -> Response:
    """Ask a person whether they want to take back their consent."""
    person_of(request)
    _refuse_late(desk_of(request))
    return page(request, "withdraw", days=round(GRACE / DAY))


async def take_withdrawal(request: Request) -> Response:
    """Take back a person's consent: nothing of theirs is given out, unless they undo it."""
    from plausibly.web.people.derived import remove_people  # whose folder opens desks

    desk, annotator = desk_of(request), person_of(request)
    await read_form(request)
    _refuse_late(desk)
    outcome = await desk.write(partial(leave, annotator=annotator, now=desk.clock()))
    if isinstance(outcome, Denied):
        deny(desk, outcome)
    await run_in_threadpool(remove_people, desk.served.folder, desk.place, [annotator])
    return _withdrawn(request, new_session(), GRACE, link=_link(request, annotator))


def _refuse_late(desk: Desk) -> None:
    """Refuse a withdrawal after the last day that the consent names."""
    if not may_withdraw(desk.served.server, now=desk.clock()):
        deny(desk, Denied("released"))


def _withdrawn(request: Request, session: Session, grace: float, link: str = "") -> Response:
    """Show that a person has withdrawn, and how to undo it while that is possible."""
    days, way = math.ceil(grace / DAY), desk_of(request).way_out(FULL)
    return page(request, "withdrawn", session=session, days=days, link=link, way=way)


async def undo_withdrawal(request: Request) -> Response:
    """Undo a person's withdrawal, in the time in which that is possible."""
    desk, annotator = desk_of(request), person_of(request)
    await read_form(request)
    outcome = await desk.write(partial(stay, annotator=annotator, now=desk.clock()))
    if isinstance(outcome, Denied):
        deny(desk, outcome)
    return RedirectResponse("/work", status_code=303)


ROUTES = [
    Route("/", landing, methods=["GET"]),
    Route("/consent", consent, methods=["POST"]),
    Route("/instructions", instructions, methods=["GET"]),
    Route("/resume/{link}", resume, methods=["GET"]),
    Route("/withdraw", ask_withdrawal, methods=["GET"]),
    Route("/withdraw", take_withdrawal, methods=["POST"]),
    Route("/withdraw/undo", undo_withdrawal, methods=["POST"]),
]
