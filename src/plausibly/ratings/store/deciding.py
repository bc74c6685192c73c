"""Items that are closed as soon as enough people agree: as many ratings as could decide them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select, update

from plausibly.ratings.served import Served
from plausibly.ratings.store.latest import answers_of_slots
from plausibly.ratings.store.schema import answers, items, slots

_VALID = slots.c.state.in_(("answered", "accepted"))
_OPEN = (
    items.c.kind == "item",
    items.c.round == 1,
)  # a later round asks for what it was opened for
_ITEMS = select(items.c.item, items.c.taken, items.c.target).where(*_OPEN)
_VOTES = (
    select(slots.c.item, answers.c.answer, func.count().label("votes"))
    .select_from(slots)
    .join(answers, answers_of_slots())
    .where(_VALID, answers.c.question == bindparam("asked"), answers.c.candidate == "")
    .group_by(slots.c.item, answers.c.answer)
)
_RATED = select(slots.c.item, func.count().label("ratings")).where(_VALID).group_by(slots.c.item)
_AIM = update(items).where(items.c.item == bindparam("which")).values(target=bindparam("wanted"))


def reconsider(connection: Connection, served: Served, only: Collection[str] | None = None) -> None:
    """Want as many ratings of every item as could still decide it, and never above the target.

    With two equal answers of three an item wants two ratings; a third where the two differ. Does
    nothing in a study that asks for its target whatever people say.

    Args:
        connection: A transaction.
        served: The study.
        only: The items whose answers have changed; None for all.
    """
    plan = served.plan
    if not plan.decided or (only is not None and not only):
        return
    question = served.form.questions[0]
    asked = {"asked": question.id}
    rated = _rows(connection, _RATED, slots.c.item, only)
    ratings = {row.item: int(row.ratings) for row in rated}
    top: dict[str, int] = {}
    for row in _rows(connection, _VOTES, slots.c.item, only, asked):
        if row.answer not in question.unsure:
            top[row.item] = max(top.get(row.item, 0), row.votes)
    changed = []
    for row in _rows(connection, _ITEMS, items.c.item, only):
        needed = max(plan.decided - top.get(row.item, 0), 0)
        wanted = max(row.taken, min(plan.target, ratings.get(row.item, 0) + needed))
        if wanted != row.target:
            changed.append({"which": row.item, "wanted": wanted})
    if changed:
        connection.execute(_AIM, changed)


def _rows(
    connection: Connection,
    query: Any,
    column: Any,
    only: Collection[str] | None,
    told: dict[str, str] | None = None,
) -> Sequence[Row[Any]]:
    """Return the rows of a query about some items, or about all."""
    mine = query if only is None else query.where(column.in_(sorted(only)))
    return connection.execute(mine, told or {}).all()
