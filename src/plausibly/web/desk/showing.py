"""How pages of the desk are made: parts with tables, in one shape for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from plausibly.web.context import Desk, desk_of
from plausibly.web.desk.access import Visitor
from plausibly.web.rendering import assets

# Pages in the order of the menu: address, name, and whether viewers see them.
PAGES = (
    ("./", "Attention", True),
    ("progress", "Progress", True),
    ("people", "People", False),
    ("objections", "Objections", False),
    ("agreement", "Agreement", True),
    ("comments", "Comments", False),
    ("checks", "Checks", True),
    ("order", "Order", True),
    ("money", "Money", True),
    ("log", "Log", True),
    ("download", "Download", False),
)


NAMED = 9  # characters of a name that tell people apart
NONE = "\N{EN DASH}"  # in place of what is not there


@dataclass(frozen=True, slots=True)
class DeskCell:
    """One cell of a table.

    Args:
        text: What it shows.
        href: Where it leads.
        share: A share from 0 to 1 that is drawn as a bar.
        number: Whether it is set as a number.
    """

    text: str
    href: str = ""
    share: float | None = None
    number: bool = False


@dataclass(frozen=True, slots=True)
class DeskPart:
    """One part of a page: sentences, then a drawing, then a table.

    Args:
        heading: What it is about.
        about: Sentences.
        columns: Headings of the table.
        rows: Its rows.
        svg: A drawing that needs no style.
        empty: What to show in place of a table without rows.
    """

    heading: str
    about: Sequence[str] = ()
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[DeskCell]] = field(default_factory=list)
    svg: str = ""
    empty: str = ""


def desk_page(
    request: Request,
    visitor: Visitor,
    template: str,
    *,
    here: str,
    status: int = 200,
    **more: object,
) -> HTMLResponse:
    """Return a page of the desk.

    Args:
        request: What was asked for.
        visitor: Who asked.
        template: Name of the template, without `desk_`.
        here: Address of the page in the menu.
        status: Of the answer.
        more: What the template shows besides.
    """
    desk = desk_of(request)
    content = desk.templates.get_template(f"desk_{template}.html.jinja").render(
        study=desk.served.server["title"] or desk.served.name,
        visitor=visitor,
        menu=[(href, name) for href, name, seen in PAGES if seen or visitor.is_owner],
        here=here,
        styles=[f"..{assets()[name].path}" for name in ("style.css", "desk.css")],
        csrf=desk.keys.csrf(visitor.session),
        preview=desk.served.preview,
        **more,
    )
    return HTMLResponse(content, status_code=status)


def number(value: float | None, digits: int = 0) -> DeskCell:
    """Return a cell with a number; a dash where there is none."""
    return DeskCell(NONE if value is None else f"{value:,.{digits}f}", number=True)


def share(part: float, whole: float) -> DeskCell:
    """Return a cell with a share, drawn as a bar."""
    part_of = part / whole if whole else 0.0
    return DeskCell(percent(part, whole), share=min(max(part_of, 0.0), 1.0), number=True)


def percent(part: float, whole: float) -> str:
    """Return a share in percent, rounded down, so that only all of it is 100 %.

    >>> percent(999, 1000), percent(2, 2)
    ('99 %', '100 %')
    """
    return f"{int(100 * part / whole)} %" if whole else NONE


def moment(seconds: float | None) -> str:
    """Return a time to the minute; a dash where there is none."""
    if seconds is None:
        return NONE
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def ago(seconds: float) -> str:
    """Return how long ago something was.

    >>> ago(30), ago(3600), ago(200000)
    ('less than a minute ago', '60 minutes ago', '2 days ago')
    """
    steps: tuple[tuple[float, str], ...] = ((86_400, "day"), (3600, "hour"), (60, "minute"))
    for length, name in steps:
        count = int(seconds // length)
        if count > 1:
            return f"{count} {name}s ago"
    return "a minute ago" if seconds >= 60 else "less than a minute ago"


def amount(desk: Desk, value: float, *, digits: int = 2) -> str:
    """Return a sum of money with its currency."""
    return f"{value:,.{digits}f} {desk.served.server['currency']}".strip()


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "person", "people"), counted(2, "answer")
    ('1 person', '2 answers')
    """
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def verb_for(count: int, one: str, many: str) -> str:
    """Return the form of a verb that suits a number.

    >>> verb_for(1, "waits", "wait"), verb_for(2, "waits", "wait")
    ('waits', 'wait')
    """
    return one if count == 1 else many


def short_name(annotator: str) -> str:
    """Return the beginning of a person's name in the ratings table, for narrow columns."""
    return annotator[:NAMED]


def as_of(desk: Desk, made: float, answers: int) -> str:
    """Return what a page is based on."""
    age = desk.clock() - made
    when = "now" if age < 5 else ago(age)
    return f"Based on {counted(answers, 'answer')}, counted {when}."


def flat(value: Any) -> str:
    """Return a text of any value; empty for none."""
    return "" if value is None else str(value)
