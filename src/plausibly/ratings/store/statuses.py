"""Follows what a platform says about people: who left it frees their places."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from plausibly.ratings.payroll import GONE
from plausibly.ratings.store.doors import confirm
from plausibly.ratings.store.places import exclusions_of
from plausibly.ratings.store.schema import exclusions, people
from plausibly.ratings.store.verdicts import PLATFORM, exclude, readmit

CONFIRMS = ("ACTIVE", "AWAITING REVIEW", "APPROVED", "PARTIALLY APPROVED", *GONE)


def follow_status(connection: Connection, annotator: str, status: str, *, now: float) -> str | None:
    """Follow the platform's status of a person, and return what changed: left, back or None.

    Whoever returned, ran out of time or was rejected frees their places; whoever comes back has
    their answers again where there is room.
    """
    if connection.scalar(select(people.c.annotator).where(people.c.annotator == annotator)) is None:
        return None
    if status in CONFIRMS:
        confirm(connection, [annotator], now=now)
    mine = (
        exclusions.c.annotator == annotator,
        exclusions.c.reason.startswith(PLATFORM),
        exclusions.c.undone.is_(None),
    )
    away = connection.scalar(select(exclusions.c.number).where(*mine)) is not None
    if status in GONE and not away:
        exclude(connection, annotator, check=None, reason=f"{PLATFORM}{status}", now=now)
        return "left"
    if status not in GONE and away:
        connection.execute(update(exclusions).where(*mine).values(undone=now))
        if not exclusions_of(connection, annotator):
            readmit(connection, annotator)
        return "back"
    return None
