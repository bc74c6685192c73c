"""Brings answers of an earlier schema up to date, in one transaction and after a copy was made."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from plausibly.errors import StudyError
from plausibly.ratings.store.dialect import WAIT
from plausibly.ratings.store.reading import version_of
from plausibly.ratings.store.schema import VERSION, metadata
from plausibly.ratings.store.triggers import LATER_TRIGGERS, TRIGGERS

# What columns hold that an earlier schema did not have; all others are empty.
BEFORE = {"step": "1", "last": "1", "together": "1", "confirmed": "joined", "understood": "joined"}
EARLIER = (1, 2, 3, 4, 5)
OLD = "old_"


def migrate(path: Path) -> Path | None:
    """Return the copy of answers that were brought up to date, None if they are.

    Version 1 knew neither steps of a form nor surveys, and could not undo a round; version 2
    showed every item once, on a page of its own; version 3 let everybody in; version 4 knew no
    short rounds and erased nobody; version 5 knew no fillers.
    """
    if not path.is_file() or not path.stat().st_size:
        return None
    try:
        with closing(sqlite3.connect(path, timeout=WAIT, isolation_level=None)) as connection:
            version = version_of(connection)
            if version in {None, VERSION}:
                return None
            if version not in EARLIER:
                raise StudyError(
                    f"{path}: written by another version of this package "
                    f"(schema {version}, expected {VERSION}). Open it with that version."
                )
            kept = _copy(connection, path, version)
            _rebuild(connection)
            return kept
    except (sqlite3.DatabaseError, OSError) as error:
        raise StudyError(f"{path}: cannot be used ({error}).") from error


def _copy(connection: sqlite3.Connection, path: Path, version: int) -> Path:
    """Copy the answers next to themselves, for their owner only; the first copy stays."""
    kept = path.with_name(f"{path.name}.v{version}")
    if kept.exists():
        return kept
    part = path.with_name(f".{path.name}.v{version}.part")
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    with closing(sqlite3.connect(part)) as copy:
        connection.backup(copy)
    part.replace(kept)
    return kept


def _rebuild(connection: sqlite3.Connection) -> None:
    """Move every row into tables of the present schema; nothing happens if anything fails."""
    for setting in ("foreign_keys=OFF", "legacy_alter_table=ON"):
        connection.execute(f"PRAGMA {setting}")
    connection.execute("BEGIN EXCLUSIVE")
    try:
        if version_of(connection) in EARLIER:  # else another process was quicker
            _move(connection)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _move(connection: sqlite3.Connection) -> None:
    known = connection.execute("SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL")
    parts = sorted(known.fetchall(), reverse=True)  # triggers, then tables, then indexes
    tables = [name for kind, name in parts if kind == "table"]
    for kind, name in parts:
        moved = f'ALTER TABLE "{name}" RENAME TO "{OLD}{name}"'
        connection.execute(moved if kind == "table" else f'DROP {kind} "{name}"')
    for table in metadata.sorted_tables:
        connection.execute(str(CreateTable(table).compile(dialect=sqlite.dialect())))
        if table.name in tables:
            _copy_rows(connection, table)
    for name in tables:
        connection.execute(f'DROP TABLE "{OLD}{name}"')
    for table in metadata.sorted_tables:
        for index in table.indexes:
            connection.execute(str(CreateIndex(index).compile(dialect=sqlite.dialect())))
    for trigger in (*TRIGGERS, *LATER_TRIGGERS):
        connection.execute(trigger)
    connection.execute("UPDATE facts SET value = ? WHERE name = 'schema'", (str(VERSION),))
    if connection.execute("PRAGMA foreign_key_check").fetchall():
        raise sqlite3.DatabaseError("rows refer to rows that are missing")


def _copy_rows(connection: sqlite3.Connection, table: Table) -> None:
    described = connection.execute(f'PRAGMA table_info("{OLD}{table.name}")').fetchall()
    had = {name for _, name, *_ in described}
    names = [column.name for column in table.columns if column.name in {*had, *BEFORE}]
    values = [f'"{name}"' if name in had else BEFORE[name] for name in names]
    listed = ", ".join(f'"{name}"' for name in names)
    connection.execute(
        f'INSERT INTO "{table.name}" ({listed}) '  # noqa: S608 - names of our own schema
        f'SELECT {", ".join(values)} FROM "{OLD}{table.name}"'
    )
