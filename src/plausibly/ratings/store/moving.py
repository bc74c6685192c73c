"""The only module that writes slots: each change derives anew what depends on it.

What depends on slots: how many places of an item are taken (triggers of the schema), how many it
needs, and which answers without a place step into one that opens.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, text, update

from plausibly.ratings.store.deciding import aim, all_items, stored_design
from plausibly.ratings.store.places import Slot
from plausibly.ratings.store.prepared import Prepared
from plausibly.ratings.store.schema import RESERVED, slots

SURPLUS = "surplus"
_HAND_OUT = Prepared(insert(slots))
_BATCH = (slots.c.annotator == bindparam("who"), slots.c.batch == bindparam("group"))
_ACCEPT = Prepared(
    update(slots).where(*_BATCH, slots.c.state == "answered").values(state="accepted")
)
_REOPEN = Prepared(
    update(slots).where(*_BATCH, slots.c.state == "accepted").values(state="answered")
)
_RENEW = Prepared(update(slots).where(*_BATCH, RESERVED).values(expires=bindparam("until")))
_SHOW = Prepared(
    update(slots)
    .where(slots.c.annotator == bindparam("who"), slots.c.item == bindparam("what"))
    .values(shown=bindparam("now"))
)
# Answers without a place whose item has one; who was shown it first comes first.
_WAITING = Prepared(
    text(
        """SELECT slots.annotator AS annotator, slots.item AS item, slots.was AS was
        FROM slots JOIN items ON items.item = slots.item
        WHERE slots.cause = 'surplus' AND slots.item IN (SELECT value FROM json_each(:which))
            AND (items.exact = 0 OR items.taken < items.target)
        ORDER BY slots.shown, slots.annotator"""
    )
)
_BACK = Prepared(
    select(func.count())
    .select_from(slots)
    .where(slots.c.annotator == bindparam("who"), slots.c.item == bindparam("what"))
    .where(slots.c.state != "void")
)


def hand_out(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Reserve places nobody has had; the caller has seen that there is room."""
    if rows:
        _HAND_OUT.run_each(connection, rows)


def move(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Change slots, each given with the columns that change, and derive what depends on them."""
    if not rows:
        return
    key = ("annotator", "item")
    for row in rows:
        names = tuple(name for name in row if name not in key)
        fields = {f"new_{name}": row[name] for name in names}
        _statement(names).run(connection, {"who": row["annotator"], "what": row["item"], **fields})
    freed = any(row.get("state") == "void" or row.get("cause") == SURPLUS for row in rows)
    if freed or stored_design(connection).decided:
        derive(connection, {row["item"] for row in rows})


@lru_cache(32)
def _statement(names: tuple[str, ...]) -> Prepared:
    mine = (slots.c.annotator == bindparam("who"), slots.c.item == bindparam("what"))
    return Prepared(
        update(slots).where(*mine).values({name: bindparam(f"new_{name}") for name in names})
    )


def derive(connection: Connection, only: Collection[str] | None = None) -> None:
    """Set targets anew and let answers without a place step into places that are open.

    One answer at a time: each may decide its item, or show that it is still a tie.

    Args:
        connection: A transaction.
        only: The items whose slots, answers or targets have changed; None for all.
    """
    design = stored_design(connection)
    names = all_items(connection) if only is None else only
    while names:
        if design.decided:
            aim(connection, design, names)
        names = _step_in(connection, names)


def _step_in(connection: Connection, only: Collection[str]) -> set[str]:
    """Let the first waiting answer of each item step in, and return the items that had one."""
    first: dict[str, Any] = {}
    for row in _WAITING.all(connection, {"which": json.dumps(sorted(only))}):
        first.setdefault(row.item, row)
    back = _statement(("state", "cause"))
    for row in first.values():
        which = {"who": row.annotator, "what": row.item}
        back.run(connection, {**which, "new_state": row.was, "new_cause": None})
    return set(first)


def void(connection: Connection, rows: Sequence[Slot], *, cause: str) -> None:
    """Make slots void; answers that wait for one of their places step in."""
    move(connection, [_gone(row, cause) for row in rows])


def _gone(row: Slot, cause: str) -> dict[str, Any]:
    place = {"annotator": row.annotator, "item": row.item, "cause": cause}
    return place if row.state == "void" else {**place, "state": "void", "was": row.state}


def bring_back(connection: Connection, rows: Sequence[Slot]) -> int:
    """Let void answers wait for a place, and return how many have one at once."""
    move(connection, [_gone(row, SURPLUS) for row in rows])
    places = [{"who": row.annotator, "what": row.item} for row in rows]
    return sum(_BACK.scalar(connection, place) for place in places)


def accept(connection: Connection, annotator: str, batch: int) -> None:
    """Accept what was answered in a batch."""
    _ACCEPT.run(connection, {"who": annotator, "group": batch})


def judge_again(connection: Connection, annotator: str, batch: int) -> None:
    """Take back that a batch was accepted: something in it is corrected."""
    _REOPEN.run(connection, {"who": annotator, "group": batch})


def renew_lease(connection: Connection, slot: Slot, *, until: float) -> int:
    """Hold what is left of a slot's batch for longer, and return how many places these are."""
    fields = {"who": slot.annotator, "group": slot.batch, "until": until}
    return _RENEW.run(connection, fields).rowcount


def mark_shown(connection: Connection, slot: Slot, *, now: float) -> None:
    """Store when a slot was first shown."""
    _SHOW.run(connection, {"who": slot.annotator, "what": slot.item, "now": now})
