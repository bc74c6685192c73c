"""Pages about the collection: progress, comments, money with a forecast, the log, downloads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

import polars as pl
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from plausibly.ratings.served import Served
from plausibly.ratings.store.desk import DeskAction, actions_so_far, log_action
from plausibly.ratings.store.offers import short_pay
from plausibly.ratings.store.overview import (
    DAY,
    ItemCounts,
    ListCounts,
    comment_count,
    comments,
    item_counts,
    list_counts,
    open_places,
    rated_since,
)
from plausibly.ratings.store.pausing import gate_of
from plausibly.ratings.store.progress import last_arrivals, ratings_count, waiting_ratings
from plausibly.web.context import Desk, RequestProblem, desk_of
from plausibly.web.desk.access import owner_of, visitor_of
from plausibly.web.desk.blinding import is_hidden, numbered
from plausibly.web.desk.cache import kept
from plausibly.web.desk.people import everybody
from plausibly.web.desk.showing import (
    NUMBER,
    SPAN,
    WHEN,
    WORDS,
    DeskCell,
    DeskPart,
    amount,
    columns_of,
    desk_page,
    in_order,
    minute,
    moment,
    natural,
    number,
    parts_page,
    share,
    short_name,
    too_few_left_out,
)
from plausibly.web.locale.texts import Texts
from plausibly.web.researcher.api import ratings_stream

MOST = 100  # comments on one page
DOWNLOADS = ("jsonl", "csv")
PAY = ("pay", "part", "screened", "return", "none")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the items are: all, by condition, by list, by both; and who came last."""

    gate: str
    total: ItemCounts
    waiting: int  # ratings of people who are held or not confirmed
    conditions: list[ItemCounts]
    lists: list[ListCounts]
    cells: list[ListCounts]
    arrivals: list[dict[str, Any]]
    open: dict[str, int]  # places nobody has, by item of a list


def _progress(connection: Connection, served: Served, now: float) -> Progress:
    return Progress(
        gate_of(connection),
        item_counts(connection, now=now)[0],
        waiting_ratings(connection),
        item_counts(connection, now=now, by_condition=True),
        list_counts(connection, now=now),
        list_counts(connection, now=now, by_condition=True),
        last_arrivals(connection, served),
        open_places(connection, now=now) if served.surveys else {},
    )


async def show_progress(request: Request) -> Response:
    """Show how far the items are, by condition, list and cell, and who came last."""
    visitor, desk = await visitor_of(request), desk_of(request)
    texts, now = desk.texts, desk.clock()
    counts = await kept(desk, "progress", lambda one: _progress(one, desk.served, now))
    progress = counts.value
    total = _item_row(texts, progress.total, texts("desk_progress.all_row"))
    waiting = progress.waiting
    about = [texts.counted("desk_progress.waiting", waiting)] if waiting else []
    about += too_few_left_out(desk)
    parts = [DeskPart(texts("desk_progress.all"), about, _headings(texts, "items"), [total])]
    hidden = is_hidden(desk, progress.gate)
    if hidden:
        parts.append(DeskPart(texts("desk_progress.by_condition"), [texts("desk.hidden")]))
    elif len(progress.conditions) > 1:
        none = texts("desk.no_condition")
        rows = [_item_row(texts, one, one.name or none) for one in progress.conditions]
        heading, columns = texts("desk_progress.by_condition"), _headings(texts, "condition")
        parts.append(DeskPart(heading, columns=columns, rows=rows))
    if progress.lists or desk.served.surveys:
        parts.append(_lists(desk, progress))
    if progress.cells and not hidden and len(progress.conditions) > 1:
        parts.append(_cells(texts, progress))
    if progress.arrivals and visitor.is_owner:  # each is one person
        parts.append(_arrivals(desk, progress))
    return parts_page(request, visitor, "progress", parts, counts=counts)


def _headings(texts: Texts, first: str) -> tuple[str, ...]:
    others = ("number", "complete", "ratings", "wanted", "at_work", "open", "done")
    return columns_of(texts, "progress", first, *others)


def _item_row(texts: Texts, one: ItemCounts, name: str) -> list[DeskCell]:
    counts = (one.items, one.complete, one.rated, one.wanted, one.held, one.open)
    numbers = (number(texts, count) for count in counts)
    return [DeskCell(name), *numbers, share(one.rated, one.wanted)]


def _lists(desk: Desk, progress: Progress) -> DeskPart:
    texts = desk.texts
    begun = {one.name: one for one in progress.lists}
    rows = []
    for name in in_order({*desk.served.surveys, *begun}):
        part, one = desk.served.surveys.get(name, ()), begun.get(name)
        counts = (one.people, one.rated, one.held) if one else (0, 0, 0)
        people, rated, held = counts
        left = sum(progress.open.get(item, 0) for item in part)
        of = sum(desk.served.contents[item].kind == "item" for item in part)
        shown = (people, of or None, rated, held, left if part else None)
        rows.append([DeskCell(name, kind=SPAN), *(number(texts, count) for count in shown)])
    names = ("list", "people", "items", "ratings", "at_work", "open")
    columns = columns_of(texts, "progress", *names)
    return DeskPart(texts("desk_progress.by_list"), columns=columns, rows=rows)


