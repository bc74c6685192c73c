"""The questions about the instructions, between them and the first item."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from plausibly.ratings.consent import comprehension_questions
from plausibly.ratings.exits import SCREENED
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.screening import is_screened_out
from plausibly.ratings.store.understanding import understand
from plausibly.web.context import deny, desk_of
from plausibly.web.rendering import page, person_of, read_form

HERE = "/understood"


async def show_questions(request: Request) -> Response:
    """Ask what the instructions say; who is screened out finds the way out again."""
    desk, annotator = desk_of(request), person_of(request)
    if await desk.write(partial(is_screened_out, annotator=annotator), lasting=False):
        return _out(request)
    if not desk.served.form.comprehension:
        return RedirectResponse("/work", status_code=303)
    return _page(request, wrong=False)


async def take_answers(request: Request) -> Response:
    """Let a person begin who has understood; after two attempts they are screened out."""
    desk, annotator = desk_of(request), person_of(request)
    sent = await read_form(request)
    said = {name: values[-1] for name, values in sent.items()}
    job = partial(understand, annotator=annotator, said=said, served=desk.served, now=desk.clock())
    outcome = await desk.write(job)
    if isinstance(outcome, Denied):
        deny(desk, outcome)
    if outcome.passed:
        onward = "/practice/1" if desk.served.form.practice else "/work"
        return RedirectResponse(onward, status_code=303)
    if outcome.left:
        return _page(request, wrong=True)
    return _out(request)


def _out(request: Request) -> Response:
    desk = desk_of(request)
    asked = bool(desk.served.form.comprehension)
    text = "comprehension.out" if asked else "consent.screened_answers"
    way = desk.way_out(SCREENED)
    return page(request, "message", heading="comprehension.out_title", text=text, way=way)


def _page(request: Request, *, wrong: bool) -> Response:
    asked = comprehension_questions(desk_of(request).served.form)
    status = 422 if wrong else 200
    return page(request, "comprehension", status=status, asked=asked, wrong=wrong, here=HERE)


ROUTES = [
    Route(HERE, show_questions, methods=["GET"]),
    Route(HERE, take_answers, methods=["POST"]),
]
