"""The addresses of the desk; they share one folder, and links work behind a proxy."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from plausibly.web.context import RequestProblem
from plausibly.web.desk import access, actions, attention, collecting, objections, people, quality


async def to_folder(request: Request) -> Response:
    """Lead into the folder of the desk."""
    await access.visitor_of(request)
    return RedirectResponse("desk/", status_code=303)


async def nothing_here(request: Request) -> Response:
    """Refuse an address that is not there, with the way back for whoever is at the desk."""
    await access.visitor_of(request)
    raise RequestProblem(404)


ROUTES = [
    Route("/desk", to_folder, methods=["GET"]),
    Route("/desk/", attention.attention, methods=["GET"]),
    Route("/desk/enter", access.enter, methods=["GET"]),
    Route("/desk/gate", actions.set_gate, methods=["POST"]),
    Route("/desk/progress", collecting.show_progress, methods=["GET"]),
    Route("/desk/people", people.list_people, methods=["GET"]),
    Route("/desk/person", people.show_person, methods=["GET"]),
    Route("/desk/exclude", actions.ask_exclusion, methods=["GET"]),
    Route("/desk/exclude", actions.exclude_person, methods=["POST"]),
    Route("/desk/restore", actions.restore_person, methods=["POST"]),
    Route("/desk/objections", objections.show_objections, methods=["GET"]),
    Route("/desk/reply", objections.reply, methods=["POST"]),
    Route("/desk/agreement", quality.show_agreement, methods=["GET"]),
    Route("/desk/comments", collecting.show_comments, methods=["GET"]),
    Route("/desk/checks", quality.show_checks, methods=["GET"]),
    Route("/desk/order", quality.show_order, methods=["GET"]),
    Route("/desk/money", collecting.show_money, methods=["GET"]),
    Route("/desk/log", collecting.show_log, methods=["GET"]),
    Route("/desk/download", collecting.show_downloads, methods=["GET"]),
    Route("/desk/ratings.{form}", collecting.download, methods=["GET"]),
    Route("/desk/{page:path}", nothing_here, methods=["GET", "POST"]),
]
