"""Opens the answers of a study: an older file is brought up to date, and so are the items."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, delete, func, insert, inspect, select, update
from sqlalchemy.exc import DatabaseError

from plausibly.errors import StudyError
from plausibly.ratings.retests import RETEST
from plausibly.ratings.served import Content, Served
from plausibly.ratings.store.changes import follow_form, follow_items
from plausibly.ratings.store.deciding import follow_design
from plausibly.ratings.store.desk import new_link_numbers
from plausibly.ratings.store.dialect import upsert
from plausibly.ratings.store.migration import migrate
from plausibly.ratings.store.moving import derive
from plausibly.ratings.store.rounds import FILE as ROUNDS_FILE
from plausibly.ratings.store.rounds import top_up
from plausibly.ratings.store.schema import (
    VERSION,
    facts,
    items,
    metadata,
    rounds,
    slots,
    surveys,
)
from plausibly.ratings.store.triggers import LATER_TRIGGERS, TRIGGERS

PROBE = "probe"


def prepare(engine: Engine, served: Served, *, now: float) -> str:
    """Create the schema if there is none, bring the items up to date; return the study's number."""
    migrate(Path(engine.url.database or ""))
    try:
        with engine.begin() as connection:
            if not inspect(connection).has_table("facts"):
                _create(connection, now)
            known = dict(connection.execute(select(facts.c.name, facts.c.value)).all())
            metadata.create_all(connection)  # tables that were added since the answers were begun
            for index in slots.indexes:
                index.create(connection, checkfirst=True)
            for trigger in LATER_TRIGGERS:
                connection.exec_driver_sql(trigger)
            follow_design(connection, served)
            update_items(connection, served, now=now)
            follow_form(connection, served, now=now)
            update_surveys(connection, served)
            top_up(connection, served.folder / ROUNDS_FILE, now=now)
            new_link_numbers(connection, replace=False)
            return str(known["study"])
    except DatabaseError as error:
        raise StudyError(f"{engine.url.database}: cannot be used ({error.orig}).") from error


def _create(connection: Connection, now: float) -> None:
    metadata.create_all(connection)
    for trigger in TRIGGERS:
        connection.exec_driver_sql(trigger)
    number = {"name": "study", "value": secrets.token_hex(8)}
    version = {"name": "schema", "value": str(VERSION)}
    connection.execute(insert(facts), [number, version])
    connection.execute(insert(rounds).values(round=1, opened=now))


def remembered(engine: Engine, name: str) -> str | None:
    """Return the fact stored under a name, None if there is none."""
    with engine.begin() as connection:
        return connection.scalar(select(facts.c.value).where(facts.c.name == name))


def remember(engine: Engine, name: str, value: str) -> str:
    """Return the fact stored under a name, which is `value` if there was none."""
    with engine.begin() as connection:
        known = connection.scalar(select(facts.c.value).where(facts.c.name == name))
        if known is None:
            connection.execute(insert(facts).values(name=name, value=value))
        return str(known or value)


def probe(connection: Connection) -> None:
    """Write something that changes nothing, and as much of it as an answer takes."""
    connection.execute(
        upsert(facts)
        .values(name=PROBE, value=" " * 4096)
        .on_conflict_do_update(index_elements=["name"], set_={"value": " " * 4096})
    )
    connection.execute(delete(facts).where(facts.c.name == PROBE))


def update_items(connection: Connection, served: Served, *, now: float) -> None:
    """Bring the items up to date; refuse a change to anything people have already seen.

    What nobody is shown may change, and that it did is kept.
    """
    known = {row.item: row for row in connection.execute(select(items))}
    seen = set(connection.scalars(select(slots.c.item).distinct()))
    changed = []
    for item, content in served.contents.items():
        row = known.get(item)
        if row is None or (row.content, row.kind) != (content.digest(), content.kind):
            if item in seen:
                raise StudyError(
                    f"items.parquet: {item!r} was changed after people had seen it. "
                    "Put it back, or give the new text a new item name."
                )
            changed.append(_row(item, content, served))
    gone = sorted(known.keys() - served.contents.keys())
    if seen.intersection(gone):
        missing = next(item for item in gone if item in seen)
        if known[missing].kind == RETEST:
            raise StudyError(
                "[ratings] retest was set when people began, and some were shown items twice. "
                "Set it again."
            )
        raise StudyError(f"items.parquet: {missing!r} has answers but is missing. Put it back.")
    replaced = [*gone, *(row["item"] for row in changed if row["item"] in known)]
    if replaced:
        doomed = delete(items).where(items.c.item == bindparam("gone"))
        connection.execute(doomed, [{"gone": item} for item in replaced])
    if changed:
        connection.execute(insert(items), changed)
    follow_items(connection, served, seen, now=now)
    _update_target(connection, served)


def update_surveys(connection: Connection, served: Served) -> None:
    """Store the surveys anew; each item of one must be known."""
    strange = sorted(
        {one for part in served.surveys.values() for one in part} - set(served.contents)
    )
    if strange:
        raise StudyError(
            f"surveys.parquet: {strange[0]!r} is not among the items. Build both together."
        )
    connection.execute(delete(surveys))
    rows = [
        {"survey": name, "position": place, "item": item}
        for name, part in served.surveys.items()
        for place, item in enumerate(part, 1)
    ]
    if rows:
        connection.execute(insert(surveys), rows)


def _row(item: str, content: Content, served: Served) -> dict[str, Any]:
    wanted = content.kind == "item"
    return {
        "item": item,
        "kind": content.kind,
        "content": content.digest(),
        "target": served.plan.first_target if wanted else None,
        "exact": int(wanted and served.plan.exact),
        "round": 1,
        "expected": content.expected,
        "condition": content.condition,
        "item_group": content.group,
        "language": content.language,
    }


def _update_target(connection: Connection, served: Served) -> None:
    """Follow a changed target; items of a later round keep the target they were reopened with."""
    plan = served.plan
    first = (items.c.kind == "item") & (items.c.round == 1)
    most = connection.scalar(select(func.max(items.c.taken)).where(first)) or 0
    if plan.exact and most > plan.target:
        raise StudyError(
            f"[ratings] target = {plan.target}, but an item has {most} ratings already. "
            'Raise the target, or set rule = "at least".'
        )
    values = {"target": plan.target, "exact": int(plan.exact)}
    connection.execute(update(items).where(first).values(values))
    derive(connection)
