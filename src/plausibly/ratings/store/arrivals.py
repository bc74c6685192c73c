"""How many people come from one address, counted for all workers together.

An address is stored only as a hash under a key of the running server, and deleted when it is no
longer needed.
"""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, func, select, text

from plausibly.ratings.served import Served
from plausibly.ratings.store.dialect import upsert
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.prepared import Prepared
from plausibly.ratings.store.schema import arrivals

HOUR = 3600.0
BURST_SECONDS = 600.0
BURST = "burst"

# Statements that everybody who comes needs are built once, not every time.
_LATELY = Prepared(
    select(func.count().label("number"), func.min(arrivals.c.first).label("earliest")).where(
        arrivals.c.address == bindparam("address"),
        arrivals.c.first > bindparam("since"),
        arrivals.c.annotator != bindparam("who"),
    )
)
_HELD = Prepared(
    text(
        """SELECT count(*) FROM slots WHERE state = 'reserved' AND annotator IN (
            SELECT annotator FROM arrivals WHERE address = :address UNION SELECT :who)"""
    )
)
_HOLD = Prepared(
    text(
        """UPDATE people SET held = :why WHERE held IS NULL AND annotator IN (
            SELECT annotator FROM arrivals WHERE address = :address AND first > :since
            UNION SELECT :who)"""
    )
)
_FORGET = Prepared(delete(arrivals).where(arrivals.c.last < bindparam("since")))
_NEW = upsert(arrivals)
_ARRIVE = Prepared(
    _NEW.on_conflict_do_update(
        index_elements=["address", "annotator"], set_={"last": _NEW.excluded.last}
    )
)


def too_many(
    connection: Connection, address: str, annotator: str, *, served: Served, now: float, new: bool
) -> Denied | None:
    """Return why someone may not begin from an address now, None if they may.

    Args:
        connection: A transaction.
        address: A hash of the address; empty if nothing is counted.
        annotator: The person who is about to begin.
        served: The study.
        now: The time.
        new: Whether they take part for the first time.
    """
    if not address:
        return None
    forget(connection, served=served, now=now)
    which = {"address": address, "who": annotator}
    if new and served.server["door"] != "links":  # a personal link names its person
        others = _LATELY.first(connection, {**which, "since": now - HOUR})
        if others.number >= served.server["people_per_hour"]:
            return Denied("address", seconds=max(others.earliest + HOUR - now, 1.0))
    held = int(_HELD.scalar(connection, which))
    places = held + served.plan.batch + served.plan.checks_per_batch
    if places > int(served.server["held_per_address"]):
        return Denied("crowded", seconds=served.plan.lease)
    return None


def arrive(connection: Connection, address: str, annotator: str, *, now: float) -> None:
    """Count a person for an address."""
    if not address:
        return
    row = {"address": address, "annotator": annotator, "first": now, "last": now}
    _ARRIVE.run(connection, row)


def hold_burst(
    connection: Connection, address: str, annotator: str, *, served: Served, now: float
) -> bool:
    """Quarantine everybody who began from one address in a burst, until the researcher decides.

    Args:
        connection: A transaction.
        address: A hash of the address; empty if nothing is counted.
        annotator: Who has just begun.
        served: The study.
        now: The time.
    """
    if not address or served.server["door"] == "links":  # a personal link names its person
        return False
    which = {"address": address, "who": annotator, "since": now - BURST_SECONDS}
    if _LATELY.first(connection, which).number < int(served.server["burst"]):
        return False
    _HOLD.run(connection, {**which, "why": BURST})
    return True


def forget(connection: Connection, *, served: Served, now: float) -> None:
    """Delete addresses that are no longer needed."""
    window = max(HOUR, served.plan.lease)
    _FORGET.run(connection, {"since": now - window})
