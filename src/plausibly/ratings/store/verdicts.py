"""What counts: checks passed or failed, people excluded and restored, items withdrawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, insert, literal_column, select, update

from plausibly.ratings.answers import Answer
from plausibly.ratings.retests import AGAIN
from plausibly.ratings.served import Served, passes
from plausibly.ratings.store.latest import answers_of_slots
from plausibly.ratings.store.moving import accept, bring_back, void
from plausibly.ratings.store.places import Denied, Slot, exclusions_of
from plausibly.ratings.store.prepared import Prepared
from plausibly.ratings.store.schema import answers, exclusions, items, people, slots
from plausibly.ratings.store.screening import let_in_again

AWAY = ("excluded", "surplus")
INCOMPLETE = "incomplete"
LEFT = "took back consent"  # why a person who withdrew is excluded
PLATFORM = "platform: "  # begins the reason of an exclusion that follows the platform's status
GRACE = 7 * 24 * 3600.0  # seconds in which a withdrawal can be undone
UNCHECKED = ("item", "retest", "filler")  # kinds of which nothing is expected

# Statements that every batch needs are built once: a crowd ends its batches at about one time.
_BATCH = (slots.c.annotator == bindparam("who"), slots.c.batch == bindparam("group"))
_LEFT = Prepared(select(slots.c.item).where(*_BATCH, slots.c.state == "reserved").limit(1))
_AWAY = Prepared(select(slots).where(*_BATCH, slots.c.cause == INCOMPLETE))
_ANSWERED = Prepared(select(slots).where(*_BATCH, slots.c.state == "answered"))
_CHECKED = Prepared(
    select(slots.c.item, answers.c.question, answers.c.candidate)
    .add_columns(answers.c.answer, answers.c.value)
    .join(items, items.c.item == slots.c.item)
    .outerjoin(answers, answers_of_slots())
    .where(*_BATCH, items.c.withdrawn == 0)
    .where(literal_column(f"items.kind NOT IN {UNCHECKED}"))
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a person's or an item's answers."""

    voided: int = 0
    restored: int = 0
    surplus: int = 0
    people: int = 0


def settle(
    connection: Connection, annotator: str, batch: int, *, served: Served, now: float
) -> None:
    """Accept the answers of a batch that is over and whose checks were answered as expected.

    After a failed check the answers stay as answered, or the person is excluded, as the plan
    says. After an unanswered one they stay as answered.
    """
    which = {"who": annotator, "group": batch}
    if _LEFT.scalar(connection, which) is not None:
        return
    if served.plan.min_answered and not _judged_enough(connection, annotator, batch, served):
        void(connection, _ANSWERED.all(connection, which), cause=INCOMPLETE)
        return
    bring_back(connection, _AWAY.all(connection, which))
    results = checks_of(connection, annotator, batch, served=served)
    if all(results.values()):
        accept(connection, annotator, batch)
    elif served.plan.failed_check == "exclude":
        for check, passed in results.items():
            if passed is False:
                exclude(connection, annotator, check=check, reason="failed a check", now=now)


def _judged_enough(connection: Connection, annotator: str, batch: int, served: Served) -> bool:
    """Return whether enough items of a batch were judged; who is not sure has not judged."""
    unsure = {(q.id, answer) for q in served.form.questions for answer in q.unsure}
    mine = (slots.c.annotator == annotator, slots.c.batch == batch, items.c.kind == "item")
    query = (
        select(slots.c.item, answers.c.question, answers.c.answer)
        .join(items, items.c.item == slots.c.item)
        .outerjoin(answers, answers_of_slots())
        .where(*mine, items.c.withdrawn == 0)
    )
    rows = connection.execute(query).all()
    asked = {row.item for row in rows}
    judged = {row.item for row in rows if row.question and (row.question, row.answer) not in unsure}
    return len(judged) >= served.plan.min_answered * len(asked)


