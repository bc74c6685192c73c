"""Pages about the answers: agreement, means by condition, checks, order and fatigue."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
from plausibly.ratings.store.overview import placed_answers, places_kept
from plausibly.ratings.store.pausing import CLOSED, gate_of
from plausibly.ratings.store.schema import exclusions, people
from plausibly.ratings.store.verdicts import UNCHECKED
from plausibly.web.context import Desk, desk_of
from plausibly.web.desk.access import Visitor, visitor_of
from plausibly.web.desk.blinding import is_hidden
from plausibly.web.desk.cache import kept
from plausibly.web.desk.showing import (
    SPAN,
    WORDS,
    DeskCell,
    DeskPart,
    columns_of,
    interval,
    number,
    parts_page,
    percent,
    share,
    too_few_left_out,
)
from plausibly.web.locale.texts import Texts

PERCENT = "percent_agreement"
PSEUDONYM = re.compile(r"\bp[0-9a-f]{20}\b")
OUT = ""  # what people excluded for another reason than a check failed, besides checks
MEASURES = f"krippendorff_alpha,{PERCENT}"
LOOKED, LOOKED_AT_MEANS = "looked at agreement", "looked at means by condition"


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
    texts = desk.texts
    counts = await kept(desk, "agreement", lambda connection: _agreements(desk, connection))
    agreements = counts.value
    await _log(desk, visitor, LOOKED, agreements.ratings)
    rows = [
        [
            DeskCell(row["question"]),
            DeskCell(texts.word(row["name"])),
            number(texts, row["value"], 2),
            interval(texts, row["low"], row["high"]),
            number(texts, row["n"]),
            DeskCell(_note(row["reason"], visitor), kind=WORDS if row["reason"] else ""),
        ]
        for row in agreements.rows
    ]
    names = ("question", "measure", "value", "interval", "items", "note")
    overall = DeskPart(
        texts("desk_agreement.overall"),
        [texts.counted("desk_agreement.over", agreements.ratings), *too_few_left_out(desk)],
        columns_of(texts, "agreement", *names),
        rows,
        empty=_note(" ".join(agreements.notes), visitor) or texts("desk_agreement.too_few"),
    )
    parts = [overall, await _means(desk, visitor, agreements)]
    return parts_page(request, visitor, "agreement", parts, counts=counts)


def _note(reason: str | None, visitor: Visitor) -> str:
    """Return why something is missing; viewers do not learn who is meant.

    >>> _note("annotators p0a1b2c3d4e5f6a7b8c9d and p00 share no item", Visitor("viewer", ""))
    'annotators … and p00 share no item'
    """
    return reason or "" if visitor.is_owner else PSEUDONYM.sub("…", reason or "")


async def _means(desk: Desk, visitor: Visitor, agreements: Agreements) -> DeskPart:
    texts = desk.texts
    heading, means = texts("desk_agreement.means"), agreements.means
    if is_hidden(desk, agreements.gate):
        return DeskPart(heading, [texts("desk.hidden")])
    if means is None:
        split = any(one.condition for one in desk.served.contents.values())
        return DeskPart(
            heading, [texts(f"desk_agreement.{'waiting' if split else 'no_conditions'}")]
        )
    await _log(desk, visitor, LOOKED_AT_MEANS, agreements.ratings)
    shares = _has_answers(means)
    rows = [
        [
            DeskCell(row["question"]),
            DeskCell(row["condition"] or texts("desk.no_condition")),
            *([DeskCell(row["answer"] or texts("desk_agreement.mean"))] if shares else []),
            number(texts, row["value"], 2),
            interval(texts, row["low"], row["high"]),
            number(texts, row["ratings"]),
        ]
        for row in means
    ]
    answer = ("answer",) if shares else ()
    names = ("question", "condition", *answer, "value", "interval", "ratings")
    columns = columns_of(texts, "agreement", *names)
    empty = texts("desk_agreement.no_conditions")
    return DeskPart(heading, columns=columns, rows=rows, empty=empty)


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
    asked = {one.id: place for place, one in enumerate(desk.served.form.questions)}
    heads = {name: one.headline for name, one in agreed.scales.items()}
    rows = [
        {**row, "name": report.MEASURES.get(row["measure"], row["measure"])}
        for row in agreed.scores.to_dicts()
        if row["measure"] in (heads.get(row["question"]), PERCENT)
    ]
    rows.sort(key=lambda row: asked.get(row["question"], len(asked)))
    shown = gate == CLOSED or bool(desk.served.desk.get("effects"))
    if not shown or is_hidden(desk, gate):
        return Agreements(gate, judged.height, rows, None)
    conditions = {item: one.condition for item, one in desk.served.contents.items()}
    source = pl.col("item").str.replace(r"#[^#]*$", "")
    split = judged.with_columns(
        condition=source.replace_strict(conditions, default=None, return_dtype=pl.String)
    ).drop_nulls("condition")
    means = describe(split, by="condition", questions=questions).means if split.height else None
    described = [] if means is None else means.to_dicts()
    described.sort(key=lambda row: asked.get(row["question"], len(asked)))
    return Agreements(gate, judged.height, rows, described)


def _path(desk: Desk) -> Path:
    return Path(str(desk.reader.url.database))


async def show_checks(request: Request) -> Response:
    """Show how often each check was failed, and by people who are good otherwise."""
    visitor, desk = await visitor_of(request), desk_of(request)
    texts = desk.texts
    counts = await kept(desk, "checks", lambda connection: _checks(desk, connection))
    rows = [
        [
            DeskCell(desk.served.contents[row["item"]].text, kind=WORDS),
            DeskCell(row["expected"] or ""),
            number(texts, row["answered"]),
            share(row["failed"], row["answered"]),
            number(texts, row["good"]),
            share(row["failed_by_good"], row["good"]),
            DeskCell(texts("desk_checks.flag"), kind=SPAN) if row["flag"] else DeskCell(""),
        ]
        for row in counts.value
    ]
    wrong = sum(row["flag"] is not None for row in counts.value)
    about = [texts("desk_checks.about")]
    about += [texts.counted("desk_checks.wrong", wrong)] if wrong else []
    names = ("check", "expected", "answered", "failed", "good", "failed_by_good", "note")
    part = DeskPart(
        texts("desk_checks.checks"),
        about,
        columns_of(texts, "checks", *names),
        rows,
        empty=texts("desk_checks.none"),
    )
    return parts_page(request, visitor, "checks", [part], counts=counts)


def _checks(desk: Desk, connection: Connection) -> list[dict[str, Any]]:
    from plausibly.cleaning.verdicts import judged_checks

    results = check_results(connection, desk.served, withdrawn=False)
    answered: dict[str, list[str]] = {}
    failures: dict[str, set[str]] = {}
    for (item, name), passed in results.items():
        answered.setdefault(item, []).append(name)
        if not passed:
            failures.setdefault(name, set()).add(item)
    others = (exclusions.c.undone.is_(None), exclusions.c.item.is_(None))
    out = set(connection.scalars(select(exclusions.c.annotator).where(*others)))
    for name in out & failures.keys():
        failures[name].add(OUT)
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
    """How answers and times change in the course of a session.

    Args:
        rows: One row per stretch of places.
        answered: Whether anybody has answered.
        left_out: How many answers are not among them: no numbers, or somebody's only answer.
        question: The question they answer.
        places: Each place with how many people were given it and how many answered.
    """

    rows: list[dict[str, Any]]
    answered: bool
    left_out: int
    question: str
    places: list[tuple[int, int, int]]


async def show_order(request: Request) -> Response:
    """Show whether people answer differently, faster or not at all later on."""
    visitor, desk = await visitor_of(request), desk_of(request)
    now = desk.clock()
    counts = await kept(desk, "order", lambda connection: _fatigue(desk, connection, now))
    several = sum(one.type != "text" for one in desk.served.form.questions) > 1
    order = _order(desk.texts, counts.value, several=several)
    parts = [order, _unanswered(desk.texts, counts.value)]
    return parts_page(request, visitor, "order", parts, counts=counts)


def _order(texts: Texts, fatigue: Fatigue, *, several: bool) -> DeskPart:
    """Return answers and times by place in a session, or why they are not shown.

    Where several questions are asked, the one that is shown is named.
    """
    heading = texts("desk_order.order")
    if not fatigue.rows:
        why = "desk_order.unknown" if fatigue.answered else "desk.nobody_answered"
        return DeskPart(heading, [texts(why)])
    rows = [
        [
            DeskCell(_places(texts, row), kind=SPAN),
            number(texts, row["mean"], 2),
            number(texts, row["seconds"], 1),
            number(texts, row["n"]),
        ]
        for row in fatigue.rows
    ]
    about = [texts("desk_order.about")]
    if several:
        about.append(texts("desk_order.question", question=fatigue.question))
    if fatigue.left_out:
        about.append(texts.counted("desk_order.left_out", fatigue.left_out))
    columns = columns_of(texts, "order", "places", "mean", "seconds", "answers")
    return DeskPart(heading, about, columns, rows, svg=_drawn(texts, fatigue.rows))


def _places(texts: Texts, row: Mapping[str, Any]) -> str:
    """Return the places of a session that a row is about: a range, or one place."""
    if row["first"] == row["last"]:
        return str(row["first"])
    return texts("desk.range", low=row["first"], high=row["last"])


def _drawn(texts: Texts, rows: list[dict[str, Any]]) -> str:
    """Return answers by place in a session as a drawing."""
    from plausibly.analysis.figures import order_drawing

    def name(row: Mapping[str, Any]) -> str:
        ends = {"low": row["first"], "high": row["last"]}
        kind = "single" if row["first"] == row["last"] else "span"
        return texts(f"desk_order.{kind}", **ends, count=texts.desk_number(row["n"]))

    words = {"title": texts("desk_order.order"), "scale": texts("desk_order.axis")}
    return order_drawing(rows, name, **words, number=texts.desk_number)


def _unanswered(texts: Texts, fatigue: Fatigue) -> DeskPart:
    """Return how many places were given and left without an answer."""
    rows = [
        [DeskCell(str(place)), number(texts, given), share(given - answered, given)]
        for place, given, answered in fatigue.places
    ]
    lost = sum(given - answered for _, given, answered in fatigue.places)
    whole = sum(given for _, given, _ in fatigue.places)
    return DeskPart(
        texts("desk_order.lost"),
        [texts("desk_order.lost_share", share=percent(lost, whole))] if whole else [],
        columns_of(texts, "order", "place", "given", "left"),
        rows,
        empty=texts("desk.nobody_answered"),
    )


def _fatigue(desk: Desk, connection: Connection, now: float) -> Fatigue:
    from plausibly.analysis.figures import order_figure

    places = places_kept(connection, now=now)
    answered = False
    for question in desk.served.form.questions:
        judged = placed_answers(connection, question.id)
        answered = answered or bool(judged.height)
        figure = order_figure(judged) if judged["value"].count() else None
        if figure is not None:
            rows = figure.table.to_dicts()
            left_out = judged.height - sum(row["n"] for row in rows)
            return Fatigue(rows, answered, left_out, question.id, places)
    return Fatigue([], answered, 0, "", places)
