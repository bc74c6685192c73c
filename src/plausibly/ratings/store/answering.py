"""Takes an answer: once, checked, by whom it was reserved for; and closes the batch it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, tuple_, update

from plausibly.ratings.answers import Checked, Refusal, check_answers, due_after
from plausibly.ratings.served import Served
from plausibly.ratings.store.allocation import expire
from plausibly.ratings.store.latest import latest_answers
from plausibly.ratings.store.moving import judge_again, move, renew_lease
from plausibly.ratings.store.places import Denied, Slot, exclusions_of
from plausibly.ratings.store.prepared import Prepared
from plausibly.ratings.store.schema import RESERVED, answers, items, slots, submissions
from plausibly.ratings.store.verdicts import settle

MINUTE = 60.0

# Statements that every answer needs are built once, not every time.
_SLOT = Prepared(select(slots).where(slots.c.reservation == bindparam("ticket")))
_SENT = Prepared(
    select(submissions).where(
        submissions.c.annotator == bindparam("who"), submissions.c.key == bindparam("ticket")
    )
)
_REVISION = Prepared(
    select(func.max(submissions.c.revision)).where(
        submissions.c.annotator == bindparam("who"),
        submissions.c.item == bindparam("what"),
        submissions.c.step == bindparam("which"),
    )
)
_WHOLE = Prepared(
    select(slots)
    .where(slots.c.annotator == bindparam("who"), slots.c.batch == bindparam("group"))
    .order_by(slots.c.position)
)
_LEFT = Prepared(
    select(slots.c.item)
    .where(slots.c.annotator == bindparam("who"), slots.c.batch == bindparam("group"))
    .where(RESERVED)
    .limit(1)
)
_LAST = Prepared(
    select(slots)
    .where(slots.c.annotator == bindparam("who"), slots.c.revision > 0)
    .order_by(slots.c.batch.desc(), slots.c.position.desc())
    .limit(1)
)
_WHEN = Prepared(
    select(func.max(submissions.c.submitted)).where(
        submissions.c.annotator == bindparam("who"), submissions.c.item == bindparam("what")
    )
)
_LATELY = Prepared(
    select(func.count(submissions.c.submitted.distinct()), func.min(submissions.c.submitted)).where(
        submissions.c.annotator == bindparam("who"), submissions.c.submitted > bindparam("since")
    )
)
_SUBMIT = Prepared(insert(submissions))
_ANSWER = Prepared(insert(answers))


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
    """What a person sends: a reservation, answers, and a key that makes sending twice harmless.

    Args:
        reservation: Which item was given to them.
        given: The answers.
        key: Chosen by the sender, used once.
        step: The step of the item that is answered; None for the one that is due.
        together: How many items the page it comes from shows.
        corrects: Whether what was answered last may be corrected though its batch is over, as on
            the pages, where people see that it is.
        per_minute: How many pages one person may send in a minute; 0 if nobody counts.
    """

    reservation: str
    given: Mapping[str, object]
    key: str
    step: int | None = None
    together: int = 1
    corrects: bool = False
    per_minute: int = 0


def answer(
    connection: Connection, annotator: str, sent: Sent, *, served: Served, now: float
) -> Saved | Refused | Denied:
    """Store an answer, or say why not; a key that was used before stores nothing again."""
    expire(connection, served=served, now=now)
    slot = _SLOT.first(connection, {"ticket": sent.reservation})
    if slot is None or slot.annotator != annotator:
        return Denied("forged")
    before = _sent_before(connection, annotator, sent.key)
    if before is not None:
        return _again(connection, slot, sent, before, served)
    closed = not is_open(connection, slot, served=served, now=now, corrects=sent.corrects)
    if closed or _is_fast(connection, annotator, sent.per_minute, now=now):
        return _why_closed(connection, slot) if closed else Denied("fast", seconds=MINUTE)
    step = due_step(slot, served) if sent.step is None else sent.step
    if not may_answer(slot, step, served):
        return Denied("committed")
    checked = _check(connection, slot, sent, step, served)
    if checked.refusals:
        mine = items.c.item == slot.item
        connection.execute(update(items).where(mine).values(refused=items.c.refused + 1))
        return Refused(checked.refusals)
    over = slot.state != "reserved" and not _is_left(connection, slot)
    if over:  # the last item is corrected: what is accepted is judged again
        judge_again(connection, slot.annotator, slot.batch)
        slot = _SLOT.first(connection, {"ticket": sent.reservation})
    revision = _write(connection, slot, sent, (step, checked), (served, now))
    if slot.state == "reserved":
        renew(connection, slot, served=served, now=now)
    elif over:
        settle(connection, slot.annotator, slot.batch, served=served, now=now)
    return Saved(revision, new=True)


def _is_fast(connection: Connection, annotator: str, most: int, *, now: float) -> bool:
    """Return whether a person has sent as many pages in a minute as anyone may; 0: no limit.

    Items of one page are sent at one time and count once.
    """
    if not most:
        return False
    count, earliest = _LATELY.run(connection, {"who": annotator, "since": now - MINUTE}).fetchone()
    return bool(count >= most and earliest < now)


def _again(
    connection: Connection, slot: Slot, sent: Sent, before: Row[Any, Any], served: Served
) -> Saved | Denied:
    """Return what a key stored, if the same is sent with it once more."""
    if before.item != slot.item:
        return Denied("key")
    mine = tuple_(answers.c.annotator, answers.c.item, answers.c.step, answers.c.revision)
    which = (before.annotator, before.item, before.step, before.revision)
    stored = {
        (row.question, row.candidate): row.answer
        for row in connection.execute(select(answers).where(mine == which))
    }
    checked = _check(connection, slot, sent, before.step, served)
    given = {(one.question, one.candidate): one.answer for one in checked.answers}
    same = not checked.refusals and (given, checked.comment) == (stored, before.comment)
    return Saved(before.revision, new=False) if same else Denied("other-answer")


def due_step(slot: Slot, served: Served) -> int:
    """Return the step of an item that is answered next; of an answered one, the last."""
    if slot.state == "reserved":
        return min(int(slot.step), served.form.steps)
    return int(slot.last) if slot.last else 1


def may_answer(slot: Slot, step: int, served: Served) -> bool:
    """Check if a step takes an answer: the one that is due, an earlier one if that is open."""
    due = due_step(slot, served)
    return step == due or (served.form.reopen and slot.state == "reserved" and 1 <= step < due)


def _check(connection: Connection, slot: Slot, sent: Sent, step: int, served: Served) -> Checked:
    earlier = latest_answers(connection, slot) if step > 1 else {}
    steps = {question.id: question.form_step for question in served.form.questions}
    seen = served.seen(slot.item, slot.annotator)
    known = seen.outward.answers(one for one in earlier.values() if steps[one.question] < step)
    checked = check_answers(
        seen.form,
        sent.given,
        candidates=seen.known,
        step=step,
        earlier={(one.question, one.candidate): one for one in known},
    )
    return seen.checked(checked)


def find_slot(
    connection: Connection, annotator: str, reservation: str, *, served: Served, now: float
) -> Slot | None:
    """Return the slot of a reservation if it is the person's own and may still be answered."""
    slot = own_slot(connection, annotator, reservation)
    if slot is None or not is_open(connection, slot, served=served, now=now, corrects=True):
        return None
    return slot


