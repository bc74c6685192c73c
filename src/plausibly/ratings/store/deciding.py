"""How many ratings an item needs: fewer once enough people agree, never above the target."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from functools import lru_cache

from sqlalchemy import Connection, bindparam, select, text, update

from plausibly.ratings.served import Served
from plausibly.ratings.store.dialect import upsert
from plausibly.ratings.store.prepared import Prepared
from plausibly.ratings.store.schema import facts, items

FACT = "design"
_STORED = Prepared(select(facts.c.value).where(facts.c.name == FACT))

# A later round asks for what it was opened for; the items of the first follow the answers.
_ITEMS = Prepared(
    text(
        """SELECT item, taken, target FROM items
        WHERE item IN (SELECT value FROM json_each(:which)) AND kind = 'item' AND round = 1"""
    )
)
_RATED = Prepared(
    text(
        """SELECT item, count(*) AS ratings FROM slots
        WHERE item IN (SELECT value FROM json_each(:which)) AND state IN ('answered', 'accepted')
        GROUP BY item"""
    )
)
_VOTES = Prepared(
    text(
        """SELECT slots.item AS item, answers.answer AS answer, count(*) AS votes
        FROM slots JOIN answers
            ON answers.annotator = slots.annotator AND answers.item = slots.item
        WHERE slots.item IN (SELECT value FROM json_each(:which))
            AND slots.state IN ('answered', 'accepted')
            AND answers.question = :asked AND answers.candidate = ''
            AND answers.revision = (
                SELECT max(later.revision) FROM submissions AS later
                WHERE later.annotator = answers.annotator AND later.item = answers.item
                    AND later.step = answers.step
            )
        GROUP BY slots.item, answers.answer"""
    )
)
_AIM = Prepared(
    update(items).where(items.c.item == bindparam("which")).values(target=bindparam("wanted"))
)
_NAMES = Prepared(select(items.c.item))


@dataclass(frozen=True, slots=True)
class CollectionDesign:
    """What the targets of a study follow from; stored with the answers, for every caller alike.

    Args:
        target: Most ratings per item.
        decided: Equal answers that close an item; 0 if none do.
        question: The question whose answers are counted.
        unsure: Answers that count for nothing.
    """

    target: int
    decided: int = 0
    question: str = ""
    unsure: tuple[str, ...] = ()


def design_of(served: Served) -> CollectionDesign:
    """Return the design of a study."""
    question = served.form.questions[0]
    plan = served.plan
    return CollectionDesign(plan.target, plan.decided, question.id, tuple(sorted(question.unsure)))


def follow_design(connection: Connection, served: Served) -> None:
    """Store the design that targets follow from now on."""
    value = json.dumps(asdict(design_of(served)))
    put = upsert(facts).values(name=FACT, value=value)
    connection.execute(put.on_conflict_do_update(index_elements=["name"], set_={"value": value}))


def stored_design(connection: Connection) -> CollectionDesign:
    """Return the design that is stored with the answers."""
    return _read(str(_STORED.scalar(connection, {})))


@lru_cache(8)
def _read(value: str) -> CollectionDesign:
    design = json.loads(value)
    return CollectionDesign(**{**design, "unsure": tuple(design["unsure"])})


def all_items(connection: Connection) -> list[str]:
    """Return the names of all items."""
    return _NAMES.scalars(connection, {})


def aim(connection: Connection, design: CollectionDesign, only: Collection[str]) -> None:
    """Set the target of items to as many ratings as could still decide them.

    With two equal answers of three an item needs two ratings, and a third where the two differ.
    Places that are held stay, so a target is never below what is taken.
    """
    which = {"which": json.dumps(sorted(only))}
    rows = _ITEMS.all(connection, which)
    if not rows:
        return
    ratings = {row.item: int(row.ratings) for row in _RATED.all(connection, which)}
    top: dict[str, int] = {}
    for row in _VOTES.all(connection, {**which, "asked": design.question}):
        if row.answer not in design.unsure:
            top[row.item] = max(top.get(row.item, 0), row.votes)
    changed = []
    for row in rows:
        needed = max(design.decided - top.get(row.item, 0), 0)
        wanted = max(row.taken, min(design.target, ratings.get(row.item, 0) + needed))
        if wanted != row.target:
            changed.append({"which": row.item, "wanted": wanted})
    if changed:
        _AIM.run_each(connection, changed)
