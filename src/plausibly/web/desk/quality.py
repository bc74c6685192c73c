"""Pages about the answers: agreement, means by condition, checks, order and fatigue."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from sqlalchemy import Connection, select
from starlette.requests import Request
from starlette.responses import Response

from plausibly.errors import PlausiblyError
from plausibly.ratings.collected import read_answers
from plausibly.ratings.questions import question_tables
from plausibly.ratings.store.checking import check_results
from plausibly.ratings.store.desk import DeskAction, log_look
from plausibly.ratings.store.overview import places_kept
from plausibly.ratings.store.pausing import CLOSED, gate_of
from plausibly.ratings.store.schema import exclusions, people
from plausibly.ratings.store.verdicts import UNCHECKED
from plausibly.web.context import Desk, desk_of
from plausibly.web.desk.access import Visitor, visitor_of
from plausibly.web.desk.cache import kept
from plausibly.web.desk.collecting import HIDDEN, is_hidden
from plausibly.web.desk.showing import (
    NONE,
    DeskCell,
    DeskPart,
    as_of,
    counted,
    desk_page,
    number,
    percent,
    share,
)

PERCENT = "percent_agreement"
MEASURES = f"krippendorff_alpha,{PERCENT}"
LOOKED, LOOKED_AT_MEANS = "looked at agreement", "looked at means by condition"
WAITING = (
    "Means by condition are shown once the study is closed: looking at effects while people still "
    "answer, and stopping when they look right, makes chance results more likely. "
    "[desk] effects = true in study.toml shows them now; every look is logged and reported."
)


@dataclass(frozen=True, slots=True)
class Agreements:
    """How far people agree, and what items of each condition were answered.

    Args:
        gate: Whether the study takes people.
        ratings: How many ratings of items this is about.
        rows: One row per question and measure.
        means: One row per question and condition; None if they are not shown.
        notes: Why something is missing.
    """

    gate: str
    ratings: int
    rows: list[dict[str, Any]]
    means: list[dict[str, Any]] | None
    notes: tuple[str, ...] = ()


async def show_agreement(request: Request) -> Response:
    """Show how far people agree overall; means by condition only where that is allowed."""
    visitor, desk = await visitor_of(request), desk_of(request)
    result = await kept(desk, "agreement", lambda connection: _agreements(desk, connection))
    agreements = result.value
    await _log(desk, visitor, LOOKED, agreements.ratings)
    rows = [
        [
            DeskCell(row["question"]),
            DeskCell(row["name"]),
            number(row["value"], 2),
            DeskCell(NONE if row["low"] is None else f"{row['low']:.2f} to {row['high']:.2f}"),
            number(row["n"]),
            DeskCell(row["reason"] or ""),
        ]
        for row in agreements.rows
    ]
    parts = [
        DeskPart(
            "Overall",
            [f"Over {counted(agreements.ratings, 'rating')} of items; checks are not among them."],
            ("Question", "Measure", "Value", "95 % interval", "Items", "Note"),
            rows,
            empty=" ".join(agreements.notes) or "There are not enough answers yet.",
        )
    ]
    parts.append(await _means(desk, visitor, agreements))
    return desk_page(
        request,
        visitor,
        "parts",
        here="agreement",
        heading="Agreement",
        as_of=as_of(desk, result.made, result.answers),
        parts=parts,
        pager=[],
    )


async def _means(desk: Desk, visitor: Visitor, agreements: Agreements) -> DeskPart:
    heading = "Means by condition"
    if is_hidden(desk, agreements.gate):
        return DeskPart(heading, [HIDDEN])
    if agreements.means is None:
        return DeskPart(heading, [WAITING])
    await _log(desk, visitor, LOOKED_AT_MEANS, agreements.ratings)
    rows = [
        [
            DeskCell(row["question"]),
            DeskCell(row["condition"] or "none"),
            *([DeskCell(row["answer"] or "mean")] if _has_answers(agreements.means) else []),
            number(row["value"], 2),
            DeskCell(NONE if row["low"] is None else f"{row['low']:.2f} to {row['high']:.2f}"),
            number(row["ratings"]),
        ]
        for row in agreements.means
    ]
    answer = ("Answer",) if _has_answers(agreements.means) else ()
    columns = ("Question", "Condition", *answer, "Value", "95 % interval", "Ratings")
    return DeskPart(heading, columns=columns, rows=rows, empty="The items have no conditions.")


def _has_answers(means: list[dict[str, Any]]) -> bool:
    return any(row["answer"] for row in means)


async def _log(desk: Desk, visitor: Visitor, what: str, ratings: int) -> None:
    look = DeskAction(desk.clock(), visitor.role, what, None, ratings)
    await desk.write(lambda connection: log_look(connection, look))


def _agreements(desk: Desk, connection: Connection) -> Agreements:
    from plausibly.analysis import report  # scipy is loaded when somebody asks for it
    from plausibly.verbs.agree import agree
    from plausibly.verbs.describe import describe

    gate = gate_of(connection)
    ratings = read_answers(_path(desk), names={}).ratings
    judged = ratings.filter(pl.col("kind") == "item")
    if judged.is_empty():
        return Agreements(gate, 0, [], None)
    questions = question_tables(desk.served.folder, desk.served.form)
    try:
        agreed = agree(judged, measures=MEASURES, questions=questions)
    except PlausiblyError as error:
        return Agreements(gate, judged.height, [], None, (str(error),))
    heads = {name: one.headline for name, one in agreed.scales.items()}
    rows = [
        {**row, "name": report.MEASURES.get(row["measure"], row["measure"])}
        for row in agreed.scores.to_dicts()
        if row["measure"] in (heads.get(row["question"]), PERCENT)
    ]
    shown = gate == CLOSED or bool(desk.served.desk.get("effects"))
    if not shown or is_hidden(desk, gate):
        return Agreements(gate, judged.height, rows, None)
    conditions = {item: one.condition for item, one in desk.served.contents.items()}
    source = pl.col("item").str.replace(r"#[^#]*$", "")
    split = judged.with_columns(
        condition=source.replace_strict(conditions, default=None, return_dtype=pl.String)
    ).drop_nulls("condition")
    means = describe(split, by="condition", questions=questions).means if split.height else None
    return Agreements(gate, judged.height, rows, [] if means is None else means.to_dicts())


def _path(desk: Desk) -> Path:
    return Path(str(desk.reader.url.database))


async def show_checks(request: Request) -> Response:
    """Show how often each check was failed, and by people who are good otherwise."""
    visitor, desk = await visitor_of(request), desk_of(request)
    result = await kept(desk, "checks", lambda connection: _checks(desk, connection))
    rows = [
        [
            DeskCell(desk.served.contents[row["item"]].text),
            DeskCell(row["expected"] or ""),
            number(row["answered"]),
            share(row["failed"], row["answered"]),
            number(row["good"]),
            share(row["failed_by_good"], row["good"]),
            DeskCell(row["flag"] or ""),
        ]
        for row in result.value
    ]
    flagged = sum(row["flag"] is not None for row in result.value)
    about = [
        "Good people failed no other check and are not excluded. A check that they fail more "
        "often than slips explain is more likely wrong than they are."
    ]
    if flagged:
        about.append(f"{counted(flagged, 'check')} may be wrong. Look at the wording.")
    columns = ("Check", "Expected", "Answered", "Failed", "Good people", "Failed by them", "Note")
    return desk_page(
        request,
        visitor,
        "parts",
        here="checks",
        heading="Checks that good people fail",
        as_of=as_of(desk, result.made, result.answers),
        parts=[DeskPart("Checks", about, columns, rows, empty="No check has been answered yet.")],
        pager=[],
    )


def _checks(desk: Desk, connection: Connection) -> list[dict[str, Any]]:
    from plausibly.cleaning.verdicts import judged_checks

    results = check_results(connection, desk.served, withdrawn=False)
    answered: dict[str, list[str]] = {}
    failures: dict[str, set[str]] = {}
    for (item, name), passed in results.items():
        answered.setdefault(item, []).append(name)
        if not passed:
            failures.setdefault(name, set()).add(item)
    out = set(
        connection.scalars(select(exclusions.c.annotator).where(exclusions.c.undone.is_(None)))
    )
    good = set(connection.scalars(select(people.c.annotator))) - out
    contents = desk.served.contents
    checks = [
        (item, one.kind, one.expected)
        for item, one in contents.items()
        if one.kind not in UNCHECKED and item in answered
    ]
    rows = judged_checks(checks, answered, failures, good).to_dicts()
    return sorted(rows, key=lambda row: (row["flag"] is None, row["chance"] or 1.0, row["item"]))


@dataclass(frozen=True, slots=True)
class Fatigue:
    """How answers and times change in the course of a session."""

    rows: list[dict[str, Any]]
    svg: str
    caption: str
    places: list[tuple[int, int, int]]


async def show_order(request: Request) -> Response:
    """Show whether people answer differently, faster or not at all later on."""
    visitor, desk = await visitor_of(request), desk_of(request)
    result = await kept(desk, "order", lambda connection: _fatigue(desk, connection))
    timing = result.value
    rows = [
        [
            DeskCell(f"{row['first']} to {row['last']}"),
            number(row["mean"], 2),
            number(row["seconds"], 1),
            number(row["n"]),
        ]
        for row in timing.rows
    ]
    columns = ("Places", "Mean answer", "Seconds (median)", "Answers")
    parts = [DeskPart("Order and time", [timing.caption], columns, rows, svg=timing.svg)]
    left = [
        [DeskCell(str(place)), number(given), share(given - answered, given)]
        for place, given, answered in timing.places
    ]
    lost = sum(given - answered for _, given, answered in timing.places)
    whole = sum(given for _, given, _ in timing.places)
    parts.append(
        DeskPart(
            "Left unanswered, by place in the batch",
            [f"{percent(lost, whole)} of the places were given and left without an answer."],
            ("Place", "Given", "Left"),
            left,
            empty="Nobody has answered yet.",
        )
    )
    return desk_page(
        request,
        visitor,
        "parts",
        here="order",
        heading="Order and fatigue",
        as_of=as_of(desk, result.made, result.answers),
        parts=parts,
        pager=[],
    )


def _fatigue(desk: Desk, connection: Connection) -> Fatigue:
    from plausibly.analysis.figures import order_figure, unordered
    from plausibly.measures.timed import own_times

    places = places_kept(connection)
    ratings = read_answers(_path(desk), names={}).ratings
    judged = own_times(ratings.filter(pl.col("kind") == "item"))
    first = desk.served.form.questions[0].id
    judged = judged.filter(pl.col("question") == first)
    figure = order_figure(judged) if judged.height else None
    if figure is None:
        why = unordered(judged) if judged.height else "Nobody has answered yet."
        return Fatigue([], "", why, places)
    return Fatigue(figure.table.to_dicts(), figure.svg, figure.caption, places)
