"""Everybody in the study, and one person with their answers; for the owner alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

import polars as pl
from sqlalchemy import Connection, text
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from plausibly.ratings.answers import Answer
from plausibly.ratings.served import Served, passes
from plausibly.ratings.store.roster import roster
from plausibly.ratings.store.verdicts import UNCHECKED
from plausibly.web.context import Desk, RequestProblem, desk_of
from plausibly.web.desk.access import owner_of
from plausibly.web.desk.cache import Kept, kept
from plausibly.web.desk.showing import (
    DeskCell,
    DeskPart,
    amount,
    as_of,
    counted,
    desk_page,
    flat,
    number,
    short_name,
)
from plausibly.web.people.listing import PeopleList

ROWS = 100  # people on one page
# Columns of the roster that are shown, with their headings.
SHOWN = {
    "annotator": "Person",
    "state": "State",
    "items": "Items",
    "failed": "Failed checks",
    "seconds_per_item": "Seconds per item",
    "list": "List",
    "flags": "Flags",
    "data": "Answers",
    "pay": "Pay",
    "joined": "Joined",
}
FACTS = {
    "state": "State",
    "joined": "Joined",
    "source": "Source",
    "channel": "Channel",
    "list": "List",
    "items": "Items",
    "passed": "Checks passed",
    "failed": "Checks failed",
    "seconds": "Seconds",
    "seconds_per_item": "Seconds per item",
    "flags": "Flags",
    "data": "Answers",
    "pay": "Pay",
    "amount": "Due",
    "reason": "Reason",
}
NUMBERS = ("items", "failed", "seconds_per_item")
FILTERS = {"state": "State", "data": "Answers", "pay": "Pay"}
_ANSWERS = text(
    """
    SELECT slots.item, slots.batch, slots.position, slots.state, slots.cause, items.kind,
           answers.step, answers.question, answers.candidate, answers.answer, answers.value,
           submissions.revision, submissions.shown, submissions.submitted, submissions.together,
           submissions.comment
    FROM slots JOIN items ON items.item = slots.item
    JOIN submissions ON submissions.annotator = slots.annotator AND submissions.item = slots.item
    LEFT JOIN answers ON answers.annotator = submissions.annotator
         AND answers.item = submissions.item AND answers.step = submissions.step
         AND answers.revision = submissions.revision
    WHERE slots.annotator = :who AND submissions.revision = (
        SELECT max(later.revision) FROM submissions AS later
        WHERE later.annotator = submissions.annotator AND later.item = submissions.item
          AND later.step = submissions.step)
    ORDER BY slots.batch, slots.position, answers.step, answers.question, answers.candidate
    """
)


async def everybody(desk: Desk) -> Kept[pl.DataFrame]:
    """Return everybody, as `people list` does."""
    served, now = desk.served, desk.clock()
    return await kept(desk, "roster", lambda connection: roster(connection, served, now=now))


async def list_people(request: Request) -> Response:
    """Show everybody: sorted, filtered, some at a time."""
    visitor, desk = await owner_of(request), desk_of(request)
    result = await everybody(desk)
    asked = {key: one for key, one in request.query_params.items() if one}
    rows = _filtered(result.value, asked)
    sort = asked.get("sort", "joined")
    if sort not in SHOWN:
        raise RequestProblem(422)
    down = asked.get("down", "1" if "sort" not in asked else "") == "1"
    rows = rows.sort([sort, "annotator"], descending=[down, False], nulls_last=True)
    page = int(asked["page"]) if asked.get("page", "").isdecimal() else 1
    shown = rows.slice((page - 1) * ROWS, ROWS)
    columns = {key: name for key, name in SHOWN.items() if key != "list" or desk.served.surveys}
    return desk_page(
        request,
        visitor,
        "people",
        here="people",
        talk=PeopleList(result.value).talk,
        as_of=as_of(desk, result.made, result.answers),
        filters=[
            (key, name, sorted(result.value[key].unique().drop_nulls()), asked.get(key, ""))
            for key, name in FILTERS.items()
        ],
        flagged=asked.get("flagged", ""),
        sorted_by=sort,
        down=down,
        columns=[
            (key, name, _address(asked, sort=key, down="" if key == sort and down else "1"))
            for key, name in columns.items()
        ],
        numbers=NUMBERS,
        people=[_cells(row, columns) for row in shown.iter_rows(named=True)],
        found=counted(rows.height, "person", "people"),
        pager=_pager(asked, page, rows.height),
    )


def _filtered(rows: pl.DataFrame, asked: dict[str, str]) -> pl.DataFrame:
    for key in FILTERS:
        if key in asked:
            rows = rows.filter(pl.col(key) == asked[key])
    return rows.filter(pl.col("flags") != "") if asked.get("flagged") else rows


def _address(asked: dict[str, str], **changed: str) -> str:
    kept_too = {key: one for key, one in asked.items() if key != "page"}
    return f"people?{urlencode({**kept_too, **changed})}"


def _pager(asked: dict[str, str], page: int, found: int) -> list[tuple[str, str]]:
    pages = []
    if page > 1:
        pages.append((_address(asked, page=str(page - 1)), f"The {ROWS} before"))
    if page * ROWS < found:
        pages.append((_address(asked, page=str(page + 1)), f"The next {ROWS}"))
    return pages


def _cells(row: dict[str, Any], columns: Iterable[str]) -> list[tuple[str, str, str]]:
    """Return each column of a person: its name, its text, and where it leads."""
    texts = {key: flat(row[key]) for key in SHOWN}
    texts |= {"joined": _minute(row["joined"]), "annotator": short_name(row["annotator"])}
    address = f"person?{urlencode({'name': row['annotator']})}"
    return [(key, texts[key], address if key == "annotator" else "") for key in columns]


def _minute(joined: str | None) -> str:
    return (joined or "")[:16].replace("T", " ")


async def show_person(request: Request) -> Response:
    """Show one person: where they are, what they answered, and how long each item took."""
    visitor, desk = await owner_of(request), desk_of(request)
    name = request.query_params.get("name", "")
    result = await everybody(desk)
    found = result.value.filter(pl.col("annotator") == name)
    if found.is_empty():
        raise RequestProblem(404)
    person = found.row(0, named=True)
    withdrew = person["data"] == "withdrawn"
    rows = [] if withdrew else await run_in_threadpool(_answers_of, desk, name)
    texts = {key: flat(person[key]) for key in FACTS}
    texts |= {"joined": _minute(person["joined"]), "amount": amount(desk, person["amount"])}
    part = DeskPart(
        "Answers",
        columns=("Place", "Item", "Question", "Answer", "Seconds", "Note", "Comment"),
        rows=rows,
        empty="Nothing is shown of people who withdrew." if withdrew else "No answers yet.",
    )
    return desk_page(
        request,
        visitor,
        "person",
        here="people",
        name=name,
        facts=[(name, texts[key]) for key, name in FACTS.items() if texts[key]],
        part=part,
        can_exclude=person["data"] in ("used", "unconfirmed", "held", "none")
        and person["state"] not in ("invited", "screened out"),
        can_restore=person["data"] in ("excluded", "held") or person["state"] == "screened out",
    )


def _answers_of(desk: Desk, name: str) -> list[list[DeskCell]]:
    with desk.reader.begin() as connection:
        return answer_rows(connection, desk.served, name)


def answer_rows(connection: Connection, served: Served, name: str) -> list[list[DeskCell]]:
    """Return a person's latest answers, in the order in which items were shown."""
    rows = connection.execute(_ANSWERS, {"who": name}).all()
    checks: dict[str, list[Answer]] = {}
    for row in rows:
        if row.kind not in UNCHECKED and row.answer is not None:
            given = Answer(row.question, row.candidate, row.answer, row.value)
            checks.setdefault(row.item, []).append(given)
    verdicts = {
        item: passes(served.form, served.contents[item], tuple(given))
        for item, given in checks.items()
    }
    shown = []
    for row in rows:
        content = served.contents.get(row.item)
        notes = [_check_note(verdicts.get(row.item))] if row.kind not in UNCHECKED else []
        notes += ["shown a second time"] if row.kind == "retest" else []
        notes += [f"void: {row.cause}"] if row.cause else []
        notes += [f"changed {row.revision - 1} times"] if row.revision > 1 else []
        seconds = max(row.submitted - row.shown, 0.0) / row.together
        asked = f"{row.question} ({row.candidate})" if row.candidate else row.question
        shown.append(
            [
                DeskCell(f"{row.batch}.{row.position}"),
                DeskCell(content.text if content else row.item),
                DeskCell(flat(asked)),
                DeskCell(flat(row.answer)),
                number(seconds, 1),
                DeskCell("; ".join(one for one in notes if one)),
                DeskCell(flat(row.comment)),
            ]
        )
    return shown


def _check_note(passed: bool | None) -> str:
    return "check" if passed is None else "check passed" if passed else "check failed"
