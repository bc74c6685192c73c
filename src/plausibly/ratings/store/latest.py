"""The latest answers: revisions are counted for each step of an item."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, and_, func, select

from plausibly.ratings.answers import Answer
from plausibly.ratings.forms import COMMENT
from plausibly.ratings.store.places import Slot
from plausibly.ratings.store.schema import answers, slots, submissions


def _newest() -> ColumnElement[bool]:
    """Hold for answers that were not revised."""
    later = submissions.alias("later")
    same = (
        later.c.annotator == answers.c.annotator,
        later.c.item == answers.c.item,
        later.c.step == answers.c.step,
    )
    newest = select(func.max(later.c.revision)).where(*same).correlate(answers)
    return answers.c.revision == newest.scalar_subquery()


def answers_of_slots() -> ColumnElement[bool]:
    """Join slots with the latest answers to them."""
    mine = answers.c.annotator == slots.c.annotator
    return and_(mine, answers.c.item == slots.c.item, _newest())


def latest_answers(connection: Connection, slot: Slot) -> dict[tuple[str, str], Answer]:
    """Return the latest answers to a slot, of every step, by question and candidate."""
    mine = (answers.c.annotator == slot.annotator, answers.c.item == slot.item)
    return {
        (row.question, row.candidate): Answer(row.question, row.candidate, row.answer, row.value)
        for row in connection.execute(select(answers).where(*mine, _newest()))
    }


def given_before(connection: Connection, slot: Slot) -> dict[tuple[str, str], str]:
    """Return the latest answers to a slot by question and candidate, the comment included."""
    if not slot.revision:
        return {}
    given = {place: answer.answer for place, answer in latest_answers(connection, slot).items()}
    mine = (submissions.c.annotator == slot.annotator, submissions.c.item == slot.item)
    said = select(submissions.c.step, submissions.c.comment).where(*mine)
    rows = connection.execute(said.order_by(submissions.c.step, submissions.c.revision)).all()
    last = {row.step: row.comment for row in rows}
    comments = [comment for comment in last.values() if comment is not None]
    return {**given, (COMMENT, ""): comments[-1]} if comments else given