def checks_of(
    connection: Connection, annotator: str, batch: int, *, served: Served
) -> dict[str, bool | None]:
    """Return for each check of a batch whether it was passed, None without an answer."""
    given: dict[str, list[Answer]] = {}
    for row in _CHECKED.all(connection, {"who": annotator, "group": batch}):
        own = given.setdefault(row.item, [])
        if row.question is not None:
            own.append(Answer(row.question, row.candidate, row.answer, row.value))
    return {
        check: passes(served.form, served.contents[check], tuple(own)) if own else None
        for check, own in given.items()
    }


def exclude(
    connection: Connection, annotator: str, *, check: str | None, reason: str, now: float
) -> Verdict | Denied:
    """Exclude a person: void what they answered and reopen the places, in the same step."""
    if connection.scalar(_person(annotator)) is None:
        return Denied("no-person")
    same = (exclusions.c.annotator == annotator, exclusions.c.item.is_not_distinct_from(check))
    alike = _same_kind(reason)
    there = select(exclusions.c.number).where(*same, alike, exclusions.c.undone.is_(None))
    if connection.scalar(there) is None:
        row = {"annotator": annotator, "item": check, "reason": reason, "made": now}
        connection.execute(insert(exclusions).values(row))
    counted = (slots.c.state != "void") | (slots.c.cause == "surplus")
    mine = select(slots).where(slots.c.annotator == annotator, counted)
    rows = connection.execute(mine).all()
    void(connection, rows, cause="excluded")
    return Verdict(voided=sum(row.state != "void" for row in rows))


def _same_kind(reason: str) -> ColumnElement[bool]:
    """Hold for exclusions by the same side: the person, the platform, or the researcher."""
    by_person = exclusions.c.reason == LEFT
    by_platform = exclusions.c.reason.startswith(PLATFORM)
    if reason == LEFT:
        return by_person
    return by_platform if reason.startswith(PLATFORM) else ~by_person & ~by_platform


def leave(connection: Connection, annotator: str, *, now: float) -> Verdict | Denied:
    """Let a person withdraw: their answers are void and not given out, unless they undo it."""
    verdict = exclude(connection, annotator, check=None, reason=LEFT, now=now)
    me = (people.c.annotator == annotator, people.c.withdrew.is_(None))
    connection.execute(update(people).where(*me).values(withdrew=now))
    return verdict


def grace_left(connection: Connection, annotator: str, *, now: float) -> float | None:
    """Return for how many seconds a person may undo their withdrawal; 0 if it is final.

    None if they did not withdraw.
    """
    me = people.c.annotator == annotator
    withdrew = connection.scalar(select(people.c.withdrew).where(me))
    return None if withdrew is None else max(float(withdrew) + GRACE - now, 0.0)


def withdrawn_for_good(connection: Connection, *, now: float) -> tuple[str, ...]:
    """Return the people who withdrew and can no longer undo it."""
    final = people.c.withdrew <= now - GRACE
    names = connection.scalars(select(people.c.annotator).where(final))
    return tuple(sorted(str(name) for name in names))


def stay(connection: Connection, annotator: str, *, now: float) -> Verdict | Denied:
    """Undo a person's withdrawal; their answers come back where there is room."""
    if not grace_left(connection, annotator, now=now):
        return Denied("withdrew")
    me = people.c.annotator == annotator
    connection.execute(update(people).where(me).values(withdrew=None))
    mine = (exclusions.c.annotator == annotator, exclusions.c.reason == LEFT)
    undone = update(exclusions).where(*mine, exclusions.c.undone.is_(None))
    connection.execute(undone.values(undone=now))
    return Verdict() if exclusions_of(connection, annotator) else readmit(connection, annotator)


