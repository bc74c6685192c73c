"""Rounds of a collection: items that came out short get more ratings, from people who are new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from sqlalchemy import Connection, Integer, Row, bindparam, func, insert, select, update

from plausibly.errors import StudyError
from plausibly.io import file_hash
from plausibly.ratings.store.dialect import greatest, upsert
from plausibly.ratings.store.moving import derive
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.prepared import Prepared
from plausibly.ratings.store.schema import facts, items, people, reopened, rounds, slots

FILE = "rounds.parquet"  # what a study's cleaning asks for
TOPPED_UP = "topped up"  # the fact that says which file was followed last
_WANTED = items.c.target - items.c.taken
_STANDING = Prepared(select(func.max(rounds.c.round)).where(rounds.c.undone.is_(None)))
_JUDGED = (items.c.kind == "item", items.c.withdrawn == 0)


@dataclass(frozen=True, slots=True)
class Round:
    """A round of collection, how many items it opened and how many places these have."""

    number: int
    items: int
    places: int


@dataclass(frozen=True, slots=True)
class Reopening:
    """What another round of collecting asks for.

    Args:
        fewer_than: Items with at least as many valid ratings stay closed.
        ratings: How many more each of the others gets; a target is raised, never lowered.
        only: Consider these items only; None for all.
        close: Whether a round that still needs ratings ends with this one.
        each: How many more ratings each item gets, if items differ in it.
    """

    fewer_than: int
    ratings: int
    only: Sequence[str] | None = None
    close: bool = False
    each: Mapping[str, int] | None = None


def current_round(connection: Connection) -> int:
    """Return the number of the round that is open."""
    return int(_STANDING.scalar(connection, {}) or 1)


def open_places(connection: Connection, number: int) -> int:
    """Return how many ratings the items of a round still want, handed out or not."""
    held = (
        select(slots.c.item, func.count().label("held"))
        .where(slots.c.state == "reserved")
        .group_by(slots.c.item)
        .subquery()
    )
    wanted = greatest(_WANTED + func.coalesce(held.c.held, 0), 0)
    mine = select(func.sum(wanted)).outerjoin(held, held.c.item == items.c.item)
    return int(connection.scalar(mine.where(*_JUDGED, items.c.round == number)) or 0)


def reopen(connection: Connection, opening: Reopening, *, now: float) -> Round | Denied:
    """Open a round: items with fewer valid ratings get so many more, from people who are new.

    While a round still needs ratings no other is opened, unless it is to be closed: who has
    begun it goes on, and nobody new does.
    """
    places = open_places(connection, current_round(connection))
    if places and not opening.close:
        return Denied("round-open", places=places)
    short = _short(connection, opening)
    if not short:
        return Denied("no-round")
    number = int(connection.scalar(select(func.max(rounds.c.round))) or 0) + 1
    before = [
        {"round": number, "item": row.item, "target": row.target, "before": row.round}
        for row in short
    ]
    connection.execute(insert(reopened), before)
    more = items.c.taken + bindparam("more", type_=Integer)
    raised: dict[str, Any] = {"round": number, "target": greatest(items.c.target, more)}
    if opening.each is not None:  # the round before ends: what its items lacked is in these
        raised["target"] = more
    mine = update(items).where(items.c.item == bindparam("which"))
    wanted = opening.each or {}
    connection.execute(
        mine.values(raised),
        [{"which": row.item, "more": wanted.get(row.item, opening.ratings)} for row in short],
    )
    asked = {"fewer_than": opening.fewer_than, "ratings": opening.ratings}
    connection.execute(insert(rounds).values(round=number, opened=now, **asked))
    derive(connection, {row.item for row in short})  # answers without a place come first
    return Round(number, len(short), open_places(connection, number))


def _short(connection: Connection, opening: Reopening) -> list[Row[Any]]:
    """Return the items that have too few valid ratings."""
    counted = select(slots.c.item, func.count()).where(slots.c.state.in_(("answered", "accepted")))
    valid: dict[str, int] = dict(connection.execute(counted.group_by(slots.c.item)).all())
    only = None if opening.only is None else set(opening.only)
    if opening.each is not None:
        chosen = connection.execute(select(items).where(*_JUDGED)).all()
        return [row for row in chosen if opening.each.get(row.item, 0) > 0]
    return [
        row
        for row in connection.execute(select(items).where(*_JUDGED))
        if valid.get(row.item, 0) < opening.fewer_than and (only is None or row.item in only)
    ]


def top_up(connection: Connection, path: Path, *, now: float) -> Round | None:
    """Open the round that cleaning asks for in a file, once; None if there is nothing to open.

    What came in since the answers were cleaned counts towards what an item lacks.

    Args:
        connection: To the answers.
        path: `rounds.parquet`, with item, collected and wanted.
        now: The time.
    """
    if not path.is_file():
        return None
    digest = file_hash(path)
    if connection.scalar(select(facts.c.value).where(facts.c.name == TOPPED_UP)) == digest:
        return None
    rows = pl.read_parquet(path)
    missing = [name for name in ("item", "collected", "wanted") if name not in rows.columns]
    if missing:
        raise StudyError(f"{path}: no column {missing[0]!r}. Clean the ratings again.")
    counted = select(slots.c.item, func.count()).where(slots.c.state.in_(("answered", "accepted")))
    valid: dict[str, int] = dict(connection.execute(counted.group_by(slots.c.item)).all())
    each = {
        item: max(int(wanted) - max(valid.get(item, 0) - int(collected), 0), 0)
        for item, collected, wanted in rows.select("item", "collected", "wanted").iter_rows()
    }
    most = max(each.values(), default=0)
    opening = Reopening(fewer_than=0, ratings=most, close=True, each=each)
    opened = reopen(connection, opening, now=now)
    fields = {"name": TOPPED_UP, "value": digest}
    connection.execute(
        upsert(facts)
        .values(fields)
        .on_conflict_do_update(index_elements=["name"], set_={"value": digest})
    )
    return None if isinstance(opened, Denied) else opened


def undo_round(connection: Connection, number: int, *, now: float) -> Round | Denied:
    """Undo the latest round: its items want again what they wanted before.

    Nothing that was answered is lost: a target stays where the ratings have come to. Who joined
    the round goes on with the one before it.
    """
    if number == 1 or number != current_round(connection):
        return Denied("no-such-round")
    mine = update(rounds).where(rounds.c.round == number)
    connection.execute(mine.values(undone=now))
    rows = connection.execute(select(reopened).where(reopened.c.round == number)).all()
    which = update(items).where(items.c.item == bindparam("which"))
    which = which.values(
        target=greatest(bindparam("wanted"), items.c.taken), round=bindparam("number")
    )
    connection.execute(
        which, [{"which": row.item, "wanted": row.target, "number": row.before} for row in rows]
    )
    derive(connection, {row.item for row in rows})
    former = current_round(connection)
    joined = update(people).where(people.c.round == number)
    connection.execute(joined.values(round=former))
    return Round(former, len(rows), open_places(connection, former))


def rounds_so_far(connection: Connection) -> list[dict[str, Any]]:
    """Return every round with what it asked for, whether it was undone, and what it still needs."""
    return [
        {
            "round": row.round,
            "opened": row.opened,
            "fewer_than": row.fewer_than,
            "ratings": row.ratings,
            "undone": row.undone is not None,
            "places": open_places(connection, row.round),
        }
        for row in connection.execute(select(rounds).order_by(rounds.c.round))
    ]
