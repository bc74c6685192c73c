"""Who gets which item: target, quota, no repeats and reservation, decided in one transaction."""

from __future__ import annotations

import hashlib
import math
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import (
    Connection,
    Row,
    Select,
    bindparam,
    func,
    insert,
    literal_column,
    select,
    update,
)

from plausibly.ratings.collection import Plan
from plausibly.ratings.served import Served
from plausibly.ratings.store.places import Denied, Slot, exclusions_of, void
from plausibly.ratings.store.rounds import current_round
from plausibly.ratings.store.schema import items, people, slots
from plausibly.ratings.store.screening import is_screened_out
from plausibly.ratings.store.verdicts import settle

# Statements that every answer needs are built once, not every time.
_MINE = slots.c.annotator == bindparam("who")
_PERSON = select(people).where(people.c.annotator == bindparam("who"))
_CONSENT = (
    update(people)
    .where(people.c.annotator == bindparam("who"), people.c.consented.is_(None))
    .values(consented=bindparam("now"))
)
_LATE = select(slots).where(
    slots.c.state == literal_column("'reserved'"),  # as the index on leases says it
    slots.c.expires < bindparam("now"),
)
_CURRENT = (
    select(slots)
    .where(_MINE, slots.c.state == "reserved")
    .order_by(slots.c.batch, slots.c.position)
    .limit(1)
)
_SHOW = update(slots).where(_MINE, slots.c.item == bindparam("what")).values(shown=bindparam("now"))
_BATCH = (
    select(slots.c.position, slots.c.reservation, slots.c.state)
    .where(_MINE, slots.c.batch == bindparam("group"))
    .where((slots.c.state != "void") | (slots.c.item == bindparam("what")))
    .order_by(slots.c.position)
)


@dataclass(frozen=True, slots=True)
class Joined:
    """A person who may take part."""

    annotator: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The item a person is to answer now, and where it stands in the batch."""

    item: str
    reservation: str
    batch: int
    position: int
    of: int
    answered: int
    previous: str | None


@dataclass(frozen=True, slots=True)
class Done:
    """Nothing is left for a person; `finished` if they rated any item at all."""

    finished: bool


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who wants to take part, known by a keyed hash."""

    annotator: str
    source: str
    consented: bool = False


def join(connection: Connection, person: Person, *, served: Served, now: float) -> Joined | Denied:
    """Let a person take part who is neither screened out nor excluded nor, being new, too late."""
    annotator = person.annotator
    if served.form.eligibility and is_screened_out(connection, annotator):
        return Denied("screened")
    if connection.execute(_PERSON, {"who": annotator}).first() is not None:
        if exclusions_of(connection, annotator):
            return Denied("excluded")
        if person.consented:
            connection.execute(_CONSENT, {"who": annotator, "now": now})
        return Joined(annotator)
    expire(connection, served=served, now=now)
    number = current_round(connection)
    if connection.scalar(_wanted(number).limit(1)) is None:
        free = _frees(connection, number)
        return Denied("full") if free is None else Denied("taken", minutes=_minutes(free - now))
    row = {"annotator": annotator, "source": person.source, "round": number, "joined": now}
    connection.execute(insert(people).values(**row, consented=now if person.consented else None))
    return Joined(annotator)


def _frees(connection: Connection, number: int) -> float | None:
    """Return when a place that is only reserved may become free, None if answers fill them all."""
    mine = (items.c.kind == "item", items.c.withdrawn == 0, items.c.round == number)
    held = (
        select(func.min(slots.c.expires))
        .join(items)
        .where(*mine, slots.c.state == "reserved")
        .group_by(items.c.item)
        .having(items.c.taken - func.count() < items.c.target)
    )
    return min(connection.scalars(held), default=None)


def _minutes(seconds: float) -> int:
    return max(1, math.ceil(seconds / 60))


def next_item(
    connection: Connection, annotator: str, *, served: Served, now: float
) -> Shown | Done | Denied:
    """Return the item a person is to answer now, and keep in mind when they first saw it."""
    slot = next_slot(connection, annotator, served=served, now=now)
    return slot if isinstance(slot, Done | Denied) else show(connection, slot, now=now)


