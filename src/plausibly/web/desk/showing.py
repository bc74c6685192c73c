"""How pages of the desk are made: parts with tables, in one shape for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from plausibly.web.context import Desk, desk_of
from plausibly.web.desk.access import Visitor
from plausibly.web.desk.cache import Kept
from plausibly.web.locale.texts import Texts
from plausibly.web.rendering import assets

# Pages in the order of the menu: address, name in the catalogue, and whether viewers see them.
PAGES = (
    ("./", "attention", True),
    ("progress", "progress", True),
    ("people", "people", False),
    ("objections", "objections", False),
    ("agreement", "agreement", True),
    ("comments", "comments", False),
    ("checks", "checks", True),
    ("order", "order", True),
    ("money", "money", True),
    ("log", "log", True),
    ("download", "download", False),
)
NUMERALS = re.compile(r"(\d+)")
NAMED = 9  # characters of a name that tell people apart
NONE = "\N{EN DASH}"  # in place of what is not there
NUMBER, WHEN, SPAN, WORDS = "number", "when", "span", "words"  # how a cell is set


@dataclass(frozen=True, slots=True)
class DeskCell:
    """One cell of a table.

    Args:
        text: What it shows.
        href: Where it leads.
        share: A share from 0 to 1 that is drawn as a bar.
        kind: How it is set: a number, a time (`when`), a name or from one number to another,
            on one line (`span`), or a text that needs room (`words`).
        span: How many rows it is for.
    """

    text: str
    href: str = ""
    share: float | None = None
    kind: str = ""
    span: int = 1


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
        folded: Whether a long table is behind its heading until somebody opens it.
    """

    heading: str
    about: Sequence[str] = ()
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[DeskCell]] = field(default_factory=list)
    svg: str = ""
    empty: str = ""
    folded: bool = False


def desk_page(
    request: Request,
    visitor: Visitor,
    template: str,
    *,
    here: str,
    **more: object,
) -> HTMLResponse:
    """Return a page of the desk.

    Args:
        request: What was asked for.
        visitor: Who asked.
        template: Name of the template, without `desk_`.
        here: Address of the page in the menu.
        more: What the template shows besides.
    """
    desk = desk_of(request)
    texts = desk.texts
    pages = [(href, name) for href, name, for_all in PAGES if for_all or visitor.is_owner]
    content = desk.templates.get_template(f"desk_{template}.html.jinja").render(
        study=desk.served.server["title"] or desk.served.name,
        texts=texts,
        visitor=visitor,
        menu=[(href, texts(f"desk_menu.{name}")) for href, name in pages],
        here=here,
        styles=[f"..{assets()[name].path}" for name in ("style.css", "desk.css")],
        csrf=desk.keys.csrf(visitor.session),
        preview=desk.served.preview,
        **more,
    )
    return HTMLResponse(content)


def parts_page(
    request: Request,
    visitor: Visitor,
    here: str,
    parts: Sequence[DeskPart],
    *,
    counts: Kept[Any] | None = None,
    pager: Sequence[tuple[str, str]] = (),
) -> HTMLResponse:
    """Return a page that consists of parts.

    Args:
        request: What was asked for.
        visitor: Who asked.
        here: Address of the page in the menu, which also names its title.
        parts: What it shows.
        counts: What was counted for it, and when; None if nothing was kept.
        pager: Addresses and names of the pages before and after it.
    """
    desk = desk_of(request)
    return desk_page(
        request,
        visitor,
        "parts",
        here=here,
        heading=desk.texts(f"desk_{here}.title"),
        as_of="" if counts is None else as_of(desk, counts),
        parts=parts,
        pager=pager,
    )


def columns_of(texts: Texts, page: str, *names: str) -> tuple[str, ...]:
    """Return the headings of a table on a page."""
    return tuple(texts(f"desk_{page}.{name}") for name in names)


