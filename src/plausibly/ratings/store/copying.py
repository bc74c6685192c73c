"""Copies databases that are being written to, and checks copies."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from plausibly.errors import StudyError
from plausibly.ratings.store.dialect import WAIT

COUNTED = ("people", "slots", "submissions", "answers", "exclusions", "erased")


def copy_database(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment, while others go on writing to it.

    Hashes of addresses are left out: their key is gone when the server stops.
    """
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with (
            closing(sqlite3.connect(source, timeout=WAIT)) as connection,
            closing(sqlite3.connect(target, isolation_level=None)) as copy,
        ):
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            copy.execute("PRAGMA secure_delete=ON")
            if "arrivals" in _tables(copy):
                copy.execute("DELETE FROM arrivals")
            copy.execute("VACUUM")
    except sqlite3.DatabaseError as error:
        raise StudyError(f"{source}: cannot be copied ({error}).") from error


def checked_counts(path: Path) -> dict[str, int]:
    """Return how many rows of each kind a database has; raise if it is damaged."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            state = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            loose = connection.execute("PRAGMA foreign_key_check").fetchall()
            if state != "ok" or loose:
                raise StudyError(
                    f"{path.name}: damaged ({state}; {len(loose)} rows refer to missing rows)."
                )
            return _counts(connection)
    except sqlite3.DatabaseError as error:
        raise StudyError(f"{path.name}: damaged ({error}).") from error


def tombstones(path: Path) -> set[tuple[str, float]]:
    """Return the keyed hash and the time of everybody who was erased from a database."""
    try:
        with closing(sqlite3.connect(path, timeout=WAIT)) as connection:
            if "erased" not in _tables(connection):
                return set()
            rows = connection.execute("SELECT person, made FROM erased").fetchall()
    except sqlite3.DatabaseError as error:
        raise StudyError(f"{path}: cannot be read ({error}).") from error
    return {(str(person), float(made)) for person, made in rows}


def study_number(path: Path) -> str:
    """Return the number of the study whose answers a database holds."""
    try:
        with closing(sqlite3.connect(path, timeout=WAIT)) as connection:
            row = connection.execute("SELECT value FROM facts WHERE name = 'study'").fetchone()
    except sqlite3.DatabaseError as error:
        raise StudyError(f"{path}: cannot be read ({error}).") from error
    return str(row[0]) if row else ""


def _counts(connection: sqlite3.Connection) -> dict[str, int]:
    known = _tables(connection)
    counted = [name for name in COUNTED if name in known]
    return {
        name: int(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0])  # noqa: S608
        for name in counted
    }


def _tables(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {str(name) for (name,) in rows}
