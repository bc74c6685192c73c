"""Everybody in the study, and one person with their answers; for the owner alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

import polars as pl
from sqlalchemy import Connection, Row, text
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from plausibly.ratings.answers import Answer
from plausibly.ratings.seen import Called
from plausibly.ratings.served import Served, passes
from plausibly.ratings.store.pausing import gate_of
from plausibly.ratings.store.roster import roster
from plausibly.ratings.store.verdicts import INCOMPLETE, UNCHECKED
from plausibly.web.context import Desk, RequestProblem, desk_of
from plausibly.web.desk.access import owner_of
from plausibly.web.desk.blinding import called, is_hidden
from plausibly.web.desk.cache import Kept, kept
from plausibly.web.desk.showing import (
    WORDS,
    DeskCell,
    DeskPart,
    amount,
    as_of,
    columns_of,
    desk_page,
    flat,
    minute,
    number,
    short_name,
)
from plausibly.web.locale.texts import Texts

ROWS = 100  # people on one page
# Columns of the roster that are shown: of everybody, and of one person.
SHOWN = (
    *("annotator", "state", "items", "failed", "seconds_per_item"),
    *("list", "flags", "data", "pay", "joined"),
)
FACTS = (
    *("state", "joined", "source", "channel", "list", "items", "passed", "failed"),
    *("seconds", "seconds_per_item", "flags", "data", "pay", "amount", "reason"),
)
NUMBERS = ("items", "failed", "seconds_per_item")
NAMED = ("state", "channel", "data", "pay", "reason")
FILTERS = ("state", "data", "pay")
STANDING, GONE = "standing", ("excluded", "withdrawn")  # whose answers may count, and who is out
ANY, SEPARATOR = "any", ", "  # any flag; between two flags of a person
_ANSWERS = text(
    """
    SELECT slots.item, slots.batch, slots.position, slots.state, slots.cause, items.kind,
           submissions.step, answers.question, answers.candidate, answers.answer, answers.value,
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
    ORDER BY slots.batch, slots.position, submissions.step, answers.question, answers.candidate
    """
)


async def everybody(desk: Desk) -> Kept[pl.DataFrame]:
    """Return everybody, as `people list` does."""
    served, now = desk.served, desk.clock()
    return await kept(desk, "roster", lambda connection: roster(connection, served, now=now))


async def list_people(request: Request) -> Response:
    """Show everybody: sorted, filtered, some at a time."""
    visitor, desk = await owner_of(request), desk_of(request)
    texts, counts = desk.texts, await everybody(desk)
    asked = {key: one for key, one in request.query_params.items() if one}
    rows = _filtered(counts.value, asked)
    sort = asked.get("sort", "joined")
    if sort not in SHOWN:
        raise RequestProblem(422, texts("desk.unusable"))
    down = asked.get("down", "1" if "sort" not in asked else "") == "1"
    rows = rows.sort([sort, "annotator"], descending=[down, False], nulls_last=True)
    page = int(asked["page"]) if asked.get("page", "").isdecimal() else 1
    page = max(1, min(page, -(-rows.height // ROWS)))
    shown = rows.slice((page - 1) * ROWS, ROWS)
    columns = [key for key in SHOWN if key != "list" or desk.served.surveys]
    addresses = [
        _address(asked, sort=key, down="" if key == sort and down else "1") for key in columns
    ]
    return desk_page(
        request,
        visitor,
        "people",
        here="people",
        talk=_talk(texts, counts.value),
        as_of=as_of(desk, counts),
        filters=[
            *(_filter(texts, counts.value, key, asked.get(key, "")) for key in FILTERS),
            _flags(texts, counts.value, asked.get("flag", "")),
        ],
        sorted_by=sort,
        down=down,
        columns=list(zip(columns, columns_of(texts, "people", *columns), addresses, strict=True)),
        numbers=NUMBERS,
        people=[_cells(texts, row, columns) for row in shown.iter_rows(named=True)],
        count=texts.counted("desk.people", rows.height),
        pager=_pager(texts, asked, page, rows.height),
    )


def _talk(texts: Texts, rows: pl.DataFrame) -> str:
    """Return how many people are in each state."""
    states = Counter(rows["state"].to_list())
    if not states:
        return texts("desk_people.nobody_yet")
    named = ", ".join(
        texts("desk_people.in_state", count=texts.desk_number(n), state=texts.word(state))
        for state, n in sorted(states.items())
    )
    return texts.counted("desk_people.talk", rows.height, states=named)


def _filter(
    texts: Texts, rows: pl.DataFrame, key: str, chosen: str
) -> tuple[str, str, list[tuple[str, str]], str]:
    """Return a filter: its column, its name, its values with their names, the one chosen.

    What is chosen is among the values even if it is true of nobody any more.
    """
    there = {*rows[key].drop_nulls(), chosen} - {"", STANDING}
    offered = key == "data" and (chosen == STANDING or there & set(GONE))
    more = [STANDING] if offered else []
    values = [(one, texts.word(one)) for one in (*more, *sorted(there))]
    return key, texts(f"desk_people.{key}"), values, chosen


def _filtered(rows: pl.DataFrame, asked: dict[str, str]) -> pl.DataFrame:
    for key in FILTERS:
        if asked.get(key) == STANDING:
            rows = rows.filter(~pl.col(key).is_in(GONE))
        elif key in asked:
            rows = rows.filter(pl.col(key) == asked[key])
    if "flag" not in asked:
        return rows
    if asked["flag"] == ANY:
        return rows.filter(pl.col("flags") != "")
    return rows.filter(pl.col("flags").str.split(SEPARATOR).list.contains(asked["flag"]))


def _flags(
    texts: Texts, rows: pl.DataFrame, chosen: str
) -> tuple[str, str, list[tuple[str, str]], str]:
    """Return the filter by flag: any of them, or one."""
    found = {one for flags in rows["flags"] for one in flags.split(SEPARATOR)}
    there = {*found, chosen} - {"", ANY}
    values = [(ANY, texts("desk_people.any")), *((one, texts.word(one)) for one in sorted(there))]
    return "flag", texts("desk_people.flags"), values, chosen


def _address(asked: dict[str, str], **changed: str) -> str:
    kept_too = {key: one for key, one in asked.items() if key != "page"}
    return f"people?{urlencode({**kept_too, **changed})}"


def _pager(texts: Texts, asked: dict[str, str], page: int, found: int) -> list[tuple[str, str]]:
    pages = []
    if page > 1:
        pages.append((_address(asked, page=str(page - 1)), texts("desk.before", count=ROWS)))
    if page * ROWS < found:
        pages.append((_address(asked, page=str(page + 1)), texts("desk.next", count=ROWS)))
    return pages


def _cells(texts: Texts, row: dict[str, Any], columns: Iterable[str]) -> list[tuple[str, str, str]]:
    """Return each column of a person: its name, its text, and where it leads."""
    values = _values(texts, row) | {"annotator": short_name(row["annotator"])}
    address = f"person?{urlencode({'name': row['annotator']})}"
    return [(key, values[key], address if key == "annotator" else "") for key in columns]


def _values(texts: Texts, row: dict[str, Any]) -> dict[str, str]:
    """Return what is known about a person, in words."""
    values = {key: flat(one) for key, one in row.items()}
    values |= {key: texts.word(values[key]) for key in NAMED}
    times = {key: row[key] for key in ("seconds", "seconds_per_item") if row[key] is not None}
    values |= {key: texts.desk_number(one, 1) for key, one in times.items()}
    if row["seconds_per_item"] is None:
        values["seconds"] = ""  # nothing was answered
    flags = [texts.word(one) for one in values["flags"].split(SEPARATOR)]
    return values | {"flags": SEPARATOR.join(flags), "joined": minute(row["joined"])}


async def show_person(request: Request) -> Response:
    """Show one person: where they are, what they answered, and how long each item took."""
    visitor, desk = await owner_of(request), desk_of(request)
    texts, name = desk.texts, request.query_params.get("name", "")
    matching = (await everybody(desk)).value.filter(pl.col("annotator") == name)
    if matching.is_empty():
        raise RequestProblem(404)
    person = matching.row(0, named=True)
    withdrew = person["data"] == "withdrawn"
    rows = [] if withdrew else await run_in_threadpool(_answers_of, desk, name)
    values = _values(texts, person) | {"amount": amount(desk, person["amount"])}
    names = ("place", "item", "question", "answer", "seconds", "note", "comment")
    part = DeskPart(
        texts("desk_person.answers"),
        columns=columns_of(texts, "person", *names),
        rows=rows,
        empty=texts(f"desk_person.{'withdrew' if withdrew else 'none'}"),
    )
    return desk_page(
        request,
        visitor,
        "person",
        here="people",
        name=name,
        facts=[(texts(f"desk_people.{key}"), values[key]) for key in FACTS if values[key]],
        part=part,
        can_exclude=person["data"] in ("used", INCOMPLETE, "unconfirmed", "held", "none")
        and person["state"] not in ("invited", "screened out"),
        restore=texts(f"desk_person.{'release' if person['data'] == 'held' else 'restore'}"),
        can_restore=person["data"] in ("excluded", "held") or person["state"] == "screened out",
    )


def _answers_of(desk: Desk, name: str) -> list[list[DeskCell]]:
    with desk.reader.begin() as connection:
        hidden = is_hidden(desk, gate_of(connection))
        return answer_rows(connection, desk.served, name, desk.texts, hidden=hidden)


def answer_rows(
    connection: Connection, served: Served, name: str, texts: Texts, *, hidden: bool = False
) -> list[list[DeskCell]]:
    """Return a person's latest answers, in the order in which items were shown.

    Hidden candidates have numbers, those of a download.
    """
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
    asked = {question.id: place for place, question in enumerate(served.form.questions)}
    shown = []
    for (_, _, item, _), group in groupby(
        rows, lambda row: (row.batch, row.position, row.item, row.step)
    ):
        names = called(served, item) if hidden else None
        to = names.to if names else {}
        answered = sorted(
            group, key=lambda row: (asked.get(row.question, -1), int(to.get(row.candidate, 0)))
        )
        shown += _page_rows(answered, served, verdicts.get(item), texts, names)
    return shown


def _page_rows(
    rows: Sequence[Row[Any]],
    served: Served,
    passed: bool | None,
    texts: Texts,
    names: Called | None,
) -> list[list[DeskCell]]:
    """Return the answers of one page; what is about all of them is in one cell."""
    page, span = rows[0], len(rows)
    content = served.contents.get(page.item)
    text = content.text if content else page.item
    seconds = max(page.submitted - page.shown, 0.0) / page.together
    place = f"{page.batch}.{page.position}"
    if served.form.steps > 1:
        place = texts("desk_person.step", place=place, step=page.step)
    before = [DeskCell(place), DeskCell(text, kind=WORDS)]
    after = [
        number(texts, seconds, 1),
        DeskCell("; ".join(_notes(texts, page, passed))),
        DeskCell(flat(page.comment), kind=WORDS if page.comment else ""),
    ]
    shown = []
    for row in rows:
        candidate, answer = row.candidate, row.answer
        if names is not None and answer is not None:
            candidate, answer = names.to.get(candidate, ""), names.answer(row.question, answer)
        asked = f"{row.question} ({candidate})" if candidate else row.question
        shown.append([DeskCell(flat(asked)), DeskCell(flat(answer))])
    about = ([replace(one, span=span) for one in cells] for cells in (before, after))
    shown[0] = [*next(about), *shown[0], *next(about)]
    return shown


def _notes(texts: Texts, row: Row[Any], passed: bool | None) -> list[str]:
    """Return what to know about an answer."""
    notes = []
    if row.kind not in UNCHECKED:
        verdict = "" if passed is None else "_passed" if passed else "_failed"
        notes.append(texts(f"desk_person.check{verdict}"))
    if row.kind == "retest":
        notes.append(texts("desk_person.again"))
    if row.cause:
        cause = "desk_person.too_few" if row.cause == INCOMPLETE else f"desk_word.{row.cause}"
        notes.append(texts("desk_person.void", cause=texts(cause)))
    if row.revision > 1:
        notes.append(texts.counted("desk_person.changed", row.revision - 1))
    return notes