def number(texts: Texts, value: float | None, digits: int = 0) -> DeskCell:
    """Return a cell with a number; a dash where there is none."""
    return DeskCell(NONE if value is None else texts.desk_number(value, digits), kind=NUMBER)


def interval(texts: Texts, low: float | None, high: float | None) -> DeskCell:
    """Return a cell with both ends of an interval; a dash where there is none."""
    if low is None or high is None:
        return DeskCell(NONE)
    ends = {"low": texts.desk_number(low, 2), "high": texts.desk_number(high, 2)}
    return DeskCell(texts("desk.range", **ends), kind=SPAN)


def share(part: float, whole: float) -> DeskCell:
    """Return a cell with a share, drawn as a bar."""
    part_of = part / whole if whole else 0.0
    return DeskCell(percent(part, whole), share=min(max(part_of, 0.0), 1.0), kind=NUMBER)


def percent(part: float, whole: float) -> str:
    """Return a share in percent; only all of it is 100 %, and only nothing 0 %.

    >>> percent(999, 1000), percent(2, 2), percent(1, 6), percent(1, 1000)
    ('> 99 %', '100 %', '17 %', '< 1 %')
    """
    if not whole:
        return NONE
    rounded = int(100 * part / whole + 0.5)
    if part < whole and rounded == 100:
        return "> 99 %"
    return "< 1 %" if part > 0 and rounded == 0 else f"{rounded} %"


def moment(seconds: float | None) -> str:
    """Return a time to the minute; a dash where there is none."""
    if seconds is None:
        return NONE
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def minute(joined: str | None) -> str:
    """Return a time of a table to the minute.

    >>> minute("2026-11-02T09:30:12+00:00"), minute(None)
    ('2026-11-02 09:30', '')
    """
    return (joined or "")[:16].replace("T", " ")


def ago(texts: Texts, seconds: float) -> str:
    """Return how long ago something was.

    >>> [ago(Texts("en"), seconds) for seconds in (30, 3600, 200000)]
    ['less than a minute ago', '60 minutes ago', '2 days ago']
    """
    steps: tuple[tuple[float, str], ...] = ((86_400, "days"), (3600, "hours"), (60, "minutes"))
    for length, name in steps:
        count = int(seconds // length)
        if count > 1 or (count == 1 and name == "minutes"):
            return texts.counted(f"desk.{name}", count)
    return texts("desk.under_a_minute")


def amount(desk: Desk, value: float, *, digits: int = 2) -> str:
    """Return a sum of money with its currency; a dash where the study names no pay."""
    if not value and not float(desk.served.server["reward"]):
        return NONE
    return f"{desk.texts.desk_number(value, digits)} {desk.served.server['currency']}".strip()


def natural(name: str) -> list[tuple[int, str]]:
    """Return what sorts names as people count.

    >>> sorted(["en.1.10", "en.1.2", "en.1.1"], key=natural)
    ['en.1.1', 'en.1.2', 'en.1.10']
    """
    return [(int(one), "") if one.isdecimal() else (-1, one) for one in NUMERALS.split(name)]


def in_order(names: Iterable[str]) -> list[str]:
    """Return names as people count."""
    return sorted(names, key=natural)


def short_name(annotator: str) -> str:
    """Return the beginning of a person's name in the ratings table, for narrow columns."""
    return annotator[:NAMED]


def as_of(desk: Desk, counts: Kept[Any]) -> str:
    """Return what a page is based on."""
    age = desk.clock() - counts.made
    when = desk.texts("desk.now") if age < 5 else ago(desk.texts, age)
    return desk.texts.counted("desk.based", counts.answers, when=when)


def too_few_left_out(desk: Desk) -> list[str]:
    """Return that lists with too few answers count nowhere, where the study has such a rule."""
    return [desk.texts("desk.too_few")] if desk.served.plan.min_answered else []


def flat(value: Any) -> str:
    """Return a text of any value; empty for none."""
    return "" if value is None else str(value)