def restore(connection: Connection, annotator: str, *, now: float) -> Verdict | Denied:
    """Undo every verdict on a person and bring their answers back where there is room."""
    let_in = let_in_again(connection, annotator, now=now)
    if connection.scalar(_person(annotator)) is None:
        return Verdict(people=1) if let_in else Denied("no-person")
    me = people.c.annotator == annotator
    if connection.scalar(select(people.c.withdrew).where(me)) is not None:
        return Denied("withdrew")
    if let_in:
        connection.execute(update(people).where(me).values(attempts=0))
    mine = (exclusions.c.annotator == annotator) & exclusions.c.undone.is_(None)
    connection.execute(update(exclusions).where(mine).values(undone=now))
    return readmit(connection, annotator)


def readmit(connection: Connection, annotator: str) -> Verdict:
    """Bring the answers of a person who is no longer excluded back where there is room."""
    mine = slots.c.annotator == annotator
    rows = connection.execute(select(slots).where(mine, slots.c.cause.in_(AWAY))).all()
    return _return(connection, rows)


def _return(connection: Connection, rows: Sequence[Slot]) -> Verdict:
    """Bring answers back where there is room; what was not answered has lapsed.

    Answers of people who are excluded stay away.
    """
    void(connection, [row for row in rows if row.was == "reserved"], cause="lapsed")
    out = {who for who in {row.annotator for row in rows} if exclusions_of(connection, who)}
    answered = [row for row in rows if row.was != "reserved" and row.annotator not in out]
    away = [row for row in rows if row.was != "reserved" and row.annotator in out]
    void(connection, away, cause="excluded")
    back = bring_back(connection, answered)
    return Verdict(restored=back, surplus=len(answered) - back)


def withdraw(connection: Connection, item: str, *, served: Served, now: float) -> Verdict | Denied:
    """Withdraw an item: nobody gets it any more, its answers are void.

    Withdrawing a check undoes the exclusions it caused, and accepts batches that only it kept
    from being accepted.
    """
    if connection.scalar(select(items.c.item).where(items.c.item == item)) is None:
        return Denied("no-item")
    again = f"{item}{AGAIN}"
    if again in served.contents:  # its second showing goes with it
        withdraw(connection, again, served=served, now=now)
    connection.execute(update(items).where(items.c.item == item).values(withdrawn=1))
    rows = connection.execute(select(slots).where(slots.c.item == item)).all()
    gone = [row for row in rows if row.state != "void" or row.cause in (*AWAY, INCOMPLETE)]
    void(connection, gone, cause="withdrawn")
    caused = (exclusions.c.item == item) & exclusions.c.undone.is_(None)
    freed = sorted(set(connection.scalars(select(exclusions.c.annotator).where(caused))))
    connection.execute(update(exclusions).where(caused).values(undone=now))
    readmitted = [one for one in freed if not exclusions_of(connection, one)]
    verdicts = [readmit(connection, annotator) for annotator in readmitted]
    for row in rows:
        if row.state in {"answered", "accepted"} or row.annotator in readmitted:
            settle(connection, row.annotator, row.batch, served=served, now=now)
    return Verdict(
        voided=sum(row.state != "void" for row in rows),
        restored=sum(verdict.restored for verdict in verdicts),
        surplus=sum(verdict.surplus for verdict in verdicts),
        people=len(readmitted),
    )


def give_back(connection: Connection, item: str, *, served: Served, now: float) -> Verdict | Denied:
    """Undo the withdrawal of an item: it is handed out again, its answers count again.

    Where there is no room for them they wait as surplus. A check judges its batches again.
    """
    mine = items.c.item == item
    if connection.scalar(select(items.c.item).where(mine)) is None:
        return Denied("no-item")
    again = f"{item}{AGAIN}"
    if again in served.contents:
        give_back(connection, again, served=served, now=now)
    connection.execute(update(items).where(mine).values(withdrawn=0))
    away = select(slots).where(slots.c.item == item, slots.c.cause == "withdrawn")
    rows = connection.execute(away).all()
    verdict = _return(connection, rows)
    for row in rows:
        settle(connection, row.annotator, row.batch, served=served, now=now)
    return verdict


def _person(annotator: str) -> Any:
    return select(people.c.annotator).where(people.c.annotator == annotator)
