"""Questions about the instructions: two attempts, then a person is screened out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from plausibly.ratings.consent import is_understood
from plausibly.ratings.served import Served
from plausibly.ratings.store.moving import void
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.schema import people, slots
from plausibly.ratings.store.screening import screen_out

ATTEMPTS = 2
LAPSED = "lapsed"


@dataclass(frozen=True, slots=True)
class Understanding:
    """Whether a person has understood the instructions, and how many attempts are left."""

    passed: bool
    left: int


def understand(
    connection: Connection,
    annotator: str,
    said: Mapping[str, object],
    *,
    served: Served,
    now: float,
) -> Understanding | Denied:
    """Take a person's answers about the instructions; after the last attempt they are out.

    The places kept for them open at once.
    """
    mine = people.c.annotator == annotator
    person = connection.execute(select(people).where(mine)).first()
    if person is None:
        return Denied("unknown")
    left = ATTEMPTS - int(person.attempts or 0)
    if person.understood is not None or not served.form.comprehension:
        return Understanding(passed=True, left=left)
    if left <= 0:
        return Understanding(passed=False, left=0)
    passed = is_understood(served.form, said)
    values = {"attempts": ATTEMPTS - left + 1, "understood": now if passed else None}
    connection.execute(update(people).where(mine).values(values))
    if not passed and left == 1:
        screen_out(connection, annotator, now=now)
        held = (slots.c.annotator == annotator, slots.c.state == "reserved")
        void(connection, connection.execute(select(slots).where(*held)).all(), cause=LAPSED)
    return Understanding(passed=passed, left=left - 1)
