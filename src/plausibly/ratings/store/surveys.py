"""Surveys: items that are handed out together, to people who have seen none of them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, bindparam, func, select

from plausibly.ratings.store.schema import items, surveys

# How many ratings the item of a survey that has fewest still needs.
_WANTED = (
    select(surveys.c.survey, func.max(items.c.target - items.c.taken).label("wanted"))
    .join(items, items.c.item == surveys.c.item)
    .where(items.c.kind == "item", items.c.withdrawn == 0, items.c.round == bindparam("number"))
    .group_by(surveys.c.survey)
    .order_by(surveys.c.survey)
)
_PARTS = (
    select(surveys.c.item, items.c.kind, items.c.withdrawn, items.c.item_group)
    .add_columns(items.c.exact, (items.c.target - items.c.taken).label("wanted"))
    .join(items, items.c.item == surveys.c.item)
    .where(surveys.c.survey == bindparam("survey"))
    .order_by(surveys.c.position)
)


@dataclass(frozen=True, slots=True)
class Met:
    """What a person has met so far: items, and groups one of whose items they had."""

    items: Collection[str]
    groups: Collection[str]


def draw_survey(
    connection: Connection,
    number: int,
    met: Met,
    lot: np.random.Generator,
    fits: Callable[[str], bool],
    *,
    least: int = 1,
) -> tuple[str | None, list[str]]:
    """Return the survey that needs most ratings and its items, ties broken at random; or nothing.

    One of which fewer than `least` items are open is drawn only if there is no other.
    A survey of which a person has met a pair, or another item of its group, is not theirs any
    more. Checks may be in several; one a person has answered is left out, and so is an item
    that may not get more ratings than it has. Every item must fit the person's language.
    """
    rows = [row for row in connection.execute(_WANTED, {"number": number}) if row.wanted > 0]
    order = lot.permutation(len(rows))
    scarce: tuple[str | None, list[str]] = None, []
    for row in sorted((rows[n] for n in order), key=lambda row: -row.wanted):
        parts = connection.execute(_PARTS, {"survey": row.survey}).all()
        if any(part.kind == "item" and _is_met(part, met) for part in parts):
            continue
        if not all(fits(part.item) for part in parts):
            continue
        some = [part for part in parts if _is_open(part, met)]
        drawn = row.survey, [part.item for part in some]
        if sum(part.kind == "item" for part in some) >= least:
            return drawn
        scarce = scarce if scarce[1] else drawn
    return scarce


def _is_met(part: Row[Any], met: Met) -> bool:
    return part.item in met.items or part.item_group in met.groups


def _is_open(part: Row[Any], met: Met) -> bool:
    full = part.exact and part.wanted <= 0
    return not (part.withdrawn or part.item in met.items or full)
