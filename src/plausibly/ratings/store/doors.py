"""Who may enter, and as whom: a number alone opens nothing that has begun."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, bindparam, literal_column, select, update

from plausibly.ratings.store.dialect import upsert
from plausibly.ratings.store.erasing import erased_before
from plausibly.ratings.store.moving import bring_back, void
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.prepared import Prepared
from plausibly.ratings.store.schema import admitted, people, slots
from plausibly.ratings.store.screening import screen_out

DAY = 24 * 3600.0
UNCONFIRMED = "unconfirmed"
WAITING = "(people.confirmed IS NULL OR people.held IS NOT NULL)"  # as the index says it
_PERSON = Prepared(select(people).where(people.c.annotator == bindparam("who")))
_SUBMITTED = Prepared(
    select(people.c.annotator).where(people.c.submission == bindparam("submission"))
)
_ADMITTED = Prepared(
    select(admitted.c.annotator).where(
        admitted.c.annotator == bindparam("who"), admitted.c.door == bindparam("door")
    )
)
_OVERDUE = Prepared(
    select(slots)
    .join(people, people.c.annotator == slots.c.annotator)
    .where(literal_column(WAITING), people.c.joined < bindparam("since"))
    .where(
        (slots.c.state == "answered") | (slots.c.state == "accepted") | (slots.c.cause == "surplus")
    )
)


@dataclass(frozen=True, slots=True)
class Person:
    """Someone at the door, known by a keyed hash.

    Args:
        annotator: The hash.
        source: Where they come from.
        consented: Whether they agreed.
        channel: Whether they use the pages or the api.
        address: A hash of their address; empty if nothing is counted by it.
        returning: Whether a link, a cookie or a token proves that they are this person.
        other: Whom they enter as if that person has already begun; None: they may not enter.
        door: The door at which they must have been admitted; empty where anyone may enter.
        confirmed: Whether somebody vouches for them.
        submission: A hash of the platform's submission.
        browser: A hash of the session in which they agree, so that agreeing twice is harmless.
        language: Of the items they are shown; empty: that of what they are given first.
        short: Items of the short round that was announced to them; 0 if none was, None for
            whoever takes any.
        consent: The version of the consent they agreed to, and the language of its page.
        understood: Whether nobody asks them about the instructions.
        mark: The hash under which they would have been erased; empty where a link does not show
            who they are.
    """

    annotator: str
    source: str
    consented: bool = False
    channel: str = "pages"
    address: str = ""
    returning: bool = True
    other: str | None = None
    door: str = ""
    confirmed: bool = True
    submission: str | None = None
    browser: str | None = None
    language: str = ""
    short: int | None = 0
    consent: tuple[str, str] | None = None
    understood: bool = False
    mark: str = ""


def _is_erased(connection: Connection, person: Person) -> bool:
    """Return whether a link is all that is left of a person."""
    if not person.mark or erased_before(connection, person.mark) is None:
        return False
    return _PERSON.first(connection, {"who": person.annotator}) is None


def recognise(connection: Connection, person: Person) -> Person | Denied:
    """Return as whom someone enters; whoever has begun needs more than a number to go on.

    The refusal is the same whether a number is not admitted or has begun. A personal link does
    not outlive its person: whoever was erased cannot begin again with it.
    """
    if person.returning:
        return Denied("withdrew") if _is_erased(connection, person) else person
    if person.door and not is_admitted(connection, person.annotator, person.door):
        return Denied("door")
    known = _PERSON.first(connection, {"who": person.annotator})
    if known is not None and person.browser is not None and known.browser == person.browser:
        return replace(person, returning=True)
    if known is None:
        used = _SUBMITTED.scalar(connection, {"submission": person.submission})
        return Denied("door") if used is not None else person
    if person.other is None:
        return Denied("door")
    return recognise(connection, replace(person, annotator=person.other, other=None))


def turn_away(connection: Connection, person: Person, *, now: float) -> bool:
    """Store that someone is not eligible, and return whether it was.

    A number alone turns nobody away who has begun.
    """
    known = _PERSON.first(connection, {"who": person.annotator})
    if known is not None and not person.returning:
        return False
    screen_out(connection, person.annotator, now=now)
    return True


def is_admitted(connection: Connection, annotator: str, door: str) -> bool:
    """Return whether a person was invited or listed."""
    return _ADMITTED.scalar(connection, {"who": annotator, "door": door}) is not None


def admit(connection: Connection, annotators: Iterable[str], *, door: str, now: float) -> int:
    """Invite or list people, and return how many are new."""
    new = 0
    for annotator in annotators:
        row = upsert(admitted).values(annotator=annotator, door=door, made=now)
        new += connection.execute(row.on_conflict_do_nothing()).rowcount
    return new


def confirm(connection: Connection, annotators: Sequence[str], *, now: float) -> int:
    """Confirm people for whom the platform vouches; their answers come back where there is room."""
    count = 0
    for annotator in annotators:
        mine = (people.c.annotator == annotator, people.c.confirmed.is_(None))
        count += connection.execute(update(people).where(*mine).values(confirmed=now)).rowcount
        away = select(slots).where(slots.c.annotator == annotator, slots.c.cause == UNCONFIRMED)
        bring_back(connection, connection.execute(away).all())
    return count


def release(connection: Connection, annotator: str) -> bool:
    """End a person's quarantine; False if there was none. Their answers come back."""
    mine = (people.c.annotator == annotator, people.c.held.is_not(None))
    if not connection.execute(update(people).where(*mine).values(held=None)).rowcount:
        return False
    away = select(slots).where(slots.c.annotator == annotator, slots.c.cause == UNCONFIRMED)
    bring_back(connection, connection.execute(away).all())
    return True


def drop_unconfirmed(connection: Connection, *, days: float, now: float) -> None:
    """Reopen the places of people whom nobody has confirmed or let out of quarantine in time."""
    late = _OVERDUE.all(connection, {"since": now - days * DAY})
    void(connection, late, cause=UNCONFIRMED)
