"""The database of a study: where it lies, how it is opened, and which items it knows."""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Connection,
    Engine,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError
from sqlalchemy.pool import QueuePool

from plausibly.errors import StudyError
from plausibly.web.schema import TRIGGERS, VERSION, facts, items, metadata, rounds, slots
from plausibly.web.served import Content, Served

FILE = "answers.sqlite"
WAIT = 30.0
RIGHT = "Write sqlite:////path/to/answers.sqlite."


def database_url(folder: Path, given: str | None) -> URL:
    """Return where the answers lie; by default in the study folder."""
    if given is None:
        return URL.create("sqlite", database=str(folder.resolve() / FILE))
    try:
        url = make_url(given)
    except ArgumentError as error:
        raise StudyError(f"--database: not a database URL: {given!r}. {RIGHT}") from error
    if url.drivername not in {"sqlite", "sqlite+pysqlite"}:
        raise StudyError(f"--database: answers are kept in SQLite; got {url.drivername!r}. {RIGHT}")
    if not url.database or url.database == ":memory:" or url.query:
        raise StudyError(f"--database: answers need a file to last in; got {given!r}. {RIGHT}")
    return url


def connect(url: str | URL, *, begin: str = "BEGIN IMMEDIATE") -> Engine:
    """Return an engine whose every commit is on disk before it returns.

    Args:
        url: The database.
        begin: How a transaction begins; `BEGIN IMMEDIATE` takes the one place for writers at
            once, so that what is read inside cannot change before it is written.
    """
    engine = create_engine(
        url,
        hide_parameters=True,
        poolclass=QueuePool,
        pool_size=1,
        max_overflow=7,
        connect_args={"timeout": WAIT, "isolation_level": None, "check_same_thread": False},
    )

    @event.listens_for(engine, "do_connect")
    def _create_file(*told: object) -> None:
        del told
        _for_its_owner(Path(engine.url.database or ""))

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, record: object) -> None:
        del record
        for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _for_its_owner(path: Path) -> None:
    """Create a database nobody else may read; SQLite gives the files beside it the same mode."""
    with suppress(OSError):  # what is wrong with the place, SQLite says itself
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def prepare(engine: Engine, served: Served, *, now: float) -> str:
    """Create the schema if there is none, bring the items up to date; return the study's number."""
    try:
        with engine.begin() as connection:
            if not inspect(connection).has_table("facts"):
                _create(connection, now)
            known = dict(connection.execute(select(facts.c.name, facts.c.value)).all())
            if known["schema"] != str(VERSION):
                raise StudyError(
                    f"{engine.url.database}: written by another version of this package "
                    f"(schema {known['schema']}, expected {VERSION})."
                )
            metadata.create_all(connection)  # tables that were added since the answers were begun
            _add_columns(connection)
            update_items(connection, served)
            return str(known["study"])
    except DatabaseError as error:
        raise StudyError(f"{engine.url.database}: cannot be used ({error.orig}).") from error


def _add_columns(connection: Connection) -> None:
    """Add columns that are newer than the answers."""
    known = {column["name"] for column in inspect(connection).get_columns("rounds")}
    if "undone" not in known:
        connection.exec_driver_sql("ALTER TABLE rounds ADD COLUMN undone FLOAT")


def _create(connection: Connection, now: float) -> None:
    metadata.create_all(connection)
    for trigger in TRIGGERS:
        connection.exec_driver_sql(trigger)
    number = {"name": "study", "value": secrets.token_hex(8)}
    version = {"name": "schema", "value": str(VERSION)}
    connection.execute(insert(facts), [number, version])
    connection.execute(insert(rounds).values(round=1, opened=now))


def remember(engine: Engine, name: str, value: str) -> str:
    """Return the fact stored under a name, which is `value` if there was none."""
    with engine.begin() as connection:
        known = connection.scalar(select(facts.c.value).where(facts.c.name == name))
        if known is None:
            connection.execute(insert(facts).values(name=name, value=value))
        return str(known or value)


def update_items(connection: Connection, served: Served) -> None:
    """Bring the items up to date; refuse a change to anything people have already seen."""
    known = {row.item: row for row in connection.execute(select(items))}
    seen = set(connection.scalars(select(slots.c.item).distinct()))
    changed = []
    for item, content in served.contents.items():
        row = known.get(item)
        if row is None or (row.content, row.kind) != (content.digest(), content.kind):
            if item in seen:
                raise StudyError(
                    f"items.parquet: {item!r} was changed after people had seen it. "
                    "Put it back, or give the new text a name of its own."
                )
            changed.append(_row(item, content, served))
    gone = sorted(known.keys() - served.contents.keys())
    if seen.intersection(gone):
        missing = next(item for item in gone if item in seen)
        raise StudyError(f"items.parquet: {missing!r} is missing and has answers. Put it back.")
    replaced = [*gone, *(row["item"] for row in changed if row["item"] in known)]
    if replaced:
        doomed = delete(items).where(items.c.item == bindparam("gone"))
        connection.execute(doomed, [{"gone": item} for item in replaced])
    if changed:
        connection.execute(insert(items), changed)
    _update_target(connection, served)


def _row(item: str, content: Content, served: Served) -> dict[str, Any]:
    wanted = content.kind == "item"
    return {
        "item": item,
        "kind": content.kind,
        "content": content.digest(),
        "target": served.plan.target if wanted else None,
        "exact": int(wanted and served.plan.exact),
        "round": 1,
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
