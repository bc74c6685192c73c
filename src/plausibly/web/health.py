"""Whether answers can be stored now: tried on a connection of its own, and known within 2 s."""

from __future__ import annotations

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError

from plausibly.ratings.store.dialect import connect
from plausibly.ratings.store.opening import probe

WAIT = 1.0  # seconds to wait for a lock
LONGEST_TRIAL = 1.8  # seconds until a trial that hangs counts as failed
FRESH = 0.5  # seconds for which a result is used again: anybody may ask
LEAST = 8 * 1024 * 1024  # bytes of free disk below which answers are in danger
DISK, LOCKED = "disk", "locked"


class Health:
    """Tries to write as an answer would be written, without waiting behind the answers."""

    def __init__(self, url: URL) -> None:
        self._place = Path(str(url.database)).parent
        self._engine = connect(url, wait=WAIT)
        self._thread: ThreadPoolExecutor | None = None
        self._trial: asyncio.Future[str] | None = None
        self._known: tuple[float, str] | None = None

    async def problem(self) -> str:
        """Return why answers cannot be stored: disk or locked; empty if they can."""
        if self._known is not None and monotonic() - self._known[0] < FRESH:
            return self._known[1]
        if self._trial is None or self._trial.done():
            self._thread = self._thread or ThreadPoolExecutor(1, thread_name_prefix="health")
            loop = asyncio.get_running_loop()
            self._trial = loop.run_in_executor(self._thread, self._try)
        try:
            reason = await asyncio.wait_for(asyncio.shield(self._trial), LONGEST_TRIAL)
        except TimeoutError:
            reason = LOCKED
        self._known = (monotonic(), reason)
        return reason

    def _try(self) -> str:
        try:
            if shutil.disk_usage(self._place).free < LEAST:
                return DISK
            with self._engine.begin() as connection:
                probe(connection)
        except DatabaseError as error:
            return reason_of(error)
        except OSError:  # the disk is not there any more
            return DISK
        return ""

    def dispose(self) -> None:
        """Let go of the database."""
        if self._thread is not None:
            self._thread.shutdown()
        self._engine.dispose()


def reason_of(error: DatabaseError) -> str:
    """Return why something could not be written: another writer, or the disk."""
    return LOCKED if "locked" in str(error.orig) else DISK
