"""The first page: what needs your attention, and how far the study is."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from plausibly.ratings.store.changes import changes_so_far
from plausibly.ratings.store.overview import (
    DAY,
    ItemCounts,
    PeopleCounts,
    comment_count,
    item_counts,
    open_objections,
    people_counts,
    recent_answers,
    refused_answers,
)
from plausibly.ratings.store.pausing import CLOSED, OPEN, PAUSED, gate_of
from plausibly.web.context import Desk, desk_of
from plausibly.web.desk.access import visitor_of
from plausibly.web.desk.cache import kept
from plausibly.web.desk.showing import ago, as_of, counted, desk_page, percent, verb_for

HOUR = 3600.0
QUIET_HOURS = 6  # without an answer, after which an open study is one to look at


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to look at.

    Args:
        text: What it is.
        href: The page to look at; empty if there is none.
        named: What the link is called.
        for_owner: Whether only the owner can do anything about it.
    """

    text: str
    href: str = ""
    named: str = ""
    for_owner: bool = True


@dataclass(frozen=True, slots=True)
class Overview:
    """What the first page counts."""

    gate: str
    items: ItemCounts
    people: PeopleCounts
    last_hour: int
    last_day: int
    last: float | None
    comments: int
    refused: int
    objections: int
    changes: tuple[str, ...]


def overview(connection: Connection, now: float) -> Overview:
    """Return what the first page counts, by statements that do not read every answer."""
    last_hour, last = recent_answers(connection, since=now - HOUR)
    last_day, _ = recent_answers(connection, since=now - DAY)
    return Overview(
        gate=gate_of(connection),
        items=item_counts(connection)[0],
        people=people_counts(connection, now=now),
        last_hour=last_hour,
        last_day=last_day,
        last=last,
        comments=comment_count(connection, since=now - DAY),
        refused=refused_answers(connection),
        objections=open_objections(connection),
        changes=tuple(str(one) for one in changes_so_far(connection)),
    )


async def attention(request: Request) -> Response:
    """Show what needs attention."""
    visitor, desk = await visitor_of(request), desk_of(request)
    now = desk.clock()
    result = await kept(desk, "attention", lambda connection: overview(connection, now))
    summary = result.value
    notices = [one for one in notices_of(desk, summary) if visitor.is_owner or not one.for_owner]
    return desk_page(
        request,
        visitor,
        "attention",
        here="./",
        gate=summary.gate,
        gates={"open": OPEN, "paused": PAUSED, "closed": CLOSED},
        notices=notices,
        figures=_figures(summary),
        as_of=as_of(desk, result.made, result.answers),
    )


def _figures(summary: Overview) -> list[tuple[str, str, str]]:
    """Return the numbers at the top: name, value, and what stands below it."""
    items, people = summary.items, summary.people
    return [
        (
            "Ratings",
            f"{items.rated:,} of {items.wanted:,}",
            percent(items.rated, items.wanted),
        ),
        ("Items with all ratings", f"{items.complete:,} of {items.items:,}", ""),
        (
            "People finished",
            f"{people.finished:,} of {people.joined:,}",
            f"{people.working:,} at work",
        ),
        (
            "Items answered",
            f"{summary.last_hour:,} in the last hour",
            f"{summary.last_day:,} in a day",
        ),
    ]


def notices_of(desk: Desk, summary: Overview) -> list[Notice]:
    """Return what needs attention, the most urgent first."""
    people, items = summary.people, summary.items
    notices = []
    if desk.store.failure is not None:
        notices.append(Notice("Answers cannot be stored: the disk may be full.", for_owner=False))
    if people.held:
        wait = verb_for(people.held, "waits", "wait")
        text = f"{counted(people.held, 'person', 'people')} came in a burst and {wait} for you."
        notices.append(Notice(text, "people?data=held", "Decide about them"))
    if people.overdue:
        have = verb_for(people.overdue, "has", "have")
        text = (
            f"{counted(people.overdue, 'person', 'people')} {have} waited for more than a day for "
            "the platform to confirm them. Read its export with: plausibly people admit."
        )
        notices.append(Notice(text, "people?data=unconfirmed", "Look at them"))
    if summary.objections:
        wait = verb_for(summary.objections, "waits", "wait")
        text = f"{counted(summary.objections, 'objection')} of excluded people {wait} for a reply."
        notices.append(Notice(text, "objections", "Read and reply"))
    notices += _stopped(desk, summary)
    if items.open == 0 and items.held == 0 and items.rated:
        what = "Every item has all its ratings."
        close = " You can close the study." if summary.gate != CLOSED else ""
        notices.append(Notice(what + close, for_owner=False))
    if summary.comments:
        text = f"{counted(summary.comments, 'comment')} in the last day."
        notices.append(Notice(text, "comments", "Read them"))
    if summary.refused:
        text = (
            f"{counted(summary.refused, 'answer')} came too late: the places were taken by then. "
            "Longer leases prevent this."
        )
        notices.append(Notice(text, for_owner=False))
    notices += [Notice(f"Changed after people had begun: {one}.") for one in summary.changes[-3:]]
    return notices


def _stopped(desk: Desk, summary: Overview) -> list[Notice]:
    """Return that nothing arrives, where something should."""
    if summary.gate == PAUSED:
        return [Notice("The study is paused: nobody new can begin.", for_owner=False)]
    if summary.gate == CLOSED or not summary.items.open or summary.last is None:
        return []
    quiet = desk.clock() - summary.last
    if quiet < QUIET_HOURS * HOUR:
        return []
    places = counted(summary.items.open, "place")
    are = verb_for(summary.items.open, "is", "are")
    text = f"The last answer came {ago(quiet)}, and {places} {are} open. Invite more people."
    return [Notice(text, for_owner=False)]
