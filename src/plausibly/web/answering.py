"""Takes an answer: once, checked, by whom it was reserved for; and closes the batch it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, insert, select, tuple_, update

from plausibly.ratings.answers import Checked, Refusal, check_answers
from plausibly.ratings.forms import COMMENT
from plausibly.web.allocation import expire
from plausibly.web.places import Denied, Slot, exclusions_of
from plausibly.web.schema import answers, items, slots, submissions
from plausibly.web.served import Served
from plausibly.web.verdicts import settle

# Statements that every answer needs are built once, not every time.
_SLOT = select(slots).where(slots.c.reservation == bindparam("ticket"))
_SENT = select(submissions.c.item, submissions.c.revision).where(
    submissions.c.annotator == bindparam("who"), submissions.c.key == bindparam("ticket")
)
_ANSWERED = (
    update(slots)
    .where(slots.c.annotator == bindparam("who"), slots.c.item == bindparam("what"))
    .values(state="answered", revision=bindparam("number"))
)
_RENEW = (
    update(slots)
    .where(slots.c.annotator == bindparam("who"), slots.c.batch == bindparam("group"))
    .where(slots.c.state == "reserved")
    .values(expires=bindparam("until"))
)
_SUBMIT = insert(submissions)
_ANSWER = insert(answers)


@dataclass(frozen=True, slots=True)
class Saved:
    """An answer that is stored; `new` is False when its key had been used for it before."""

    revision: int
    new: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """Answers that the form does not admit."""

    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True)
class Sent:
    """What a person sends: a reservation, answers, and a key that makes sending twice harmless."""

    reservation: str
    given: Mapping[str, object]
    key: str


def answer(
    connection: Connection, annotator: str, sent: Sent, *, served: Served, now: float
) -> Saved | Refused | Denied:
    """Store an answer, or say why not; a key that was used before stores nothing again."""
    expire(connection, served=served, now=now)
    slot = connection.execute(_SLOT, {"ticket": sent.reservation}).first()
    if slot is None or slot.annotator != annotator:
        return Denied("forged")
    before = _sent_before(connection, annotator, sent.key)
    if before is not None:
        same = before.item == slot.item
        return Saved(before.revision, new=False) if same else Denied("key")
    denied = _closed(connection, slot)
    if denied is not None:
        return denied
    content = served.contents[slot.item]
    checked = check_answers(served.form, sent.given, candidates=content.names)
    if checked.refusals:
        mine = items.c.item == slot.item
        connection.execute(update(items).where(mine).values(refused=items.c.refused + 1))
        return Refused(checked.refusals)
    revision = _write(connection, slot, sent.key, checked, (served, now))
    if slot.state == "reserved":
        renew(connection, slot, served=served, now=now)
    return Saved(revision, new=True)


def find_slot(connection: Connection, annotator: str, reservation: str) -> Slot | None:
    """Return the slot of a reservation if it is the person's own and may still be answered."""
    slot = connection.execute(_SLOT, {"ticket": reservation}).first()
    if slot is None or slot.annotator != annotator or not is_open(connection, slot):
        return None
    return slot


def is_open(connection: Connection, slot: Slot) -> bool:
    """Tell whether a slot takes an answer: it is reserved, or its batch is not yet through."""
    if slot.state != "answered":
        return bool(slot.state == "reserved")
    batch = (slots.c.annotator == slot.annotator) & (slots.c.batch == slot.batch)
    left = select(slots.c.item).where(batch, slots.c.state == "reserved").limit(1)
    return connection.scalar(left) is not None


def given_before(connection: Connection, slot: Slot) -> dict[tuple[str, str], str]:
    """Return the latest answers to a slot by question and candidate, the comment included."""
    which = (slot.annotator, slot.item, slot.revision)
    mine = tuple_(answers.c.annotator, answers.c.item, answers.c.revision) == which
    said = tuple_(submissions.c.annotator, submissions.c.item, submissions.c.revision) == which
    given = {
        (row.question, row.candidate): row.answer
        for row in connection.execute(select(answers).where(mine))
    }
    comment = connection.scalar(select(submissions.c.comment).where(said))
    return given if comment is None else {**given, (COMMENT, ""): comment}


def renew(connection: Connection, slot: Slot, *, served: Served, now: float) -> None:
    """Renew the lease of what is left of the batch; settle the batch when nothing is left."""
    until = now + served.plan.lease
    which = {"who": slot.annotator, "group": slot.batch, "until": until}
    if not connection.execute(_RENEW, which).rowcount:
        settle(connection, slot.annotator, slot.batch, served=served, now=now)


def _sent_before(connection: Connection, annotator: str, key: str) -> Row[Any, Any] | None:
    return connection.execute(_SENT, {"who": annotator, "ticket": key}).first()


def _closed(connection: Connection, slot: Slot) -> Denied | None:
    """Return why a slot takes no answer any more, None if it does."""
    if is_open(connection, slot):
        return None
    if None in exclusions_of(connection, slot.annotator):
        return Denied("excluded")
    if slot.state == "void":
        return Denied("withdrawn" if slot.cause == "withdrawn" else "expired")
    return Denied("closed")


def _write(
    connection: Connection, slot: Slot, key: str, checked: Checked, when: tuple[Served, float]
) -> int:
    served, now = when
    revision = int(slot.revision) + 1
    row = {"annotator": slot.annotator, "item": slot.item, "revision": revision}
    told: dict[str, Any] = {"key": key, "form": f"{served.form.id}@{served.form.version}"}
    told |= {"shown": now if slot.shown is None else slot.shown, "submitted": now}
    connection.execute(_SUBMIT, {**row, **told, "comment": checked.comment})
    given = [
        {"question": a.question, "candidate": a.candidate, "answer": a.answer, "value": a.value}
        for a in checked.answers
    ]
    if given:
        connection.execute(_ANSWER, [{**row, **one} for one in given])
    which = {"who": slot.annotator, "what": slot.item, "number": revision}
    connection.execute(_ANSWERED, which)
    return revision
