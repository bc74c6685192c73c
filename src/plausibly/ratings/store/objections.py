"""Why people are excluded, as they may read it; and what they object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.schema import exclusions, objections
from plausibly.ratings.store.verdicts import LEFT, PLATFORM

LONGEST = 2000  # characters of an objection, and of a reply
CHECK = "check"  # kinds of reasons that pages put in words of their own
BY_PLATFORM = "platform"
UNSAID = "unsaid"
OTHER = "other"
BY_US = "excluded by the researcher"  # stored where no reason is given


@dataclass(frozen=True, slots=True)
class Objection:
    """What an excluded person objects.

    Args:
        number: Counts the objections of a study.
        annotator: The person.
        text: What they wrote.
        made: When.
        reasons: Why they were excluded at that time.
        reply: What the researcher replied; empty before that.
        replied: When; None before that.
    """

    number: int
    annotator: str
    text: str
    made: float
    reasons: str
    reply: str = ""
    replied: float | None = None


@dataclass(frozen=True, slots=True)
class ExclusionReason:
    """One reason: its kind, and the researcher's words where there are any."""

    kind: str
    text: str = ""


def reasons_of(connection: Connection, annotator: str) -> list[ExclusionReason]:
    """Return why a person is excluded now; their own withdrawal is not among the reasons."""
    mine = (exclusions.c.annotator == annotator, exclusions.c.undone.is_(None))
    rows = connection.execute(
        select(exclusions).where(*mine, exclusions.c.reason != LEFT).order_by(exclusions.c.number)
    )
    return list(dict.fromkeys(_reason(row) for row in rows))


def _reason(row: Row[Any]) -> ExclusionReason:
    if row.item is not None:
        return ExclusionReason(CHECK)  # which check it was stays secret: others have it before them
    if row.reason.startswith(PLATFORM):
        return ExclusionReason(BY_PLATFORM, row.reason.removeprefix(PLATFORM))
    return ExclusionReason(UNSAID if row.reason == BY_US else OTHER, row.reason)


def object_to(
    connection: Connection, annotator: str, text: str, *, now: float
) -> Objection | Denied:
    """Store what an excluded person objects; until it is answered, a later text replaces it."""
    reasons = reasons_of(connection, annotator)
    if not reasons:
        return Denied("unknown")
    listing = "; ".join(one.text or one.kind for one in reasons)
    row = {"text": text[:LONGEST], "made": now, "reasons": listing}
    mine = (objections.c.annotator == annotator, objections.c.replied.is_(None))
    number = connection.scalar(select(objections.c.number).where(*mine))
    if number is None:
        stored = connection.execute(insert(objections).values(annotator=annotator, **row))
        number = (stored.inserted_primary_key or (0,))[0]
    else:
        connection.execute(update(objections).where(*mine).values(**row))
    return Objection(int(number), annotator, text[:LONGEST], now, listing)


def list_objections(connection: Connection, annotator: str | None = None) -> list[Objection]:
    """Return all objections, or those of one person: open ones first, then by time."""
    query = select(objections).order_by(objections.c.replied.is_not(None), objections.c.number)
    if annotator is not None:
        query = query.where(objections.c.annotator == annotator)
    return [
        Objection(
            row.number, row.annotator, row.text, row.made, row.reasons, row.reply, row.replied
        )
        for row in connection.execute(query)
    ]


def reply_to(connection: Connection, number: int, text: str, *, now: float) -> Objection | None:
    """Store the reply to an objection, which its person reads; None if there is no such one."""
    mine = objections.c.number == number
    connection.execute(update(objections).where(mine).values(reply=text[:LONGEST], replied=now))
    return next((one for one in list_objections(connection) if one.number == number), None)