def own_slot(connection: Connection, annotator: str, reservation: str) -> Slot | None:
    """Return the slot of a reservation if it is the person's own, whatever became of it."""
    slot = _SLOT.first(connection, {"ticket": reservation})
    return slot if slot is not None and slot.annotator == annotator else None


def is_open(
    connection: Connection, slot: Slot, *, served: Served, now: float, corrects: bool = False
) -> bool:
    """Return whether a slot takes an answer: it is reserved, or its batch is not yet through.

    For whoever corrects it, the page they answered last stays open as long as a lease lasts.
    """
    if slot.state not in {"answered", "accepted"}:
        return bool(slot.state == "reserved")
    if slot.state == "answered" and _is_left(connection, slot):
        return True
    if not corrects:
        return False
    last = _LAST.first(connection, {"who": slot.annotator})
    if not is_together(slot, last, served):
        return False
    which = {"who": slot.annotator, "what": slot.item}
    return now - float(_WHEN.scalar(connection, which) or 0.0) <= served.plan.lease


def is_together(slot: Slot, other: Slot, served: Served) -> bool:
    """Return whether two slots are on the same page."""
    per_page = served.form.per_page
    same = (slot.position - 1) // per_page == (other.position - 1) // per_page
    return bool(slot.batch == other.batch and same)


