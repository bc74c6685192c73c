"""Why something is not done, and why a person is excluded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from plausibly.ratings.store.prepared import Prepared
from plausibly.ratings.store.schema import exclusions

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
        places: How many places are in the way, if any are.
    """

    reason: str
    seconds: float | None = None
    places: int | None = None


def exclusions_of(connection: Connection, annotator: str) -> list[str | None]:
    """Return why a person is excluded: the check that was failed, None if it was none."""
    return _ACTIVE.scalars(connection, {"who": annotator})