def show(connection: Connection, slot: Slot, *, now: float) -> Shown:
    """Return a slot as it is shown, and keep in mind when that was first."""
    if slot.shown is None:
        connection.execute(_SHOW, {"who": slot.annotator, "what": slot.item, "now": now})
    return placed(connection, slot)


def next_slot(
    connection: Connection, annotator: str, *, served: Served, now: float
) -> Slot | Done | Denied:
    """Return what a person is to answer now, reserving a batch where they have none."""
    person = connection.execute(_PERSON, {"who": annotator}).first()
    if person is None:
        return Denied("unknown")
    causes = exclusions_of(connection, annotator)
    if None in causes:
        return Denied("excluded")
    expire(connection, served=served, now=now)
    slot = _current(connection, annotator)
    if slot is None and not causes and reserve(connection, person, plan=served.plan, now=now):
        slot = _current(connection, annotator)
    return _done(connection, person, now=now) if slot is None else slot


def placed(connection: Connection, slot: Slot) -> Shown:
    """Return a slot as it is shown: its place in the batch, and the one before it."""
    which = {"who": slot.annotator, "group": slot.batch, "what": slot.item}
    batch = connection.execute(_BATCH, which).all()
    place = next(n for n, row in enumerate(batch, 1) if row.position == slot.position)
    before = [row.reservation for row in batch[: place - 1] if row.state == "answered"]
    return Shown(
        item=slot.item,
        reservation=slot.reservation,
        batch=slot.batch,
        position=place,
        of=len(batch),
        answered=sum(row.state in {"answered", "accepted"} for row in batch),
        previous=before[-1] if before else None,
    )


def _current(connection: Connection, annotator: str) -> Slot | None:
    return connection.execute(_CURRENT, {"who": annotator}).first()


def _done(connection: Connection, person: Row[Any], *, now: float) -> Done:
    mine = (slots.c.annotator == person.annotator) & (slots.c.revision > 0)
    rated = select(slots.c.item).join(items).where(mine, items.c.kind == "item").limit(1)
    answered = connection.scalar(rated)
    if answered is not None and person.finished is None:
        me = people.c.annotator == person.annotator
        connection.execute(update(people).where(me).values(finished=now))
    return Done(finished=answered is not None)


def has_finished(connection: Connection, annotator: str) -> bool:
    """Tell whether a person was once told that they are done."""
    person = connection.execute(_PERSON, {"who": annotator}).first()
    return person is not None and person.finished is not None


def expire(connection: Connection, *, served: Served, now: float) -> None:
    """Free what was reserved and not answered in time, and settle the batches it ends."""
    rows = connection.execute(_LATE, {"now": now}).all()
    void(connection, rows, cause="lapsed")
    for annotator, batch in sorted({(row.annotator, row.batch) for row in rows}):
        settle(connection, annotator, batch, served=served, now=now)


def reserve(connection: Connection, person: Row[Any], *, plan: Plan, now: float) -> bool:
    """Reserve what a person does next; False if there is nothing for them.

    What is left of a batch that ran out is taken up again as far as it is still free; else a new
    batch is drawn, the items furthest from their target first and chance deciding among equals.
    """
    mine = connection.execute(
        select(slots, items.c.kind).join(items).where(slots.c.annotator == person.annotator)
    ).all()
    if _resume(connection, mine, number=person.round, plan=plan, now=now):
        return True
    counted = [row for row in mine if row.state != "void" or row.cause == "surplus"]
    rated = sum(row.kind == "item" for row in counted)
    room = min(plan.batch, plan.quota - rated) if plan.quota else plan.batch
    batch = max((row.batch for row in mine), default=0) + 1
    lot = _lot(f"{plan.seed}|{person.annotator}|{batch}")
    again = {row.item for row in mine if _ran_out(row)}
    used = {row.item for row in mine} - again
    drawn = _draw_items(connection, person.round, used, room, lot) if room > 0 else []
    if not drawn:
        return False
    drawn += _draw_checks(connection, used, plan.checks_per_batch, lot)
    rows = [
        {
            "annotator": person.annotator,
            "item": drawn[place],
            "reservation": secrets.token_urlsafe(15),
            "batch": batch,
            "position": position,
            "state": "reserved",
            "expires": now + plan.lease,
        }
        for position, place in enumerate(lot.permutation(len(drawn)), 1)
    ]
    connection.execute(insert(slots), [row for row in rows if row["item"] not in again])
    _take_again(connection, [row for row in rows if row["item"] in again])
    return True


