"""Pages about the collection: progress, comments, money with a forecast, the log, downloads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import polars as pl
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

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
    recent_answers,
)
from plausibly.ratings.store.pausing import CLOSED, gate_of
from plausibly.web.context import Desk, RequestProblem, desk_of
from plausibly.web.desk.access import owner_of, visitor_of
from plausibly.web.desk.cache import kept
from plausibly.web.desk.people import everybody
from plausibly.web.desk.showing import (
    DeskCell,
    DeskPart,
    amount,
    as_of,
    counted,
    desk_page,
    moment,
    number,
    share,
    short_name,
)
from plausibly.web.researcher.api import ratings_stream

MOST = 100  # comments on one page
HIDDEN = "Conditions are hidden until the study is closed, because it is blinded."
DOWNLOADS = {"jsonl": "JSON lines", "csv": "CSV"}


def is_hidden(desk: Desk, gate: str) -> bool:
    """Return whether conditions are hidden: the study is blinded, and people still answer."""
    return bool(desk.served.desk.get("blinded")) and gate != CLOSED


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the items are: all, by condition, by list, and by condition of each list."""

    gate: str
    total: ItemCounts
    conditions: list[ItemCounts]
    lists: list[ListCounts]
    cells: list[ListCounts]


def _progress(connection: Connection) -> Progress:
    return Progress(
        gate_of(connection),
        item_counts(connection)[0],
        item_counts(connection, by_condition=True),
        list_counts(connection),
        list_counts(connection, by_condition=True),
    )


async def show_progress(request: Request) -> Response:
    """Show how far the items are, by condition, list and cell."""
    visitor, desk = await visitor_of(request), desk_of(request)
    result = await kept(desk, "progress", _progress)
    counts = result.value
    parts = [DeskPart("All items", columns=_ITEMS, rows=[_item_row(counts.total, "all")])]
    hidden = is_hidden(desk, counts.gate)
    if hidden:
        parts.append(DeskPart("By condition", [HIDDEN]))
    elif len(counts.conditions) > 1:
        rows = [_item_row(one, one.name or "none") for one in counts.conditions]
        parts.append(DeskPart("By condition", columns=("Condition", *_ITEMS[1:]), rows=rows))
    if counts.lists:
        sizes = {name: len(part) for name, part in desk.served.surveys.items()}
        lists = [_list_row(one, sizes) for one in counts.lists]
        parts.append(DeskPart("By list", columns=_LISTS, rows=lists))
    if counts.cells and not hidden and len(counts.conditions) > 1:
        cells = [
            [
                DeskCell(one.name),
                DeskCell(one.condition or "none"),
                number(one.rated),
                number(one.held),
            ]
            for one in counts.cells
        ]
        columns = ("List", "Condition", "Ratings", "At work")
        parts.append(DeskPart("By list and condition", columns=columns, rows=cells))
    return desk_page(
        request,
        visitor,
        "parts",
        here="progress",
        heading="Progress",
        as_of=as_of(desk, result.made, result.answers),
        parts=parts,
        pager=[],
    )


_LISTS = ("List", "People", "Items", "Ratings", "At work")
_ITEMS = ("Items", "Number", "Complete", "Ratings", "Wanted", "At work", "Open", "Done")


def _item_row(one: ItemCounts, name: str) -> list[DeskCell]:
    counts = (one.items, one.complete, one.rated, one.wanted, one.held, one.open)
    return [DeskCell(name), *(number(count) for count in counts), share(one.rated, one.wanted)]


def _list_row(one: ListCounts, sizes: dict[str, int]) -> list[DeskCell]:
    counts = (one.people, sizes.get(one.name), one.rated, one.held)
    return [DeskCell(one.name), *(number(count) for count in counts)]


async def show_comments(request: Request) -> Response:
    """Show what people wrote, latest first."""
    visitor, desk = await owner_of(request), desk_of(request)
    asked = request.query_params.get("page", "1")
    page = int(asked) if asked.isdecimal() and asked != "0" else 1

    def read() -> tuple[list[Any], int]:
        with desk.reader.begin() as connection:
            some = comments(connection, most=MOST + 1, after=(page - 1) * MOST)
            return list(some), comment_count(connection)

    found, count = await run_in_threadpool(read)
    rows = [
        [
            DeskCell(moment(row.submitted)),
            DeskCell(row.comment),
            DeskCell(desk.served.contents[row.item].text),
            DeskCell(short_name(row.annotator), f"person?{urlencode({'name': row.annotator})}"),
        ]
        for row in found[:MOST]
    ]
    columns = ("When", "Comment", "Item", "Person")
    empty = "Nobody has written a comment yet."
    pager = [(f"comments?page={page + 1}", f"The next {MOST}")] if len(found) > MOST else []
    return desk_page(
        request,
        visitor,
        "parts",
        here="comments",
        heading="Comments",
        as_of="",
        parts=[DeskPart(counted(count, "comment"), columns=columns, rows=rows, empty=empty)],
        pager=pager,
    )


async def show_money(request: Request) -> Response:
    """Show what the collection has cost, and what it will."""
    visitor, desk = await visitor_of(request), desk_of(request)
    result = await everybody(desk)
    now = desk.clock()

    def read(connection: Connection) -> tuple[ItemCounts, int]:
        return item_counts(connection)[0], recent_answers(connection, since=now - DAY)[0]

    counts = await kept(desk, "money", read)
    items, in_a_day = counts.value
    return desk_page(
        request,
        visitor,
        "parts",
        here="money",
        heading="Money and forecast",
        as_of=as_of(desk, result.made, result.answers),
        parts=[_paid(desk, result.value), _forecast(desk, result.value, items, in_a_day)],
        pager=[],
    )


