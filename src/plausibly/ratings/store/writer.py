"""The one writer of a process: what arrives together is committed together, then answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError

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


class StoreWriter:
    """Runs jobs on the database, one transaction after the other.

    Jobs that wait while a transaction is being written to disk share the next one, each behind a
    savepoint of its own: one that fails takes nothing with it. Who asked hears the result only
    after the commit. `failure` says why the last could not be written, if it could not.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._waiting: list[tuple[Job[Any], asyncio.Future[Any]]] = []
        self._pump: asyncio.Task[None] | None = None
        self.failure: str | None = None

    async def run(self, job: Job[T]) -> T:
        """Return what the job returns, once it is committed."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._waiting.append((job, future))
        if self._pump is None:
            self._pump = loop.create_task(self._work())
        return await future

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            together = self._waiting[:MOST_TOGETHER]
            del self._waiting[:MOST_TOGETHER]
            jobs = [job for job, _ in together]
            outcomes = await loop.run_in_executor(self._thread, run_together, self._engine, jobs)
            self._note(outcomes)
            for (_, future), outcome in zip(together, outcomes, strict=True):
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
        self._engine.dispose()


def run_together(engine: Engine, jobs: Sequence[Job[Any]]) -> list[WriteOutcome]:
    """Run jobs in one transaction and return what became of each, after the commit."""
    outcomes = [WriteOutcome() for _ in jobs]
    whole = WriteOutcome()
    with whole, engine.begin() as connection:
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
