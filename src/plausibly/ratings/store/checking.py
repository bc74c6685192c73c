"""Who passed which check."""

from __future__ import annotations

from sqlalchemy import Connection, select

from plausibly.ratings.answers import Answer
from plausibly.ratings.served import Served, passes
from plausibly.ratings.store.latest import answers_of_slots
from plausibly.ratings.store.schema import answers, exclusions, items, people, slots
from plausibly.ratings.store.verdicts import UNCHECKED


def check_results(
    connection: Connection, served: Served, *, withdrawn: bool
) -> dict[tuple[str, str], bool]:
    """Return for each check and person who answered it whether they passed, by check.

    Args:
        connection: The answers.
        served: The study.
        withdrawn: Whether checks that were withdrawn are among them.
    """
    query = (
        select(slots.c.item, slots.c.annotator, answers.c.question, answers.c.candidate)
        .add_columns(answers.c.answer, answers.c.value)
        .join(items, items.c.item == slots.c.item)
        .join(answers, answers_of_slots())
        .where(items.c.kind.not_in(UNCHECKED))
        .order_by(slots.c.item, slots.c.annotator)
    )
    given: dict[tuple[str, str], list[Answer]] = {}
    for row in connection.execute(query if withdrawn else query.where(items.c.withdrawn == 0)):
        answer = Answer(row.question, row.candidate, row.answer, row.value)
        given.setdefault((row.item, row.annotator), []).append(answer)
    return {
        (item, annotator): passes(served.form, served.contents[item], tuple(one))
        for (item, annotator), one in given.items()
    }


def people_who_failed(connection: Connection, served: Served) -> int:
    """Return how many people failed a check and are neither excluded nor withdrawn."""
    results = check_results(connection, served, withdrawn=False)
    failed = {annotator for (_, annotator), passed in results.items() if not passed}
    if not failed:
        return 0
    out = select(exclusions.c.annotator).where(exclusions.c.undone.is_(None))
    gone = select(people.c.annotator).where(people.c.withdrew.is_not(None))
    return len(failed - set(connection.scalars(out)) - set(connection.scalars(gone)))
