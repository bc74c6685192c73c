"""The way in: consent, eligibility, instructions, and the personal link back."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from plausibly.ratings.store.allocation import Person, held_item, join
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.screening import screen_out
from plausibly.ratings.store.verdicts import leave
from plausibly.web.desk import Desk, RequestProblem, deny, desk_of, is_name, is_person
from plausibly.web.keys import new_session
from plausibly.web.rendering import keep, page, person_of, read_form, session_of

# How platforms name the participant in the links they make.
SOURCES = {"PROLIFIC_PID": "prolific", "person": "link"}


async def landing(request: Request) -> Response:
    """Show what taking part means; who has agreed before goes on."""
    desk, session = desk_of(request), session_of(request)
    person, source = _named(request.query_params)
    coded = desk.keys.annotator(person) if person else None
    if session.annotator is not None and coded in {None, session.annotator}:
        return RedirectResponse("/work", status_code=303)
    missing = not person and not desk.served.server["anonymous"]
    if missing or (person and not is_person(person)):
        return page(request, "message", heading="consent.number_title", text="consent.number")
    if not person and session.screened:
        return _turn_away(request)
    said = {"person": person, "source": source, "agree": "", "eligible": ""}
    said |= dict.fromkeys(_screenings(desk), "")
    return _consent(request, said, ())


async def consent(request: Request) -> Response:
    """Let a person take part who has agreed and is eligible."""
    desk, sent = desk_of(request), await read_form(request)
    names = ("person", "source", "agree", "eligible", *_screenings(desk))
    said = {name: sent.get(name, [""])[-1] for name in names}
    problems = _missing(desk, said)
    if problems:
        return _consent(request, said, problems)
    person, now = _person(desk, said), desk.clock()
    if not _is_eligible(desk, said):
        if said["person"]:
            await desk.write(partial(screen_out, annotator=person.annotator, now=now))
        return _turn_away(request)
    if not said["person"] and session_of(request).screened:
        return _turn_away(request)
    person = replace(person, peers=desk.peers(request, person.annotator))
    found = await desk.write(partial(join, person=person, served=desk.served, now=now))
    if found == Denied("screened"):
        return _turn_away(request)
    if isinstance(found, Denied):
        deny(desk, found)
    response = RedirectResponse("/instructions", status_code=303)
    keep(response, desk, new_session(found.annotator))
    return response


def _screenings(desk: Desk) -> list[str]:
    """Return the names of the fields of the screening questions."""
    return [f"screening-{n}" for n in range(len(desk.served.form.screening))]


def _is_eligible(desk: Desk, said: Mapping[str, str]) -> bool:
    """Tell whether a person may take part by their screening answers."""
    form = desk.served.form
    answers = zip(form.screening, _screenings(desk), strict=True)
    admitted = all(said[name] in question.admit for question, name in answers)
    return admitted and (not form.eligibility or said["eligible"] == "yes")


def _turn_away(request: Request) -> Response:
    """Say that the study is not for a person; a browser without a number keeps that in mind."""
    session = replace(session_of(request), screened=True)
    form = desk_of(request).served.form
    heading, text = "consent.screened_title", "consent.screened"
    if form.screening:
        text = "consent.screened_answers"
        return page(request, "message", session=session, heading=heading, text=text)
    about = form.eligibility
    return page(request, "message", session=session, heading=heading, text=text, about=about)


def _missing(desk: Desk, said: Mapping[str, str]) -> tuple[str, ...]:
    """Return what a person has not said yet."""
    problems = []
    if said["agree"] != "yes":
        problems.append("agree")
    if desk.served.form.eligibility and said["eligible"] not in {"yes", "no"}:
        problems.append("eligible")
    answers = zip(desk.served.form.screening, _screenings(desk), strict=True)
    problems += [name for question, name in answers if said[name] not in question.options]
    return tuple(problems)


def _person(desk: Desk, said: Mapping[str, str]) -> Person:
    """Return who wants to take part; without a number they get one nobody else has."""
    number, source = said["person"], said["source"] or "link"
    if (number and not is_person(number)) or not is_name(source):
        raise RequestProblem(422)
    if not number:
        if not desk.served.server["anonymous"]:
            raise RequestProblem(403, desk.texts("consent.number"))
        number = secrets.token_urlsafe(16)
    return Person(desk.keys.annotator(number), source, consented=True)


def _consent(request: Request, said: Mapping[str, str], problems: tuple[str, ...]) -> Response:
    session = session_of(request)
    if not problems and session.annotator is not None:
        session = new_session()
    return page(
        request,
        "consent",
        status=422 if problems else 200,
        session=session,
        said=said,
        problems=problems,
    )


def _named(query: Mapping[str, str]) -> tuple[str, str]:
    """Return the participant number a link carries, and where it comes from."""
    for name, source in SOURCES.items():
        if query.get(name):
            return query[name], source
    return "", "link"


async def instructions(request: Request) -> Response:
    """Show what to do, and the link to come back with."""
    desk, annotator = desk_of(request), person_of(request)
    plan = desk.served.plan
    kinds = [content.kind for content in desk.served.contents.values()]
    items = min(plan.batch, plan.quota or plan.batch, kinds.count("item"))
    checks = min(plan.checks_per_batch, len(kinds) - kinds.count("item"))
    link = f"{_site(request)}/resume/{desk.keys.link(annotator)}"
    of = items + checks + plan.repeats(items)
    guide: tuple[str, ...] = ()
    if desk.served.form.guides:
        item = await desk.write(partial(held_item, annotator=annotator))
        guide = desk.served.guide(item) if item else ()
    return page(request, "instructions", link=link, of=of, guide=guide)


def _site(request: Request) -> str:
    """Return where people reach the server: as the study says, or where it listens.

    Never as a request says: whoever sent it would choose where the personal link leads.
    """
    told = str(desk_of(request).served.server["public_url"]).rstrip("/")
    if told:
        return told
    host, port = request.scope.get("server") or ("127.0.0.1", None)
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}" if port else f"http://{name}"


async def resume(request: Request) -> Response:
    """Take a person up where they left."""
    desk = desk_of(request)
    annotator = desk.keys.read_link(request.path_params["link"])
    if annotator is None:
        raise RequestProblem(403, desk.texts("status.link"))
    response = RedirectResponse("/work", status_code=303)
    keep(response, desk, new_session(annotator))
    return response


async def ask_withdrawal(request: Request) -> Response:
    """Ask a person whether they want to take back their consent."""
    person_of(request)
    return page(request, "withdraw")


async def take_withdrawal(request: Request) -> Response:
    """Take back a person's consent: nothing of theirs is given out any more."""
    desk, annotator = desk_of(request), person_of(request)
    await read_form(request)
    outcome = await desk.write(partial(leave, annotator=annotator, now=desk.clock()))
    if isinstance(outcome, Denied):
        deny(desk, outcome)
    heading, text = "withdraw.done_title", "withdraw.done"
    return page(request, "message", session=new_session(), heading=heading, text=text)


ROUTES = [
    Route("/", landing, methods=["GET"]),
    Route("/consent", consent, methods=["POST"]),
    Route("/instructions", instructions, methods=["GET"]),
    Route("/resume/{link}", resume, methods=["GET"]),
    Route("/withdraw", ask_withdrawal, methods=["GET"]),
    Route("/withdraw", take_withdrawal, methods=["POST"]),
]