def _lot(seed: str) -> np.random.Generator:
    """Return chance that can be repeated: the same seed, person and batch give the same draw."""
    digest = hashlib.sha256(seed.encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16]))


def _ran_out(row: Slot) -> bool:
    """Tell whether a slot ran out unanswered, so that its item may be given again."""
    return bool(row.state == "void" and row.cause == "lapsed" and row.revision == 0)


def _resume(
    connection: Connection, mine: Sequence[Slot], *, number: int, plan: Plan, now: float
) -> bool:
    """Reserve again what ran out and is still free, unless checks alone would make a batch."""
    last = max((row.batch for row in mine), default=0)
    batch = [row for row in mine if row.batch == last]
    late = [row for row in batch if _ran_out(row)]
    free = _with_room(connection, [row.item for row in late], number)
    if not any(row.kind == "item" and (row.state != "void" or row.item in free) for row in batch):
        return False
    values = [
        {
            "annotator": row.annotator,
            "item": row.item,
            "batch": row.batch,
            "position": row.position,
            "expires": now + plan.lease,
        }
        for row in late
        if row.item in free
    ]
    _take_again(connection, values)
    return bool(values)


def _with_room(connection: Connection, names: Iterable[str], number: int) -> set[str]:
    """Return which checks, and which items of a round, have a place left."""
    rows = connection.execute(select(items).where(items.c.item.in_(list(names))))
    return {
        row.item
        for row in rows
        if not row.withdrawn
        and (row.target is None or (row.round == number and row.taken < row.target))
    }


def _take_again(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Reserve again what had run out; the reservation keeps its name."""
    if not rows:
        return
    mine = (slots.c.annotator == bindparam("who")) & (slots.c.item == bindparam("what"))
    statement = (
        update(slots)
        .where(mine)
        .values(
            state="reserved",
            was=None,
            cause=None,
            shown=None,
            batch=bindparam("group"),
            position=bindparam("place"),
            expires=bindparam("until"),
        )
    )
    names = {"who": "annotator", "what": "item", "group": "batch"}
    names |= {"place": "position", "until": "expires"}
    connection.execute(statement, [{ours: row[c] for ours, c in names.items()} for row in rows])


def _wanted(number: int) -> Select[Any]:
    """Select the items of a round that still want ratings."""
    return _open(number).where(items.c.taken < items.c.target)


def _open(number: int) -> Select[Any]:
    mine = (items.c.kind == "item", items.c.withdrawn == 0, items.c.round == number)
    return select(items.c.item, items.c.target - items.c.taken, items.c.exact).where(*mine)


def _draw_items(
    connection: Connection, number: int, used: set[str], room: int, lot: np.random.Generator
) -> list[str]:
    """Return what a person gets, most wanted first.

    Where the target is a least, a batch is filled up with items that have reached it, as long
    as some item has not.
    """
    rows = connection.execute(_open(number).order_by(items.c.item)).all()
    levels: dict[int, list[str]] = {}
    for item, wanted, exact in rows:
        if item not in used and (wanted > 0 or not exact):
            levels.setdefault(wanted, []).append(item)
    drawn: list[str] = []
    for wanted in sorted(levels, reverse=True):
        if len(drawn) >= room or (wanted <= 0 and not drawn):
            break
        level = levels[wanted]
        drawn += [level[n] for n in lot.permutation(len(level))[: room - len(drawn)]]
    return drawn


def _draw_checks(
    connection: Connection, used: set[str], room: int, lot: np.random.Generator
) -> list[str]:
    checks = select(items.c.item).where(items.c.kind != "item", items.c.withdrawn == 0)
    found = [one for one in connection.scalars(checks.order_by(items.c.item)) if one not in used]
    return [found[n] for n in lot.permutation(len(found))[:room]]