_PAY = {
    "pay": "Finished: paid in full",
    "part": "Stopped early: paid by the item",
    "return": "Asked to return: not paid",
    "none": "Nothing due yet",
}


def _paid(desk: Desk, people: pl.DataFrame) -> DeskPart:
    sums = people.group_by("pay").agg(pl.len(), pl.col("amount").sum(), pl.col("items").sum())
    by = {row["pay"]: row for row in sums.iter_rows(named=True)}
    rows = [
        [
            DeskCell(name),
            number(by[key]["len"]),
            number(by[key]["items"]),
            DeskCell(amount(desk, by[key]["amount"]), number=True),
        ]
        for key, name in _PAY.items()
        if key in by
    ]
    total = sum(row["amount"] for row in by.values())
    items = sum(row["items"] for row in by.values())
    about = [f"So far the collection costs {amount(desk, total)}, without the platform's fees."]
    if not float(desk.served.server["reward"]):
        about = ["No sums are known, because [server] reward is not set."]
    elif items:
        about.append(f"That is {amount(desk, total / items, digits=3)} per answered item.")
    about += _hourly(desk, people)
    return DeskPart(
        "So far", about, ("People", "Number", "Items", "Due"), rows, empty="Nobody yet."
    )


def _hourly(desk: Desk, people: pl.DataFrame) -> list[str]:
    """Return what an hour is paid, by the people in the middle of those who finished."""
    done = people.filter((pl.col("pay") == "pay") & (pl.col("seconds") > 0))
    each = (done["amount"] * 3600 / done["seconds"]).median()
    if not isinstance(each, float) or not each:
        return []
    least = float(desk.served.server["min_hourly"])
    text = f"An hour of work is paid {amount(desk, each)}, in the middle of those who finished"
    if least:
        below = f", below the promised {amount(desk, least)}"
        text += below if each < least else f"; the study promises {amount(desk, least)}"
    return [f"{text}."]


def _forecast(desk: Desk, people: pl.DataFrame, items: ItemCounts, in_a_day: int) -> DeskPart:
    """Return what is still to come: people, money and days."""
    working = people.filter(pl.col("state").is_in(["reading", "working"])).height
    reward = float(desk.served.server["reward"])
    rounds = -(-items.open // max(desk.served.whole_round, 1))
    rows = [
        [
            DeskCell("At work now"),
            number(working),
            number(items.held),
            DeskCell(amount(desk, working * reward), number=True),
        ],
        [
            DeskCell("Still to come"),
            number(rounds),
            number(items.open),
            DeskCell(amount(desk, short_pay(desk.served, items.open)[0]), number=True),
        ],
    ]
    left = items.open + items.held
    about = []
    if left and in_a_day:
        days = left / in_a_day
        when = f"{days:.1f} days" if days >= 1 else f"{max(24 * days, 1):.0f} hours"
        about.append(
            f"At the pace of the last day ({counted(in_a_day, 'item')}), the rest takes {when}."
        )
    elif left:
        about.append("Nothing was answered in the last day, so the end cannot be forecast.")
    else:
        about.append("Every place is taken: nothing more is to come.")
    return DeskPart("Forecast", about, ("People", "Number", "Items", "Cost"), rows)


async def show_log(request: Request) -> Response:
    """Show what was done at the desk and by commands: counts, no people."""
    visitor, desk = await visitor_of(request), desk_of(request)

    def read() -> list[DeskAction]:
        with desk.reader.begin() as connection:
            return actions_so_far(connection)

    actions = await run_in_threadpool(read)
    rows = [
        [
            DeskCell(moment(one.made)),
            DeskCell(one.by),
            DeskCell(one.what),
            number(one.people),
            number(one.answers),
        ]
        for one in reversed(actions)
    ]
    about = [
        "Every decision, download and look at results is counted here, names nobody, and is "
        "printed in the report. Nothing can be removed."
    ]
    columns = ("When", "By", "What", "People", "Answers")
    part = DeskPart("What was done", about, columns, rows, empty="Nothing yet.")
    return desk_page(
        request, visitor, "parts", here="log", heading="Log", as_of="", parts=[part], pager=[]
    )


async def show_downloads(request: Request) -> Response:
    """Offer the ratings as files."""
    visitor = await owner_of(request)
    return desk_page(
        request,
        visitor,
        "download",
        here="download",
        formats=[(f"ratings.{key}", name) for key, name in DOWNLOADS.items()],
    )


async def download(request: Request) -> Response:
    """Return the valid ratings, as `plausibly read` would: pseudonyms, and no platform's ids."""
    visitor, desk = await owner_of(request), desk_of(request)
    form, now = request.path_params["form"], desk.clock()
    if form not in DOWNLOADS:
        raise RequestProblem(404)
    result = await kept(desk, "progress", _progress)
    look = DeskAction(now, visitor.role, "downloaded the ratings", None, result.value.total.rated)
    await desk.write(lambda connection: log_action(connection, look))
    response = ratings_stream(desk, form=form, everything=False)
    response.headers["Content-Disposition"] = f'attachment; filename="ratings.{form}"'
    return response
