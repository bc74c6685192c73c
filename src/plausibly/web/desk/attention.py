"""The first page: what needs your attention, and how far the study is."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from plausibly.ratings.served import Served
from plausibly.ratings.store.changes import changes_so_far
from plausibly.ratings.store.checking import people_who_failed, still_counted
from plausibly.ratings.store.erasing import copies_left
from plausibly.ratings.store.offers import RoundOffer, least_items, offer, short_pay
from plausibly.ratings.store.overview import (
    HOUR,
    ItemCounts,
    PeopleCounts,
    RecentAnswers,
    item_counts,
    open_objections,
    people_counts,
    recent_answers,
    refused_answers,
    stalled_lists,
)
from plausibly.ratings.store.pausing import CLOSED, OPEN, PAUSED, gate_of
from plausibly.ratings.store.rounds import current_round
from plausibly.web.context import Desk, desk_of
from plausibly.web.desk.access import visitor_of
from plausibly.web.desk.cache import kept
from plausibly.web.desk.showing import (
    ago,
    amount,
    as_of,
    columns_of,
    desk_page,
    in_order,
    percent,
)
from plausibly.web.locale.texts import Texts

GIGABYTE = 1_000_000_000
LITTLE = GIGABYTE  # bytes of free disk below which somebody should make room
SHOWN = 5  # lists or files that are named
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
    recent: RecentAnswers
    refused: int
    objections: int
    failed: int
    stalled: tuple[str, ...]
    offer: RoundOffer | None
    changes: tuple[str, ...]
    copies: tuple[str, ...]


def overview(connection: Connection, served: Served, now: float) -> Overview:
    """Return what the first page counts."""
    return Overview(
        gate=gate_of(connection),
        items=item_counts(connection, now=now)[0],
        people=people_counts(connection, now=now),
        recent=recent_answers(connection, now=now),
        refused=refused_answers(connection),
        objections=open_objections(connection),
        failed=still_counted(connection, people_who_failed(connection, served)),
        stalled=stalled_lists(connection, served, since=now - QUIET_HOURS * HOUR),
        offer=offer(connection, served, current_round(connection)),
        changes=tuple(str(one) for one in changes_so_far(connection)),
        copies=copies_left(connection),
    )


async def attention(request: Request) -> Response:
    """Show what needs attention."""
    visitor, desk = await visitor_of(request), desk_of(request)
    now = desk.clock()
    served = desk.served
    counts = await kept(desk, "attention", lambda connection: overview(connection, served, now))
    free = await run_in_threadpool(free_space, desk)
    notices = [*_storage(desk, free), *notices_of(desk, counts.value)]
    return desk_page(
        request,
        visitor,
        "attention",
        here="./",
        gate=counts.value.gate,
        gates={"open": OPEN, "paused": PAUSED, "closed": CLOSED},
        notices=[one for one in notices if visitor.is_owner or not one.for_owner],
        figures=_figures(desk.texts, counts.value),
        as_of=as_of(desk, counts),
    )


def free_space(desk: Desk) -> int:
    """Return how many bytes are free on the disk with the answers."""
    return shutil.disk_usage(Path(str(desk.reader.url.database)).parent).free


def _figures(texts: Texts, counts: Overview) -> list[tuple[str, str, str]]:
    """Return the numbers at the top: name, value, and what stands below it."""
    items, people = counts.items, counts.people

    def of(part: int, whole: int) -> str:
        both = {"part": texts.desk_number(part), "whole": texts.desk_number(whole)}
        return texts("desk_attention.of", **both)

    def some(name: str, count: int) -> str:
        return texts(f"desk_attention.{name}", count=texts.desk_number(count))

    begun = texts(
        "desk_attention.begun",
        begun=texts.desk_number(people.joined),
        at_work=texts.desk_number(people.working),
    )
    rated, complete, finished, answered = columns_of(
        texts, "attention", "ratings", "complete", "finished", "answered"
    )
    return [
        (rated, of(items.rated, items.wanted), percent(items.rated, items.wanted)),
        (complete, of(items.complete, items.items), ""),
        (finished, texts.desk_number(people.finished), begun),
        (
            answered,
            texts.desk_number(counts.recent.last_hour),
            some("in_a_day", counts.recent.last_day),
        ),
    ]


def _storage(desk: Desk, free: int) -> list[Notice]:
    """Return that answers cannot be stored, or may soon not be."""
    texts = desk.texts
    if desk.store.failure is not None:
        return [Notice(texts("desk_attention.cannot_store"), for_owner=False)]
    if free < LITTLE:
        text = texts("desk_attention.disk", free=texts.desk_number(free / GIGABYTE, 1))
        return [Notice(text, for_owner=False)]
    return []


def notices_of(desk: Desk, counts: Overview) -> list[Notice]:
    """Return what needs attention, the most urgent first."""
    people = counts.people
    overdue = "overdue" if people.overdue else "unconfirmed"
    return [
        *_counted(desk, "held", people.held, "people?data=held"),
        *_counted(
            desk,
            overdue,
            people.overdue or people.unconfirmed,
            "people?flag=unconfirmed&data=standing",
            named="unconfirmed",
        ),
        *_counted(desk, "objections", counts.objections, "objections"),
        *_counted(desk, "failed", counts.failed, "people?flag=failed+check&data=standing"),
        *_copies(desk, counts),
        *_stopped(desk, counts),
        *_running_out(desk, counts),
        *_counted(desk, "comments", counts.recent.comments, "comments"),
        *_counted(desk, "refused", counts.refused, for_owner=False),
        *(Notice(desk.texts("desk_attention.changed", what=one)) for one in counts.changes[-3:]),
    ]


def _counted(
    desk: Desk, name: str, count: int, href: str = "", *, named: str = "", for_owner: bool = True
) -> list[Notice]:
    """Return a notice about so many of something; none if there are none."""
    if not count:
        return []
    text = desk.texts.counted(f"desk_attention.{name}", count)
    link = desk.texts(f"desk_attention.{named or name}_link") if href else ""
    return [Notice(text, href, link, for_owner=for_owner)]


def _copies(desk: Desk, counts: Overview) -> list[Notice]:
    """Return which files made earlier still have people who were erased."""
    if not counts.copies:
        return []
    names = some_of(counts.copies)
    return [Notice(desk.texts.counted("desk_attention.copies", len(counts.copies), names=names))]


def some_of(names: Sequence[str]) -> str:
    """Return names, the first few if there are many.

    >>> some_of("abc"), some_of("abcdefg")
    ('a, b, c', 'a, b, c, d, e, …')
    """
    return ", ".join([*names[:SHOWN], *(["…"] if len(names) > SHOWN else [])])


def _stopped(desk: Desk, counts: Overview) -> list[Notice]:
    """Return that nothing arrives, in all or in some lists, where something should."""
    texts = desk.texts
    if counts.gate == PAUSED:
        return [Notice(texts("desk_attention.paused"), for_owner=False)]
    if counts.gate == CLOSED or not counts.items.open or counts.recent.last is None:
        return []
    quiet = desk.clock() - counts.recent.last
    if quiet >= QUIET_HOURS * HOUR:
        since = ago(texts, quiet)
        text = texts.counted("desk_attention.quiet", counts.items.open, ago=since)
        return [Notice(text, for_owner=False)]
    if not counts.stalled:
        return []
    about = {"hours": QUIET_HOURS, "names": some_of(in_order(counts.stalled))}
    text = texts.counted("desk_attention.stalled", len(counts.stalled), **about)
    text = text.replace("….", "…")
    link = texts("desk_attention.stalled_link")
    return [Notice(text, "progress", link, for_owner=False)]


def _running_out(desk: Desk, counts: Overview) -> list[Notice]:
    """Return that every rating is there, or that whoever comes next gets less than a round."""
    texts, items, next_round = desk.texts, counts.items, counts.offer
    if not items.open and not items.held and items.rated:
        close = "" if counts.gate == CLOSED else "_close"
        return [Notice(texts(f"desk_attention.all_rated{close}"), for_owner=False)]
    if counts.gate != OPEN or not items.open or items.lapsed:
        return []  # what has lapsed is offered, too, as soon as somebody comes
    least, link = least_items(desk.served), texts("desk_attention.last_link")
    if next_round is None:
        text = texts.counted("desk_attention.waiting", items.open)
    elif next_round.short:
        pay = amount(desk, short_pay(desk.served, next_round.items)[0])
        text = texts.counted("desk_attention.short", next_round.items, pay=pay)
    elif next_round.items < least:
        text = texts.counted("desk_attention.last", next_round.items)
    else:
        return []
    return [Notice(text, "progress", link, for_owner=False)]
