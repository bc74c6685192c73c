"""Who takes part: where each person is, what they did, and both verdicts on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import polars as pl
from sqlalchemy import Connection, Row, func, select

from plausibly.ratings.served import Served
from plausibly.ratings.store.checking import check_results
from plausibly.ratings.store.offers import short_pay
from plausibly.ratings.store.reading import iso
from plausibly.ratings.store.schema import (
    admitted,
    exclusions,
    items,
    people,
    screened,
    slots,
    submissions,
)
from plausibly.ratings.store.verdicts import INCOMPLETE, PLATFORM

COLUMNS: Mapping[str, Any] = {
    "annotator": pl.String(),
    "state": pl.String(),
    "source": pl.String(),
    "channel": pl.String(),
    "joined": pl.String(),
    "items": pl.Int64(),
    "passed": pl.Int64(),
    "failed": pl.Int64(),
    "seconds": pl.Float64(),
    "seconds_per_item": pl.Float64(),
    "list": pl.String(),
    "flags": pl.String(),
    "data": pl.String(),
    "pay": pl.String(),
    "amount": pl.Float64(),
    "reason": pl.String(),
}


@dataclass
class _Work:
    """What one person has done."""

    items: int = 0
    held: int = 0
    counted: int = 0
    incomplete: int = 0
    passed: int = 0
    failed: int = 0
    lists: set[str] = field(default_factory=set)
    seconds: list[float] = field(default_factory=list)


def roster(connection: Connection, served: Served, *, now: float) -> pl.DataFrame:
    """Return one row per person, whether they were only invited or have finished.

    `data` is the verdict on their answers (used, incomplete, excluded, withdrawn, unconfirmed,
    held, none), `pay` the one on their work (pay, part, return, none): neither follows from the
    other.
    """
    works = _works(connection, served, now)
    reasons: dict[str, list[str]] = {}
    active = select(exclusions).where(exclusions.c.undone.is_(None)).order_by(exclusions.c.number)
    for row in connection.execute(active):
        reasons.setdefault(row.annotator, []).append(row.reason)
    out = set(connection.scalars(select(screened.c.annotator).where(screened.c.undone.is_(None))))
    joined = {row.annotator: row for row in connection.execute(select(people))}
    doors = dict(connection.execute(select(admitted.c.annotator, admitted.c.door)).all())
    rows = []
    for annotator in sorted({*joined, *doors, *out}):
        person, work = joined.get(annotator), works.get(annotator, _Work())
        about = reasons.get(annotator, [])
        state = _state(person, work, about, is_out=annotator in out)
        rows.append(_row(annotator, person, work, (state, about), served))
    return pl.DataFrame(rows, schema=COLUMNS)


def _state(person: Row[Any] | None, work: _Work, reasons: Sequence[str], *, is_out: bool) -> str:
    """Return where a person is."""
    if person is not None and (
        person.withdrew is not None or any(one.startswith(PLATFORM) for one in reasons)
    ):
        return "returned"
    if is_out:
        return "screened out"
    if person is None:
        return "invited"
    if person.finished is not None:
        return "finished"
    if not work.held:
        return "idle"
    return "working" if work.items else "reading"


def _row(
    annotator: str,
    person: Row[Any] | None,
    work: _Work,
    verdict: tuple[str, Sequence[str]],
    served: Served,
) -> dict[str, Any]:
    state, reasons = verdict
    each = median(work.seconds) if work.seconds else None
    pay, amount = _pay(person, work, state, served)
    unpaid = person.unpaid if person is not None else None
    return {
        "annotator": annotator,
        "state": state,
        "source": person.source if person is not None else None,
        "channel": person.channel if person is not None else None,
        "joined": iso(person.joined) if person is not None else None,
        "items": work.items,
        "passed": work.passed,
        "failed": work.failed,
        "seconds": round(sum(work.seconds), 1),
        "seconds_per_item": None if each is None else round(each, 2),
        "list": ", ".join(sorted(work.lists)) or None,
        "flags": ", ".join(_flags(person, work, each, served)),
        "data": _data(person, work, reasons),
        "pay": pay,
        "amount": amount,
        "reason": unpaid or "; ".join(dict.fromkeys(reasons)) or None,
    }


def _data(person: Row[Any] | None, work: _Work, reasons: Sequence[str]) -> str:
    """Return the verdict on a person's answers."""
    if person is None:
        return "none"
    if not work.items:
        waits = person.held is not None and person.withdrew is None and not reasons
        return "held" if waits else "none"
    if person.withdrew is not None:
        return "withdrawn"
    if reasons:
        return "excluded"
    if person.held is not None or person.confirmed is None:
        return "unconfirmed" if person.held is None else "held"
    return INCOMPLETE if work.incomplete and not work.counted else "used"


def _pay(person: Row[Any] | None, work: _Work, state: str, served: Served) -> tuple[str, float]:
    """Return the verdict on a person's work, and what it is paid."""
    if person is None or not work.items:
        return "none", 0.0
    if person.unpaid is not None:
        return "return", 0.0
    reward = float(served.server["reward"])
    if person.finished is not None:
        return "pay", reward if person.short is None else short_pay(served, person.short)[0]
    if state in {"working", "reading"}:
        return "none", 0.0
    amount, _ = short_pay(served, work.items)
    return "part", min(amount, reward) if reward else amount


def _flags(person: Row[Any] | None, work: _Work, each: float | None, served: Served) -> list[str]:
    """Return what a researcher should look at; a flag changes nothing by itself."""
    if person is None:
        return []
    least = float(served.server["min_seconds"])
    flags = {
        "fast": each is not None and each < least,
        "failed check": work.failed > 0,
        "short round": person.short is not None,
        "unconfirmed": person.confirmed is None and person.held is None,
        f"held: {person.held}": person.held is not None,
        "api": person.channel == "api",
    }
    return [name for name, raised in flags.items() if raised]


def _works(connection: Connection, served: Served, now: float) -> dict[str, _Work]:
    """Return what everybody has done, from a few statements over all of them."""
    works: dict[str, _Work] = {}
    judged = items.c.kind == "item"
    placed = (
        select(
            slots.c.annotator,
            func.count().filter(judged, slots.c.revision > 0),
            func.count().filter(slots.c.state == "reserved", slots.c.expires >= now),
            func.count().filter(judged, slots.c.state.in_(("answered", "accepted"))),
            func.count().filter(judged, slots.c.cause == INCOMPLETE),
        )
        .join(items, items.c.item == slots.c.item)
        .group_by(slots.c.annotator)
    )
    for annotator, *counts in connection.execute(placed):
        works[annotator] = _Work(*counts)
    lists = select(slots.c.annotator, slots.c.survey).where(slots.c.survey.is_not(None)).distinct()
    for annotator, survey in connection.execute(lists):
        works[annotator].lists |= {survey} if survey else set()
    spent = (
        select(submissions.c.annotator, submissions.c.item)
        .add_columns(
            func.sum((submissions.c.submitted - submissions.c.shown) / submissions.c.together)
        )
        .where(submissions.c.revision == 1)
        .group_by(submissions.c.annotator, submissions.c.item)
    )
    for annotator, _, seconds in connection.execute(spent):
        works[annotator].seconds.append(float(seconds))
    for (_, annotator), passed in check_results(connection, served, withdrawn=False).items():
        works[annotator].passed += passed
        works[annotator].failed += not passed
    return works
