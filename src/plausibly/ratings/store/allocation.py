"""Who takes part and what they answer now, decided in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    bindparam,
    func,
    insert,
    select,
    text,
    update,
)

from plausibly.ratings.consent import screens
from plausibly.ratings.served import Served
from plausibly.ratings.store.arrivals import arrive, hold_burst, too_many
from plausibly.ratings.store.doors import Person, drop_unconfirmed, recognise
from plausibly.ratings.store.drawing import reserve
from plausibly.ratings.store.moving import mark_shown, void
from plausibly.ratings.store.offers import RoundOffer, offer
from plausibly.ratings.store.pausing import CLOSED, gate_of, why_not_open
from plausibly.ratings.store.places import Denied, Slot, exclusions_of
from plausibly.ratings.store.prepared import Prepared
from plausibly.ratings.store.rounds import current_round
from plausibly.ratings.store.schema import RESERVED, items, people, slots
from plausibly.ratings.store.screening import is_screened_out
from plausibly.ratings.store.verdicts import settle

# Statements that every answer needs are built once, not every time.
_MINE = slots.c.annotator == bindparam("who")
_ENTER = Prepared(insert(people))
_PERSON = Prepared(select(people).where(people.c.annotator == bindparam("who")))
_CONSENT = Prepared(
    update(people)
    .where(people.c.annotator == bindparam("who"), people.c.consented.is_(None))
    .values(consented=bindparam("now"))
)
_AGREE = Prepared(
    text(
        """INSERT INTO consents (annotator, version, language, made)
        SELECT :annotator, :version, :language, :made WHERE NOT EXISTS (
            SELECT 1 FROM consents WHERE annotator = :annotator AND version = :version)"""
    )
)
_LATE = Prepared(select(slots).where(RESERVED, slots.c.expires < bindparam("now")))
_CURRENT = Prepared(
    select(slots).where(_MINE, RESERVED).order_by(slots.c.batch, slots.c.position).limit(1)
)
_HELD = Prepared(select(func.count()).select_from(slots).where(_MINE, RESERVED))
_BATCH = Prepared(
    select(slots.c.position, slots.c.reservation, slots.c.state)
    .where(_MINE, slots.c.batch == bindparam("group"))
    .where((slots.c.state != "void") | (slots.c.item == bindparam("what")))
    .order_by(slots.c.position)
)
_LATEST = select(func.max(slots.c.batch)).where(_MINE).scalar_subquery()
_SIZE = Prepared(
    select(func.count())
    .select_from(slots)
    .where(_MINE, slots.c.batch == _LATEST, slots.c.state != "void")
)
_RATED = Prepared(
    select(slots.c.item)
    .join(items)
    .where(_MINE, slots.c.revision > 0, items.c.kind == "item")
    .limit(1)
)
_FINISH = Prepared(
    update(people).where(people.c.annotator == bindparam("who")).values(finished=bindparam("now"))
)


@dataclass(frozen=True, slots=True)
class Joined:
    """A person who may take part, and how many places are kept for them."""

    annotator: str
    places: int = 0


@dataclass(frozen=True, slots=True)
class Shown:
    """The item a person is to answer now, and where it is in the batch."""

    item: str
    reservation: str
    batch: int
    position: int
    of: int
    answered: int
    previous: str | None
    step: int = 1


@dataclass(frozen=True, slots=True)
class Done:
    """Nothing is left for a person.

    Args:
        finished: Whether they rated any item at all.
        seconds: After how many seconds a place may become free, if any may.
        short: Whether theirs was a short round.
    """

    finished: bool
    seconds: float | None = None
    short: bool = False


def join(connection: Connection, person: Person, *, served: Served, now: float) -> Joined | Denied:
    """Let a person take part and keep places for them, until the lease ends.

    People who were screened out or excluded are denied, and so are new people if no item is left.
    """
    _free_places(connection, served=served, now=now)
    entering = recognise(connection, person)
    if isinstance(entering, Denied):
        return entering
    annotator = entering.annotator
    if screens(served.form) and is_screened_out(connection, annotator):
        return Denied("screened")
    known = _PERSON.first(connection, {"who": annotator})
    if known is not None and exclusions_of(connection, annotator):
        return Denied("excluded")
    crowded = too_many(
        connection, entering.address, annotator, served=served, now=now, new=known is None
    )
    if known is None:
        refused = _begin(connection, entering, crowded, served=served, now=now)
        if refused is not None:
            return refused
    elif entering.consented:
        _CONSENT.run(connection, {"who": annotator, "now": now})
    if entering.consent is not None:
        _record_consent(connection, entering, now=now)
    if crowded is None:
        arrive(connection, entering.address, annotator, now=now)
        if not _HELD.scalar(connection, {"who": annotator}):
            entered = _PERSON.first(connection, {"who": annotator})
            reserve(connection, entered, served=served, now=now)
    return Joined(annotator, _HELD.scalar(connection, {"who": annotator}) or 0)


def _record_consent(connection: Connection, person: Person, *, now: float) -> None:
    """Store which version of the consent a person agreed to, in which language; the first stays."""
    version, language = person.consent or ("", "")
    row = {"annotator": person.annotator, "version": version, "language": language, "made": now}
    _AGREE.run(connection, row)


def _begin(
    connection: Connection, person: Person, crowded: Denied | None, *, served: Served, now: float
) -> Denied | None:
    """Let somebody new begin the round they were shown; return why not if they cannot."""
    shut = why_not_open(connection)
    if shut is not None:
        return shut
    number = current_round(connection)
    offered = offer(connection, served, number)
    if offered is None:
        return _nothing(connection, number, now=now)
    if crowded is not None:
        return crowded
    if offered.short and person.short is not None and offered.items != person.short:
        return Denied("short", places=offered.items)
    announced = person.short if person.short and person.short < offered.items else None
    short = offered.items if offered.short else announced  # nobody claims a longer one
    _enter(connection, person, (number, short), now=now)
    hold_burst(connection, person.address, person.annotator, served=served, now=now)
    return None


def offer_now(connection: Connection, *, served: Served, now: float) -> RoundOffer | Denied:
    """Return what somebody new would be given now, or why nobody new can begin."""
    shut = why_not_open(connection)
    if shut is not None:
        return shut
    number = current_round(connection)
    offered = offer(connection, served, number)
    if offered is None or offered.short:
        _free_places(connection, served=served, now=now)
        offered = offer(connection, served, number)
    return _nothing(connection, number, now=now) if offered is None else offered


def _free_places(connection: Connection, *, served: Served, now: float) -> None:
    """Open places that ran out, or whose people nobody confirmed in time."""
    drop_unconfirmed(connection, days=float(served.server["confirm_days"]), now=now)
    expire(connection, served=served, now=now)


def _enter(
    connection: Connection, person: Person, what: tuple[int, int | None], *, now: float
) -> None:
    """Store a person, the round they join and how many items it has if it is a short one."""
    number, short = what
    row = {"annotator": person.annotator, "source": person.source, "round": number, "joined": now}
    row |= {"short": short, "understood": now if person.understood else None}
    row |= {"channel": person.channel, "submission": person.submission, "browser": person.browser}
    row["language"] = person.language or None
    row["confirmed"] = now if person.confirmed else None
    _ENTER.run(connection, {**row, "consented": now if person.consented else None})


def _nothing(connection: Connection, number: int, *, now: float) -> Denied:
    free = _frees(connection, number)
    return Denied("full") if free is None else Denied("taken", seconds=max(free - now, 1.0))


def _frees(connection: Connection, number: int) -> float | None:
    """Return when a place that is only reserved may become free, None if answers fill them all."""
    mine = (items.c.kind == "item", items.c.withdrawn == 0, items.c.round == number)
    held = (
        select(func.min(slots.c.expires))
        .join(items)
        .where(*mine, slots.c.state == "reserved")
        .group_by(items.c.item)
        .having(items.c.taken - func.count() < items.c.target)
    )
    return min(connection.scalars(held), default=None)


def next_item(
    connection: Connection,
    annotator: str,
    *,
    served: Served,
    now: float,
    address: str = "",
) -> Shown | Done | Denied:
    """Return the item a person is to answer now, and keep in mind when they first saw it."""
    slot = next_slot(connection, annotator, served=served, now=now, address=address)
    return slot if isinstance(slot, Done | Denied) else show(connection, slot, now=now)


def held_next(
    connection: Connection, annotator: str, *, served: Served, now: float
) -> Shown | Done | Denied | None:
    """Return the item a person is to answer now if it is kept for them already, else None.

    What is written is when they first saw it, and what the time alone decides: nothing that would
    be missed.
    """
    person = _admitted(connection, annotator, served=served, now=now)
    if isinstance(person, Denied):
        return person
    slot = _current(connection, annotator)
    return None if slot is None else show(connection, slot, now=now)


def show(connection: Connection, slot: Slot, *, now: float) -> Shown:
    """Return a slot as it is shown, and keep in mind when that was first."""
    if slot.shown is None:
        mark_shown(connection, slot, now=now)
    return placed(connection, slot)


def next_slot(
    connection: Connection,
    annotator: str,
    *,
    served: Served,
    now: float,
    address: str = "",
) -> Slot | Done | Denied:
    """Return what a person is to answer now, reserving a batch where they have none.

    Args:
        connection: A transaction.
        annotator: The person.
        served: The study.
        now: The time.
        address: A hash of their address; empty if nothing is counted by it.
    """
    person = _admitted(connection, annotator, served=served, now=now)
    if isinstance(person, Denied):
        return person
    slot = _current(connection, annotator)
    if slot is None and not exclusions_of(connection, annotator) and gate_of(connection) != CLOSED:
        crowded = too_many(connection, address, annotator, served=served, now=now, new=False)
        if crowded is not None:
            return crowded
        arrive(connection, address, annotator, now=now)
        if reserve(connection, person, served=served, now=now):
            slot = _current(connection, annotator)
    return _done(connection, person, now=now) if slot is None else slot


def _admitted(
    connection: Connection, annotator: str, *, served: Served, now: float
) -> Row[Any] | Denied:
    """Return a person who may be shown items, or why they may not."""
    person: Row[Any] | None = _PERSON.first(connection, {"who": annotator})
    if person is None:
        return Denied("unknown")
    expire(connection, served=served, now=now)  # which may exclude this very person
    if None in exclusions_of(connection, annotator):
        return Denied("excluded")
    if screens(served.form) and is_screened_out(connection, annotator):
        return Denied("screened")
    if served.form.comprehension and person.understood is None:
        return Denied("comprehension")
    return person


def placed(connection: Connection, slot: Slot) -> Shown:
    """Return a slot as it is shown: its place in the batch, and the one before it."""
    which = {"who": slot.annotator, "group": slot.batch, "what": slot.item}
    batch = _BATCH.all(connection, which)
    place = next(n for n, row in enumerate(batch, 1) if row.position == slot.position)
    before = [row.reservation for row in batch[: place - 1] if row.state == "answered"]
    return Shown(
        item=slot.item,
        reservation=slot.reservation,
        batch=slot.batch,
        position=place,
        of=len(batch),
        answered=sum(row.state in {"answered", "accepted"} for row in batch),
        previous=before[-1] if before else None,
        step=slot.step,
    )


def _current(connection: Connection, annotator: str) -> Slot | None:
    slot: Slot | None = _CURRENT.first(connection, {"who": annotator})
    return slot


def _done(connection: Connection, person: Row[Any], *, now: float) -> Done:
    who = {"who": person.annotator}
    answered = _RATED.scalar(connection, who)
    if answered is not None and person.finished is None:
        _FINISH.run(connection, {**who, "now": now})
    if answered is not None:
        return Done(finished=True, short=person.short is not None)
    free = _frees(connection, person.round)
    return Done(finished=False, seconds=None if free is None else max(free - now, 1.0))


def held_item(connection: Connection, annotator: str) -> str | None:
    """Return the item that is kept for a person and comes next, None if none is."""
    slot = _current(connection, annotator)
    return None if slot is None else str(slot.item)


def is_known(connection: Connection, annotator: str) -> bool:
    """Return whether a person has begun."""
    return _PERSON.first(connection, {"who": annotator}) is not None


def finished_before(connection: Connection, annotator: str) -> Done | None:
    """Return that a person is done if they once were, whatever was decided about them since."""
    person = _PERSON.first(connection, {"who": annotator})
    if person is None or person.finished is None:
        return None
    return Done(finished=True, short=person.short is not None)


def language_of(connection: Connection, annotator: str) -> str:
    """Return the language of a person's items; empty if it is not known."""
    person = _PERSON.first(connection, {"who": annotator})
    return str(person.language or "") if person is not None else ""


def in_short_round(connection: Connection, annotator: str) -> bool:
    """Return whether a person has agreed to a short round."""
    person = _PERSON.first(connection, {"who": annotator})
    return person is not None and person.short is not None


def batch_size(connection: Connection, annotator: str) -> int:
    """Return how many items and checks a person's latest batch has."""
    return int(_SIZE.scalar(connection, {"who": annotator}) or 0)


def has_lapsed(connection: Connection, *, now: float) -> bool:
    """Return whether anything reserved was not answered in time."""
    return _LATE.first(connection, {"now": now}) is not None


def expire(connection: Connection, *, served: Served, now: float) -> None:
    """Free what was reserved and not answered in time, and settle the batches it ends."""
    rows = _LATE.all(connection, {"now": now})
    void(connection, rows, cause="lapsed")
    for annotator, batch in sorted({(row.annotator, row.batch) for row in rows}):
        settle(connection, annotator, batch, served=served, now=now)
