"""Whether a study takes people: it is open, paused, or closed."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select

from plausibly.ratings.store.dialect import upsert
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.prepared import Prepared
from plausibly.ratings.store.schema import facts

FACT = "gate"
OPEN, PAUSED, CLOSED = "open", "paused", "closed"
_GATE = Prepared(select(facts.c.value).where(facts.c.name == bindparam("which")))


def gate_of(connection: Connection) -> str:
    """Return whether a study is open, paused or closed."""
    return str(_GATE.scalar(connection, {"which": FACT}) or OPEN)


def set_gate(connection: Connection, state: str) -> str:
    """Open, pause or close a study, and return what it was before."""
    before = gate_of(connection)
    put = upsert(facts).values(name=FACT, value=state)
    connection.execute(put.on_conflict_do_update(index_elements=["name"], set_={"value": state}))
    return before


def why_not_open(connection: Connection) -> Denied | None:
    """Return why nobody new can begin; None while the study is open.

    Whoever has begun finishes what is kept for them, whether it is paused or closed.
    """
    state = gate_of(connection)
    return None if state == OPEN else Denied("paused" if state == PAUSED else "over")