def _cells(texts: Texts, progress: Progress) -> DeskPart:
    rows = [
        [
            DeskCell(one.name, kind=SPAN),
            DeskCell(one.condition or texts("desk.no_condition")),
            number(texts, one.rated),
            number(texts, one.held),
        ]
        for one in sorted(progress.cells, key=lambda one: natural(one.name))
    ]
    columns = columns_of(texts, "progress", "list", "condition", "ratings", "at_work")
    return DeskPart(texts("desk_progress.by_cell"), columns=columns, rows=rows, folded=True)


def _arrivals(desk: Desk, progress: Progress) -> DeskPart:
    """Return what the people who came last were given and are paid, without who they are."""
    texts = desk.texts
    rows = [
        [
            DeskCell(minute(one["joined"]), kind=WHEN),
            DeskCell(texts(f"desk_progress.{'short' if one['short'] else 'whole'}")),
            number(texts, one["items"]),
            number(texts, one["answered"]),
            DeskCell(amount(desk, one["pay"]), kind=NUMBER),
            number(texts, one["pay_per_item"] or None, 3),
        ]
        for one in progress.arrivals
    ]
    names = ("joined", "round", "items", "answered", "pay", "pay_per_item")
    return DeskPart(
        texts("desk_progress.arrivals"),
        [texts("desk_progress.arrivals_about")],
        columns_of(texts, "progress", *names),
        rows,
    )


async def show_comments(request: Request) -> Response:
    """Show what people wrote, latest first."""
    visitor, desk = await owner_of(request), desk_of(request)
    texts = desk.texts
    asked = request.query_params.get("page", "1")
    page = int(asked) if asked.isdecimal() and asked != "0" else 1

    def read() -> tuple[list[Any], int]:
        with desk.reader.begin() as connection:
            some = comments(connection, most=MOST + 1, after=(page - 1) * MOST)
            return list(some), comment_count(connection)

    latest, count = await run_in_threadpool(read)
    rows = [
        [
            DeskCell(moment(row.submitted), kind=WHEN),
            DeskCell(row.comment, kind=WORDS),
            DeskCell(desk.served.contents[row.item].text, kind=WORDS),
            DeskCell(short_name(row.annotator), f"person?{urlencode({'name': row.annotator})}"),
        ]
        for row in latest[:MOST]
    ]
    part = DeskPart(
        texts.counted("desk_comments.count", count),
        columns=columns_of(texts, "comments", "when", "comment", "item", "person"),
        rows=rows,
        empty=texts("desk_comments.nobody"),
    )
    onward = (f"comments?page={page + 1}", texts("desk.next", count=MOST))
    pager = [onward] if len(latest) > MOST else []
    return parts_page(request, visitor, "comments", [part], pager=pager)


async def show_money(request: Request) -> Response:
    """Show what the collection has cost, and what it will."""
    visitor, desk = await visitor_of(request), desk_of(request)
    people = await everybody(desk)
    now = desk.clock()

    def read(connection: Connection) -> tuple[ItemCounts, int]:
        return item_counts(connection, now=now)[0], rated_since(connection, now - DAY)

    counts = await kept(desk, "money", read)
    parts = [_paid(desk, people.value), _forecast(desk, people.value, *counts.value)]
    return parts_page(request, visitor, "money", parts, counts=people)


def _paid(desk: Desk, people: pl.DataFrame) -> DeskPart:
    texts = desk.texts
    screened = float(desk.served.server["screened_reward"])
    turned_away = (pl.col("state") == "screened out") & (pl.col("pay") == "none")
    people = people.with_columns(
        pay=pl.when(turned_away).then(pl.lit("screened")).otherwise("pay"),
        amount=pl.when(turned_away).then(screened).otherwise("amount"),
    )
    sums = people.group_by("pay").agg(pl.len(), pl.col("amount").sum(), pl.col("items").sum())
    by = {row["pay"]: row for row in sums.iter_rows(named=True)}
    rows = [
        [
            DeskCell(texts(f"desk_money.{key}")),
            number(texts, by[key]["len"]),
            number(texts, by[key]["items"]),
            DeskCell(amount(desk, by[key]["amount"]), kind=NUMBER),
        ]
        for key in PAY
        if key in by
    ]
    total = sum(row["amount"] for row in by.values())
    items = sum(row["items"] for row in by.values())
    about = [texts("desk_money.total", total=amount(desk, total))]
    if not float(desk.served.server["reward"]):
        about = [texts("desk_money.unknown")]
    elif items:
        about.append(texts("desk_money.each", each=amount(desk, total / items, digits=3)))
    return DeskPart(
        texts("desk_money.so_far"),
        [*about, *_hourly(desk, people)],
        columns_of(texts, "money", "people", "number", "items", "due"),
        rows,
        empty=texts("desk_money.nobody"),
    )


