"""Who passed which check."""

from __future__ import annotations

from sqlalchemy import Connection, select

from plausibly.ratings.answers import Answer
from plausibly.ratings.served import Served, passes
from plausibly.ratings.store.latest import answers_of_slots
from plausibly.ratings.store.schema import answers, exclusions, items, people, slots
from plausibly.ratings.store.verdicts import UNCHECKED

_Given = tuple[str, str, str, float | None]  # the fields of an answer


def check_results(
    connection: Connection, served: Served, *, withdrawn: bool
) -> dict[tuple[str, str], bool]:
    """Return for each check and person who answered it whether they passed, by check.

    People who took back their consent are not among them.

    Args:
        connection: The answers.
        served: The study.
        withdrawn: Whether checks that were withdrawn are among them.
    """
    checks = select(items.c.item).where(items.c.kind.not_in(UNCHECKED))
    if not withdrawn:
        checks = checks.where(items.c.withdrawn == 0)
    gone = select(people.c.annotator).where(people.c.withdrew.is_not(None))
    query = (
        select(slots.c.item, slots.c.annotator, answers.c.question, answers.c.candidate)
        .add_columns(answers.c.answer, answers.c.value)
        .select_from(slots)
        .join(answers, answers_of_slots())
        .where(slots.c.item.in_(checks), slots.c.annotator.not_in(gone))  # a join reads every slot
        .order_by(slots.c.item, slots.c.annotator)
    )
    given: dict[tuple[str, str], tuple[_Given, ...]] = {}
    for item, annotator, *answer in connection.execute(query):
        known = given.get((item, annotator), ())
        given[item, annotator] = (*known, (answer[0], answer[1], answer[2], answer[3]))
    alike = {(item, some) for (item, _), some in given.items()}  # few, however many people
    passed = {
        (item, some): passes(
            served.form, served.contents[item], tuple(Answer(*one) for one in some)
        )
        for item, some in alike
    }
    return {(item, annotator): passed[item, some] for (item, annotator), some in given.items()}


def people_who_failed(connection: Connection, served: Served) -> frozenset[str]:
    """Return who failed a check, whatever was decided about them."""
    results = check_results(connection, served, withdrawn=False)
    return frozenset(annotator for (_, annotator), passed in results.items() if not passed)


def still_counted(connection: Connection, annotators: frozenset[str]) -> int:
    """Return how many of these people are neither excluded nor withdrawn nor erased."""
    if not annotators:
        return 0
    out = select(exclusions.c.annotator).where(exclusions.c.undone.is_(None))
    there = select(people.c.annotator).where(people.c.withdrew.is_(None))
    return len(annotators & set(connection.scalars(there)) - set(connection.scalars(out)))