def page_slots(connection: Connection, slot: Slot, *, served: Served) -> list[Slot]:
    """Return the slots on the page of a slot, including that slot, in their order."""
    if served.form.per_page == 1:
        return [slot]
    which = {"who": slot.annotator, "group": slot.batch}
    batch = _WHOLE.all(connection, which)
    valid = [one for one in batch if one.state != "void" or one.item == slot.item]
    return [one for one in valid if is_together(one, slot, served)]


def last_open(connection: Connection, annotator: str, *, served: Served, now: float) -> str | None:
    """Return the reservation a person answered last if it may be corrected, else None."""
    slot = _LAST.first(connection, {"who": annotator})
    if slot is None or not is_open(connection, slot, served=served, now=now, corrects=True):
        return None
    return str(slot.reservation)


def _is_left(connection: Connection, slot: Slot) -> bool:
    """Return whether anything of a slot's batch is still to be answered."""
    which = {"who": slot.annotator, "group": slot.batch}
    return _LEFT.scalar(connection, which) is not None


def renew(connection: Connection, slot: Slot, *, served: Served, now: float) -> None:
    """Renew the lease of what is left of the batch; settle the batch when nothing is left."""
    if not renew_lease(connection, slot, until=now + served.plan.lease):
        settle(connection, slot.annotator, slot.batch, served=served, now=now)


def _sent_before(connection: Connection, annotator: str, key: str) -> Row[Any, Any] | None:
    row: Row[Any, Any] | None = _SENT.first(connection, {"who": annotator, "ticket": key})
    return row


def _due_after(connection: Connection, slot: Slot, step: int, served: Served) -> int:
    """Return the step that comes next: one in which something is asked."""
    if step >= served.form.steps:
        return step + 1
    taken = latest_answers(connection, slot)
    return due_after(served.form, step, taken, served.contents[slot.item].names)


def _why_closed(connection: Connection, slot: Slot) -> Denied:
    """Return why a slot takes no answer any more."""
    if None in exclusions_of(connection, slot.annotator):
        return Denied("excluded")
    if slot.state == "void":
        return Denied("withdrawn" if slot.cause == "withdrawn" else "expired")
    return Denied("closed")


def _write(
    connection: Connection,
    slot: Slot,
    sent: Sent,
    what: tuple[int, Checked],
    when: tuple[Served, float],
) -> int:
    (step, checked), (served, now) = what, when
    which = {"who": slot.annotator, "what": slot.item}
    before = _REVISION.scalar(connection, {**which, "which": step}) if slot.revision else 0
    revision = int(before or 0) + 1
    row = {"annotator": slot.annotator, "item": slot.item, "step": step, "revision": revision}
    fields: dict[str, Any] = {"key": sent.key, "form": f"{served.form.id}@{served.form.version}"}
    fields["together"] = sent.together
    fields |= {"shown": now if slot.shown is None else min(slot.shown, now), "submitted": now}
    _SUBMIT.run(connection, {**row, **fields, "comment": checked.comment})
    given = [
        {"question": a.question, "candidate": a.candidate, "answer": a.answer, "value": a.value}
        for a in checked.answers
    ]
    if given:
        _ANSWER.run_each(connection, [{**row, **one} for one in given])
    later = max(int(slot.step), _due_after(connection, slot, step, served))
    more = later <= served.form.steps  # what comes then is first shown later
    state = slot.state if more else "answered"
    seen = None if more else slot.shown
    done = max(step, int(slot.last or 0))
    values = {"state": state, "step": later, "shown": seen, "last": done}
    place = {"annotator": slot.annotator, "item": slot.item, "revision": slot.revision + 1}
    move(connection, [{**place, **values}])
    return revision