def _hourly(desk: Desk, people: pl.DataFrame) -> list[str]:
    """Return what an hour is paid, by the people in the middle of those who finished."""
    done = people.filter((pl.col("pay") == "pay") & (pl.col("seconds") > 0))
    each = (done["amount"] * 3600 / done["seconds"]).median()
    if not isinstance(each, float) or not each:
        return []
    least = float(desk.served.server["min_hourly"])
    sums = {"hourly": amount(desk, each), "least": amount(desk, least)}
    form = "" if not least else "_below" if each < least else "_promised"
    return [desk.texts(f"desk_money.hourly{form}", **sums)]


def _forecast(desk: Desk, people: pl.DataFrame, items: ItemCounts, in_a_day: int) -> DeskPart:
    """Return what is still to come: people, money and days."""
    texts = desk.texts
    working = people.filter(pl.col("state").is_in(["reading", "working"])).height
    whole, rest = divmod(items.open, max(desk.served.whole_round, 1))
    reward = float(desk.served.server["reward"])
    to_come = whole * reward + short_pay(desk.served, rest)[0]
    costs = {
        "at_work": (working, items.held, working * reward),
        "to_come": (whole + bool(rest), items.open, to_come),
    }
    rows = [
        [
            DeskCell(texts(f"desk_money.{name}")),
            number(texts, count),
            number(texts, places),
            DeskCell(amount(desk, cost), kind=NUMBER),
        ]
        for name, (count, places, cost) in costs.items()
    ]
    return DeskPart(
        texts("desk_money.forecast"),
        [_pace(texts, items.open + items.held, in_a_day)],
        columns_of(texts, "money", "people", "number", "items", "cost"),
        rows,
    )


def _pace(texts: Texts, left: int, in_a_day: int) -> str:
    """Return how long the rest takes, at the pace of the last day.

    >>> _pace(Texts("en"), 6, 578)
    'At the pace of the last day (578 items), the rest takes an hour.'
    """
    if not left:
        return texts("desk_money.over")
    if not in_a_day:
        return texts("desk_money.no_pace")
    days = left / in_a_day
    if days >= 1:
        return texts.counted("desk_money.days", in_a_day, days=texts.desk_number(days, 1))
    hours = texts.desk_number(max(24 * days, 1))
    return texts.counted(f"desk_money.hour{'' if hours == '1' else 's'}", in_a_day, hours=hours)


async def show_log(request: Request) -> Response:
    """Show what was done at the desk and by commands: counts, no people."""
    visitor, desk = await visitor_of(request), desk_of(request)
    texts = desk.texts

    def read() -> list[DeskAction]:
        with desk.reader.begin() as connection:
            return actions_so_far(connection)

    actions = await run_in_threadpool(read)
    rows = [
        [
            DeskCell(moment(one.made), kind=WHEN),
            DeskCell(texts.word(one.by)),
            DeskCell(texts.word(one.what)),
            number(texts, one.people),
            number(texts, one.answers),
        ]
        for one in reversed(actions)
    ]
    part = DeskPart(
        texts("desk_log.done"),
        [texts("desk_log.about")],
        columns_of(texts, "log", "when", "by", "what", "people", "answers"),
        rows,
        empty=texts("desk_log.nothing"),
    )
    return parts_page(request, visitor, "log", [part])


async def show_downloads(request: Request) -> Response:
    """Offer the ratings as files."""
    visitor, desk = await owner_of(request), desk_of(request)
    formats = [(f"ratings.{form}", desk.texts(f"desk_download.{form}")) for form in DOWNLOADS]
    compares = any(one.candidates for one in desk.served.contents.values())
    hidden = compares and is_hidden(desk, await run_in_threadpool(_gate, desk))
    return desk_page(
        request,
        visitor,
        "download",
        here="download",
        about=" ".join([desk.texts("desk_download.about"), *too_few_left_out(desk)]),
        formats=formats,
        numbered=hidden,
    )


def _gate(desk: Desk) -> str:
    with desk.reader.begin() as connection:
        return gate_of(connection)


async def download(request: Request) -> Response:
    """Return the valid ratings, as `plausibly read` would: pseudonyms, and no platform's ids."""
    visitor, desk = await owner_of(request), desk_of(request)
    form = request.path_params["form"]
    if form not in DOWNLOADS:
        raise RequestProblem(404)
    counts = await kept(desk, "downloaded", ratings_count)
    look = DeskAction(desk.clock(), visitor.role, "downloaded the ratings", None, counts.value)
    await desk.write(lambda connection: log_action(connection, look))
    hidden = is_hidden(desk, await run_in_threadpool(_gate, desk))
    shown = partial(numbered, desk.served) if hidden else None
    response = ratings_stream(desk, form=form, everything=False, shown=shown)
    response.headers["Content-Disposition"] = f'attachment; filename="ratings.{form}"'
    return response
