"""The platform's ids of people and submissions, in a file and under a key of their own.

A row is found by a hash of the pseudonym under that key, so that neither file alone leads from
answers to a person. No export and no report reads this file.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plausibly.errors import StudyError
from plausibly.io.locks import claim
from plausibly.ratings.store.dialect import WAIT

_SCHEMA = """
CREATE TABLE IF NOT EXISTS ids (
    ref TEXT PRIMARY KEY, person TEXT NOT NULL, submission TEXT NOT NULL, status TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS payments (
    number INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, submission TEXT NOT NULL,
    cents INTEGER NOT NULL, before INTEGER NOT NULL, state TEXT NOT NULL, bulk TEXT,
    made REAL NOT NULL,
    UNIQUE (kind, submission)
);
"""


@dataclass(frozen=True, slots=True)
class PlatformId:
    """What a platform calls a person and their participation, and its state there."""

    person: str
    submission: str
    status: str | None = None


@dataclass(frozen=True, slots=True)
class Payment:
    """Something that was sent to a platform, or is about to be.

    Args:
        kind: `bonus` or `return`.
        submission: The platform's id of the submission.
        cents: The amount; 0 for a request to return.
        before: What the platform had paid besides before, in cents.
        state: `intended` (nothing was sent), `unknown` or `sent`.
        bulk: The platform's number of the payment, once it has one.
        made: When it was intended.
    """

    kind: str
    submission: str
    cents: int = 0
    before: int = 0
    state: str = "intended"
    bulk: str | None = None
    made: float = 0.0


def ids_file(database: Path) -> Path:
    """Return where the ids of the people in a database are.

    >>> str(ids_file(Path("study/answers.sqlite")))
    'study/answers.platform.sqlite'
    """
    return database.with_name(f"{database.stem}.platform{database.suffix}")


class PlatformIds:
    """The file of ids, opened for each use: nothing is held between two requests."""

    def __init__(self, path: Path, key: Callable[[], bytes]) -> None:
        self.path = path
        self._key = cache(key)  # made when there is something to keep

    def ref(self, annotator: str) -> str:
        """Return under which name a person's ids are kept."""
        return hmac.digest(self._key(), annotator.encode(), hashlib.sha256).hex()[:32]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with suppress(FileExistsError):
            os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(self.path, timeout=WAIT)) as connection:
            for setting in ("journal_mode=DELETE", "synchronous=FULL", "secure_delete=ON"):
                connection.execute(f"PRAGMA {setting}")
            connection.executescript(_SCHEMA)
            with connection:
                yield connection

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let nobody else send payments meanwhile; raise if somebody does."""
        lock = self.path.with_name(f"{self.path.name}.lock")
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if not claim(descriptor):
                raise StudyError(f"{self.path}: another command is sending payments.")
            yield
        finally:
            os.close(descriptor)

    def keep(self, found: Mapping[str, PlatformId]) -> None:
        """Store what a platform calls people; a later status replaces an earlier one."""
        rows = [
            (self.ref(annotator), one.person, one.submission, one.status)
            for annotator, one in found.items()
        ]
        with self._open() as connection:
            connection.executemany(
                "INSERT INTO ids VALUES (?, ?, ?, ?) ON CONFLICT (ref) DO UPDATE SET "
                "person = excluded.person, submission = excluded.submission, "
                "status = coalesce(excluded.status, status)",
                rows,
            )

    def of(self, annotators: Iterable[str]) -> dict[str, PlatformId]:
        """Return the ids of those people for whom there are any."""
        if not self.path.is_file():
            return {}
        with self._open() as connection:
            rows = {
                ref: PlatformId(*parts)
                for ref, *parts in connection.execute(
                    "SELECT ref, person, submission, status FROM ids"
                )
            }
        return {one: rows[self.ref(one)] for one in annotators if self.ref(one) in rows}

    def forget(self, annotator: str) -> int:
        """Delete the ids of a person and what was paid for them; return how many rows went."""
        if not self.path.is_file():
            return 0
        mine = (self.ref(annotator),)
        with self._open() as connection:
            theirs = "SELECT submission FROM ids WHERE ref = ?"
            paid = f"DELETE FROM payments WHERE submission IN ({theirs})"  # noqa: S608
            connection.execute(paid, mine)
            gone = connection.execute("DELETE FROM ids WHERE ref = ?", mine).rowcount
        with closing(sqlite3.connect(self.path, timeout=WAIT, isolation_level=None)) as connection:
            connection.execute("VACUUM")
        return gone

    def payments(self, kind: str) -> dict[str, Payment]:
        """Return what was sent of one kind, by submission."""
        if not self.path.is_file():
            return {}
        with self._open() as connection:
            rows = connection.execute(
                "SELECT kind, submission, cents, before, state, bulk, made FROM payments "
                "WHERE kind = ?",
                (kind,),
            ).fetchall()
        return {row[1]: Payment(*row) for row in rows}

    def intend(self, payments: Iterable[Payment], *, now: float) -> list[Payment]:
        """Store what is about to be sent, and return what nobody had intended before.

        The row is on disk before anything is sent, and a second one for the same submission is
        refused by the table: whoever comes second sends nothing.
        """
        fresh = []
        with self._open() as connection:
            for one in payments:
                row = (one.kind, one.submission, one.cents, one.before, "intended", now)
                made = connection.execute(
                    "INSERT INTO payments (kind, submission, cents, before, state, made) "
                    "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                    row,
                )
                fresh += [one] if made.rowcount else []
        return fresh

    def mark(
        self, kind: str, submissions: Iterable[str], state: str, bulk: str | None = None
    ) -> None:
        """Store what became of payments; None keeps the platform's number."""
        rows = [(state, bulk, kind, one) for one in submissions]
        with self._open() as connection:
            connection.executemany(
                "UPDATE payments SET state = ?, bulk = coalesce(?, bulk) "
                "WHERE kind = ? AND submission = ?",
                rows,
            )

    def drop(self, kind: str, submissions: Iterable[str]) -> None:
        """Forget intents of which the platform says that nothing came of them."""
        with self._open() as connection:
            connection.executemany(
                "DELETE FROM payments WHERE kind = ? AND submission = ?",
                [(kind, one) for one in submissions],
            )
