"""Erases a person: their rows are gone from the file, and only counts are kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, delete, func, insert, select

from plausibly.errors import StudyError
from plausibly.ratings.store.dialect import WAIT, upsert
from plausibly.ratings.store.moving import void
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.schema import (
    admitted,
    answers,
    arrivals,
    consents,
    erased,
    erasing,
    exclusions,
    facts,
    objections,
    people,
    screened,
    slots,
    submissions,
)

ERASED = "erased"
COPIES = "copies"
UNCLEARED = "uncleared"  # the fact that lists whose files and traces are still to be removed
# In an order in which nothing refers to a row that is gone.
_OF_A_PERSON = (
    *(answers, submissions, slots, exclusions, objections, arrivals, consents),
    *(screened, admitted, people),
)


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What was erased, in numbers: nothing of the person is left."""

    items: int
    answers: int
    comments: int


def erase(connection: Connection, annotator: str, *, person: str, now: float) -> Tombstone | Denied:
    """Delete every row about a person and open their places, in one transaction.

    Args:
        connection: A transaction.
        annotator: The person.
        person: A keyed hash of the person, which finds them in an earlier backup.
        now: The time.
    """
    known = [
        connection.scalar(select(func.count()).where(_mine(table, annotator)))
        for table in (people, screened, admitted)
    ]
    if not any(known):
        return Denied("no-person")
    rows = connection.execute(select(slots).where(slots.c.annotator == annotator)).all()
    tombstone = Tombstone(
        items=sum(row.revision > 0 for row in rows),
        answers=_count(connection, answers, annotator),
        comments=_count(connection, submissions, annotator, submissions.c.comment.is_not(None)),
    )
    void(connection, rows, cause=ERASED)
    connection.execute(insert(erasing).values(annotator=annotator))
    for table in _OF_A_PERSON:
        connection.execute(delete(table).where(_mine(table, annotator)))
    connection.execute(delete(erasing))
    counts = {"items": tombstone.items, "answers": tombstone.answers}
    counts["comments"] = tombstone.comments
    connection.execute(insert(erased).values(person=person, made=now, **counts))
    return tombstone


def erased_before(connection: Connection, person: str) -> Tombstone | None:
    """Return what was erased of a person under a keyed hash; None if nothing was."""
    row = connection.execute(select(erased).where(erased.c.person == person)).first()
    return None if row is None else Tombstone(row.items, row.answers, row.comments)


def leave_uncleared(connection: Connection, annotators: Sequence[str]) -> None:
    """Keep whose files and traces are still to be removed, should this process end before."""
    _put(connection, UNCLEARED, sorted({*(uncleared(connection) or ()), *annotators}))


def uncleared(connection: Connection) -> tuple[str, ...] | None:
    """Return whose files are still to be removed; None if not even traces are left."""
    value = connection.scalar(select(facts.c.value).where(facts.c.name == UNCLEARED))
    return None if value is None else tuple(json.loads(value))


def files_cleared(connection: Connection, annotators: Sequence[str]) -> None:
    """Note that the files of people are gone; `clear_traces` removes what the database kept."""
    left = sorted({*(uncleared(connection) or ())} - {*annotators})
    _put(connection, UNCLEARED, left)


def note_copies(connection: Connection, paths: Sequence[str]) -> None:
    """Keep which files made earlier still have people who were erased, with the files' times."""
    times = {path: Path(path).stat().st_mtime_ns for path in paths if Path(path).exists()}
    _put(connection, COPIES, {**_noted(connection), **times})


def copies_left(connection: Connection) -> tuple[str, ...]:
    """Return the files that still have people who were erased: neither deleted nor made anew."""
    noted = _noted(connection)
    files = [path for path in sorted(noted) if Path(path).exists()]
    return tuple(path for path in files if Path(path).stat().st_mtime_ns == noted[path])


def _put(connection: Connection, name: str, fact: object) -> None:
    value = json.dumps(fact)
    put = upsert(facts).values(name=name, value=value)
    connection.execute(put.on_conflict_do_update(index_elements=["name"], set_={"value": value}))


def _noted(connection: Connection) -> dict[str, int]:
    value = connection.scalar(select(facts.c.value).where(facts.c.name == COPIES))
    return dict(json.loads(value)) if value else {}


def clear_traces(path: Path) -> None:
    """Rewrite the file and empty its log, which leaves no deleted byte in either."""
    try:
        with closing(sqlite3.connect(path, timeout=WAIT, isolation_level=None)) as connection:
            connection.execute("PRAGMA secure_delete=ON")
            connection.execute("VACUUM")
            (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy:  # of people who came meanwhile, there is more to do
                done = "DELETE FROM facts WHERE name = ? AND value = '[]'"
                connection.execute(done, [UNCLEARED])
    except sqlite3.OperationalError as error:
        busy = str(error)
    if busy:
        raise StudyError(
            f"{path}: the rows are deleted, but the file is in use and may still hold their bytes. "
            "Run the same command again, or stop the server first."
        )


def _mine(table: Table, annotator: str) -> Any:
    return table.c.annotator == annotator


def _count(connection: Connection, table: Table, annotator: str, *more: Any) -> int:
    counted = select(func.count()).select_from(table).where(_mine(table, annotator), *more)
    return int(connection.scalar(counted) or 0)
