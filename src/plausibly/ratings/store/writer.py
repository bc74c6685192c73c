"""The one writer of a process: what arrives together is committed together, then answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError

from plausibly.ratings.store.dialect import set_lasting
from plausibly.ratings.store.prepared import Prepared

T = TypeVar("T")
Job = Callable[[Connection], T]

MOST_TOGETHER = 64
_SAVE, _BACK, _RELEASE = (
    Prepared(text(one)) for one in ("SAVEPOINT job", "ROLLBACK TO job", "RELEASE job")
)
LOG = logging.getLogger("plausibly.answers")


class WriteOutcome:
    """What became of a job: its result, or the error it ended with."""

    def __init__(self) -> None:
        self.result: Any = None
        self.error: Exception | None = None

    def __enter__(self) -> WriteOutcome:
        return self

    def __exit__(
        self, kind: object, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, Exception):
            self.error = error
            return True
        return False


class HeldConnection:
    """The writer's connection, kept open: opening one each time costs as much as an answer.

    After a transaction that failed it is opened anew.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._lasting = True

    @contextmanager
    def begin(self, *, lasting: bool = True) -> Iterator[Connection]:
        """Yield a transaction that is committed in the end."""
        if self._connection is None:
            self._connection, self._lasting = self._engine.connect(), True
        committed = False
        try:
            if lasting != self._lasting:
                set_lasting(self._connection, lasting=lasting)
                self._lasting = lasting
            with self._connection.begin():
                yield self._connection
            committed = True
        finally:
            if not committed:
                self.close()

    def close(self) -> None:
        """Let go of the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()  # whatever state it is in, nobody gets it again
            connection.close()


class StoreWriter:
    """Runs jobs on the database, one transaction after the other.

    Jobs that wait while a transaction is being written to disk share the next one, each behind a
    savepoint of its own: one that fails takes nothing with it. Who asked hears the result only
    after the commit; a job that need not outlast a power cut does not wait for the disk, unless
    it shares its transaction with one that must. `failure` shows why the last could not be
    written, if it could not.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._held = HeldConnection(engine)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._waiting: list[tuple[Job[Any], bool, asyncio.Future[Any]]] = []
        self._pump: asyncio.Task[None] | None = None
        self.failure: str | None = None

    async def run(self, job: Job[T], *, lasting: bool = True) -> T:
        """Return what the job returns, once it is committed."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._waiting.append((job, lasting, future))
        if self._pump is None:
            self._pump = loop.create_task(self._work())
        return await future

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            together = self._waiting[:MOST_TOGETHER]
            del self._waiting[:MOST_TOGETHER]
            jobs, lasting = [job for job, _, _ in together], any(one for _, one, _ in together)
            write = partial(run_together, self._held, jobs, lasting=lasting)
            outcomes = await loop.run_in_executor(self._thread, write)
            self._note(outcomes)
            for (_, _, future), outcome in zip(together, outcomes, strict=True):
                if future.cancelled():
                    continue
                if outcome.error is not None:
                    future.set_exception(outcome.error)
                else:
                    future.set_result(outcome.result)
        self._pump = None

    def _note(self, outcomes: Sequence[WriteOutcome]) -> None:
        """Keep in mind, and log once, that nothing can be stored; or that it can again."""
        failures = [one.error for one in outcomes if isinstance(one.error, OperationalError)]
        before, self.failure = self.failure, str(failures[0].orig) if failures else None
        if self.failure is not None and before is None:
            LOG.error("answers cannot be stored: %s", self.failure)
        elif self.failure is None and before is not None:
            LOG.warning("answers can be stored again")

    async def close(self) -> None:
        """Finish what waits and let go of the database."""
        if self._pump is not None:
            await self._pump
        self.dispose()

    def dispose(self) -> None:
        """Let go of the database when nothing waits."""
        self._thread.shutdown()
        self._held.close()
        self._engine.dispose()


def run_together(
    held: HeldConnection, jobs: Sequence[Job[Any]], *, lasting: bool = True
) -> list[WriteOutcome]:
    """Run jobs in one transaction and return what became of each, after the commit."""
    outcomes = [WriteOutcome() for _ in jobs]
    whole = WriteOutcome()
    with whole, held.begin(lasting=lasting) as connection:
        for job, outcome in zip(jobs, outcomes, strict=True):
            _SAVE.run(connection, {})
            with outcome:
                outcome.result = job(connection)
            if isinstance(outcome.error, OperationalError):
                raise outcome.error  # a full disk has undone the whole transaction already
            if outcome.error is not None:
                _BACK.run(connection, {})
            _RELEASE.run(connection, {})
    if whole.error is not None:
        for outcome in outcomes:
            outcome.result, outcome.error = None, whole.error
    return outcomes
