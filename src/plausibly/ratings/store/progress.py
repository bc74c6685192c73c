"""How far a collection is: items, people, answers, checks, refusals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import polars as pl
from sqlalchemy import Connection, Engine, Row, case, func, select

from plausibly.ratings.retests import retest_report
from plausibly.ratings.served import Served
from plausibly.ratings.stopping import early_closing
from plausibly.ratings.store.changes import changes_so_far
from plausibly.ratings.store.checking import check_results
from plausibly.ratings.store.offers import short_pay
from plausibly.ratings.store.pausing import gate_of
from plausibly.ratings.store.reading import RATING_COLUMNS, iso, rating_rows, ratings_statement
from plausibly.ratings.store.rounds import current_round, rounds_so_far
from plausibly.ratings.store.schema import VERSION, exclusions, items, people, screened, slots
from plausibly.ratings.timing import hundred_seconds

_TYPES: dict[str, pl.DataType] = {
    "value": pl.Float64(),
    "seconds": pl.Float64(),
    "revision": pl.Int64(),
    "position": pl.Int64(),
}
LAST = 10  # people who came last


def progress(connection: Connection, served: Served) -> dict[str, Any]:
    """Return how far the collection is."""
    judged = items.c.kind == "item"
    number = current_round(connection)
    rows = connection.execute(select(items).where(judged, items.c.withdrawn == 0)).all()
    states: dict[str, int] = dict(
        connection.execute(select(slots.c.state, func.count()).group_by(slots.c.state)).all()
    )
    valid = _valid_ratings(connection)
    targets = Counter(row.target for row in rows)
    refused = connection.execute(
        select(items.c.item, items.c.refused).where(items.c.refused > 0).order_by(items.c.item)
    ).all()
    return {
        "gate": gate_of(connection),
        "round": number,
        "rounds": rounds_so_far(connection),
        "target": served.plan.target,
        "rule": served.plan.rule,
        "items": {
            "total": len(rows),
            "complete": sum(valid.get(row.item, 0) >= row.target for row in rows),
            "targets": {str(n): count for n, count in sorted(targets.items())},
            "withdrawn": connection.scalar(
                select(func.count()).select_from(items).where(items.c.withdrawn == 1)
            ),
            "ratings": {row.item: valid.get(row.item, 0) for row in rows},
        },
        "slots": {state: states.get(state, 0) for state in ("reserved", "answered", "accepted")}
        | {
            "void": states.get("void", 0),
            "open": sum(max(row.target - row.taken, 0) for row in rows if row.round == number),
        },
        "people": _people(connection),
        "last_arrivals": last_arrivals(connection, served),
        "changes": [asdict(change) for change in changes_so_far(connection)],
        "checks": _checks(connection, served),
        "refused": {
            "total": sum(count for _, count in refused),
            "items": dict(refused),
        },
        **_designs(connection, served),
    }


def _designs(connection: Connection, served: Served) -> dict[str, Any]:
    """Return what closing items early has saved, what repeats tell, and how long people take."""
    plan, question = served.plan, served.form.questions[0].id
    rows = rating_rows(connection.exec_driver_sql(ratings_statement(VERSION)).mappings())
    ratings = pl.DataFrame(
        list(rows), schema={name: _TYPES.get(name, pl.String()) for name in RATING_COLUMNS}
    )
    items_only = ratings.filter(pl.col("kind") == "item")
    fields: dict[str, Any] = {"seconds_per_100": hundred_seconds(items_only, served.sorts)}
    if plan.decided:
        asked = sum(one.kind == "item" for one in served.contents.values())
        fields["decided"] = early_closing(
            items_only, question=question, at_least=plan.decided, target=plan.target, items=asked
        )
    if plan.retest:
        fields["retests"] = retest_report(ratings, question=question)
    return fields


def _valid_ratings(connection: Connection) -> dict[str, int]:
    counted = select(slots.c.item, func.count()).where(slots.c.state.in_(("answered", "accepted")))
    return dict(connection.execute(counted.group_by(slots.c.item)).all())


def _people(connection: Connection) -> dict[str, int]:
    joined = connection.scalar(select(func.count()).select_from(people)) or 0
    done = select(func.count()).select_from(people).where(people.c.finished.is_not(None))
    out = select(func.count(exclusions.c.annotator.distinct())).where(exclusions.c.undone.is_(None))
    waiting = select(func.count()).select_from(people).where(people.c.confirmed.is_(None))
    held = select(func.count()).select_from(people).where(people.c.held.is_not(None))
    return {
        "joined": joined,
        "finished": connection.scalar(done) or 0,
        "excluded": connection.scalar(out) or 0,
        "unconfirmed": connection.scalar(waiting) or 0,
        "held": connection.scalar(held) or 0,
    }


def last_arrivals(connection: Connection, served: Served) -> list[dict[str, Any]]:
    """Return the people who came last, latest first: their items, and what they are paid.

    Not who withdrew or was screened out: nothing more comes of their rounds.
    """
    out = select(screened.c.annotator).where(screened.c.undone.is_(None))
    stays = (people.c.withdrew.is_(None), people.c.annotator.not_in(out))
    last = (people.c.joined.desc(), people.c.annotator)
    newest = select(people).where(*stays).order_by(*last).limit(LAST)
    rows = connection.execute(newest).all()
    names = [row.annotator for row in rows]
    judged = (slots.c.annotator.in_(names), items.c.kind == "item")
    lapsed = slots.c.cause == "lapsed"  # was given, too: pay is for the whole round
    counted = (
        select(slots.c.annotator, func.count().label("items"))
        .add_columns(func.sum(case((slots.c.revision > 0, 1), else_=0)).label("answered"))
        .join(items, items.c.item == slots.c.item)
        .where(*judged, (slots.c.state != "void") | (slots.c.revision > 0) | lapsed)
        .group_by(slots.c.annotator)
    )
    counts = {row.annotator: row for row in connection.execute(counted)}
    return [_arrival(row, counts.get(row.annotator), served) for row in rows]


def _arrival(person: Row[Any], count: Row[Any] | None, served: Served) -> dict[str, Any]:
    short = person.short is not None
    pay = short_pay(served, person.short)[0] if short else float(served.server["reward"])
    number = int(count.items) if count is not None else 0
    return {
        "annotator": person.annotator,
        "joined": iso(person.joined),
        "short": short,
        "items": number,
        "answered": int(count.answered) if count is not None else 0,
        "pay": pay,
        "pay_per_item": round(pay / number, 4) if number else None,
    }


def _checks(connection: Connection, served: Served) -> dict[str, dict[str, int]]:
    """Return how often each check was passed and failed, whoever's answers are void included."""
    counts: dict[str, dict[str, int]] = {}
    for (item, _), passed in check_results(connection, served, withdrawn=True).items():
        count = counts.setdefault(item, {"passed": 0, "failed": 0})
        count["passed" if passed else "failed"] += 1
    return counts


def waiting_ratings(connection: Connection) -> int:
    """Return how many ratings are in no table, as their people are held or not confirmed."""
    item = (items.c.item == slots.c.item) & (items.c.kind == "item") & (items.c.withdrawn == 0)
    waits = people.c.confirmed.is_(None) | people.c.held.is_not(None)
    person = (people.c.annotator == slots.c.annotator) & waits
    counted = select(func.count()).select_from(slots).join(items, item).join(people, person)
    valid = slots.c.state.in_(("answered", "accepted"))
    return int(connection.scalar(counted.where(valid)) or 0)


def ratings_count(connection: Connection) -> int:
    """Return how many rows `stream_ratings` yields: one per answer that counts."""
    counted = f"SELECT count(*) FROM ({ratings_statement(VERSION)})"  # noqa: S608
    return int(connection.exec_driver_sql(counted).scalar_one())


def stream_ratings(reader: Engine, *, everything: bool) -> Iterator[dict[str, Any]]:
    """Yield the ratings as they are now, one after the other; void ones if everything is asked."""
    with reader.begin() as connection:
        statement = ratings_statement(VERSION, everything=everything)
        yield from rating_rows(connection.exec_driver_sql(statement).mappings())
