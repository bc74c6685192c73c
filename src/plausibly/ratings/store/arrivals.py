"""How many people come from one address, counted for all workers together.

An address is stored only as a hash under a key of the running server, and deleted when it is no
longer needed.
"""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, select, update

from plausibly.ratings.served import Served
from plausibly.ratings.store.dialect import upsert
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.schema import arrivals, people, slots

HOUR = 3600.0
BURST_SECONDS = 600.0
BURST = "burst"


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
    mine = arrivals.c.address == address
    if new and served.server["door"] != "links":  # a personal link names its person
        lately = (mine, arrivals.c.first > now - HOUR, arrivals.c.annotator != annotator)
        counted = select(func.count(), func.min(arrivals.c.first)).where(*lately)
        number, earliest = connection.execute(counted).one()
        if number >= served.server["people_per_hour"]:
            return Denied("address", seconds=max(earliest + HOUR - now, 1.0))
    peers = select(arrivals.c.annotator).where(mine)
    theirs = slots.c.annotator.in_(peers) | (slots.c.annotator == annotator)
    held = select(func.count()).select_from(slots).where(theirs, slots.c.state == "reserved")
    places = int(connection.scalar(held) or 0) + served.plan.batch + served.plan.checks_per_batch
    if places > int(served.server["held_per_address"]):
        return Denied("crowded", seconds=served.plan.lease)
    return None


def arrive(connection: Connection, address: str, annotator: str, *, now: float) -> None:
    """Count a person for an address."""
    if not address:
        return
    row = upsert(arrivals).values(address=address, annotator=annotator, first=now, last=now)
    again = row.on_conflict_do_update(index_elements=["address", "annotator"], set_={"last": now})
    connection.execute(again)


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
    lately = (arrivals.c.address == address, arrivals.c.first > now - BURST_SECONDS)
    peers = {annotator, *connection.scalars(select(arrivals.c.annotator).where(*lately))}
    if len(peers) <= int(served.server["burst"]):
        return False
    mine = (people.c.annotator.in_(sorted(peers)), people.c.held.is_(None))
    connection.execute(update(people).where(*mine).values(held=BURST))
    return True


def forget(connection: Connection, *, served: Served, now: float) -> None:
    """Delete addresses that are no longer needed."""
    window = max(HOUR, served.plan.lease)
    connection.execute(delete(arrivals).where(arrivals.c.last < now - window))
