"""Places of items, each taken by one person: how they become void and how they come back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select, update

from plausibly.ratings.store.prepared import Prepared
from plausibly.ratings.store.schema import exclusions, items, slots

Slot = Row[Any]

# Statements that every answer needs are built once, not every time.
_ACTIVE = Prepared(
    select(exclusions.c.item).where(
        exclusions.c.annotator == bindparam("who"), exclusions.c.undone.is_(None)
    )
)


@dataclass(frozen=True, slots=True)
class Denied:
    """Why something was not done; `reason` names a text of the catalogue.

    Args:
        reason: The name.
        seconds: After how many seconds it may be worth asking again, if ever.
        places: How many places stand in the way, if any do.
    """

    reason: str
    seconds: float | None = None
    places: int | None = None


def exclusions_of(connection: Connection, annotator: str) -> list[str | None]:
    """Return why a person is excluded: the check that was failed, None where it was none."""
    return _ACTIVE.scalars(connection, {"who": annotator})


def void(connection: Connection, rows: Sequence[Slot], *, cause: str) -> None:
    """Make slots void, and give the places that open to answers that had found none."""
    if not rows:
        return
    mine = (slots.c.annotator == bindparam("who")) & (slots.c.item == bindparam("what"))
    statement = update(slots).where(mine).values(state="void", was=slots.c.state, cause=cause)
    connection.execute(statement, [{"who": row.annotator, "what": row.item} for row in rows])
    surplus = select(slots).where(slots.c.cause == "surplus").order_by(slots.c.shown)
    freed = {row.item for row in rows}
    bring_back(connection, [row for row in connection.execute(surplus) if row.item in freed])


def bring_back(connection: Connection, rows: Sequence[Slot]) -> int:
    """Restore void answers whose item has room, and return how many found it.

    The others stay void as surplus, until a place opens.
    """
    back = 0
    for row in rows:
        item = connection.execute(select(items).where(items.c.item == row.item)).one()
        room = not item.exact or item.taken < item.target
        mine = (slots.c.annotator == row.annotator) & (slots.c.item == row.item)
        values = {"state": row.was, "cause": None} if room else {"cause": "surplus"}
        connection.execute(update(slots).where(mine).values(values))
        back += room
    return back
