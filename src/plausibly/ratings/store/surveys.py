"""Surveys: items that are handed out together, to people who have seen none of them."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from sqlalchemy import Connection, bindparam, func, select

from plausibly.ratings.store.schema import items, surveys

# How many ratings the item of a survey that has fewest still wants.
_WANTED = (
    select(surveys.c.survey, func.max(items.c.target - items.c.taken).label("wanted"))
    .join(items, items.c.item == surveys.c.item)
    .where(items.c.kind == "item", items.c.withdrawn == 0, items.c.round == bindparam("number"))
    .group_by(surveys.c.survey)
    .order_by(surveys.c.survey)
)
_PARTS = (
    select(surveys.c.item, items.c.kind, items.c.withdrawn)
    .join(items, items.c.item == surveys.c.item)
    .where(surveys.c.survey == bindparam("survey"))
    .order_by(surveys.c.position)
)


def draw_survey(
    connection: Connection, number: int, seen: Collection[str], lot: np.random.Generator
) -> tuple[str | None, list[str]]:
    """Return the survey that wants most and its items, chance deciding among equals; or nothing.

    A survey of which a person has seen a pair is not theirs any more. Checks may stand in
    several; one a person has answered is left out.
    """
    rows = [row for row in connection.execute(_WANTED, {"number": number}) if row.wanted > 0]
    order = lot.permutation(len(rows))
    for row in sorted((rows[n] for n in order), key=lambda row: -row.wanted):
        parts = connection.execute(_PARTS, {"survey": row.survey}).all()
        if any(part.kind == "item" and part.item in seen for part in parts):
            continue
        left = [part.item for part in parts if not part.withdrawn and part.item not in seen]
        return row.survey, left
    return None, []
