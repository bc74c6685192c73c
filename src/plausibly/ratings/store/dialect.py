"""What is particular to SQLite: how answers are opened, and what SQL has no one word for."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, create_engine, event, func, text
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import QueuePool

from plausibly.errors import StudyError, option
from plausibly.ratings.store.prepared import Prepared

FILE = "answers.sqlite"
WAIT = 30.0
RIGHT = "Write sqlite:////path/to/answers.sqlite."

upsert = insert


def greatest(one: Any, other: Any) -> ColumnElement[Any]:
    """Return the greater of two values, as an expression."""
    return func.max(one, other)


def database_url(folder: Path, given: str | None) -> URL:
    """Return where the answers lie; by default in the study folder."""
    if given is None:
        return URL.create("sqlite", database=str(folder.resolve() / FILE))
    try:
        url = make_url(given)
    except ArgumentError as error:
        raise _refused(f"not a database URL: {given!r}") from error
    if url.drivername not in {"sqlite", "sqlite+pysqlite"}:
        raise _refused(f"answers are kept in SQLite; got {url.drivername!r}")
    if not url.database or url.database == ":memory:" or url.query:
        raise _refused(f"answers must be kept in a file; got {given!r}")
    return url


def _refused(what: str) -> StudyError:
    return StudyError(f"{option('database')}: {what}. {RIGHT}", parameter="database")


def set_lasting(connection: Connection, *, lasting: bool) -> None:
    """Say whether what is committed next must outlast a power cut, between two transactions.

    What need not is still there after the process was killed, and whole; it reaches the disk with
    the next commit that must.
    """
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        raise TypeError("answers are kept in SQLite")
    driver.execute(f"PRAGMA synchronous={'FULL' if lasting else 'NORMAL'}")


def connect(url: str | URL, *, begin: str = "BEGIN IMMEDIATE", wait: float = WAIT) -> Engine:
    """Return an engine whose every commit is on disk before it returns, unless set otherwise.

    Args:
        url: The database.
        begin: How a transaction begins; `BEGIN IMMEDIATE` takes the one place for writers at
            once, so that what is read inside cannot change before it is written.
        wait: How many seconds to wait for another writer.
    """
    engine = create_engine(
        url,
        hide_parameters=True,
        poolclass=QueuePool,
        pool_size=1,
        max_overflow=7,
        connect_args={"timeout": wait, "isolation_level": None, "check_same_thread": False},
    )

    beginning = Prepared(text(begin))

    @event.listens_for(engine, "do_connect")
    def _create_file(*arguments: object) -> None:
        del arguments
        _for_its_owner(Path(engine.url.database or ""))

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, record: object) -> None:
        del record
        for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        beginning.run(connection, {})

    return engine


def _for_its_owner(path: Path) -> None:
    """Create a database nobody else may read; SQLite gives the files next to it the same mode."""
    with suppress(OSError):  # what is wrong with the place, SQLite says itself
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
