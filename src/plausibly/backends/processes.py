"""Work over shards in processes of this machine."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import count, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import mkdtemp
from typing import Generic, NamedTuple, TypeVar

from plausibly.errors import PlausiblyError, StudyError
from plausibly.ports import Outcome

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 2
ATTEMPTS = 8
WOKEN = 0.5
"""Seconds after which waiting is begun anew: an interrupt may reach another thread, and this one
would hear of it only when a shard is done."""


def each_in_processes(
    work: Callable[[T], R], shards: Iterable[T], *, workers: int
) -> Iterator[Outcome[R]]:
    """Yield what the work makes of each shard, in any order; one worker is this process itself.

    At most two shards per worker are under way, so shards that are made on demand never pile up.
    When a process dies, its siblings are ended with it: the shards under way are tried again one
    by one, so that only the one to blame can die again, eight times in all.
    """
    if workers == 1:
        yield from (Outcome(work(shard)) for shard in shards)
        return
    fresh = ((shard, 1) for shard in shards)
    while True:
        again: list[tuple[T, int]] = []
        yield from _in_one_pool(work, fresh, again, workers)
        if not again:
            return
        while again:
            alone, lost = again.pop(0), list[tuple[T, int]]()
            if alone[1] > ATTEMPTS:
                raise StudyError(
                    "a worker process died repeatedly, most likely because memory ran out. What "
                    "was finished is kept: run the same command again, with fewer --workers."
                )
            yield from _in_one_pool(work, iter([alone]), lost, 1)
            again = lost + again


def _in_one_pool(
    work: Callable[[T], R],
    waiting: Iterator[tuple[T, int]],
    again: list[tuple[T, int]],
    workers: int,
) -> Iterator[Outcome[R]]:
    """Yield outcomes until all is done or a process dies; what was under way goes to `again`.

    A shard that no process had begun with was not attempted, unless processes end before they
    begin with any. Whoever stops asking, or is interrupted, ends the processes at once: a shard
    takes long, and what is not finished of it is worth nothing.
    """
    under_way: dict[Future[R], _Given[T]] = {}
    marks, numbers = Path(mkdtemp(prefix="plausibly-")), count()
    context = get_context("spawn")
    ended, holding = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        workers, mp_context=context, initializer=_serve_one_parent, initargs=(ended,)
    )
    try:
        while True:
            for shard, attempt in islice(waiting, AHEAD * workers - len(under_way)):
                given = _Given(shard, attempt, marks / str(next(numbers)))
                with _uninterrupted(), _apart_from_main(work):
                    under_way[pool.submit(_begun, work, shard, given.mark)] = given
            if not under_way:
                return
            for future in wait(under_way, timeout=WOKEN, return_when=FIRST_COMPLETED).done:
                outcome = Outcome(future.result(), under_way[future].attempt)
                under_way.pop(future).mark.unlink(missing_ok=True)
                yield outcome
    except BrokenProcessPool:
        begun = [one.mark.exists() for one in under_way.values()]
        again += [
            (one.shard, one.attempt + (tried or not any(begun)))
            for one, tried in zip(under_way.values(), begun, strict=True)
        ]
    finally:
        if under_way:
            holding.close()
        pool.shutdown(wait=True, cancel_futures=True)
        holding.close()
        ended.close()
        shutil.rmtree(marks, ignore_errors=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep interrupts waiting; a process begun meanwhile never sees one, not while it starts."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows has no such mask
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _apart_from_main(work: object) -> Iterator[None]:
    """Start processes that do not run the caller's script again, as spawned ones do at first.

    Otherwise a script or notebook without `if __name__ == "__main__":` would start itself in every
    worker. Work that was written in the script itself still needs it.
    """
    main = sys.modules["__main__"]
    if getattr(work, "__module__", type(work).__module__) == "__main__":
        yield
        return
    hidden = {name: main.__dict__.get(name) for name in ("__spec__", "__file__")}
    main.__dict__.update(dict.fromkeys(hidden))
    try:
        yield
    finally:
        main.__dict__.update({n: one for n, one in hidden.items() if one is not None})


class _Given(NamedTuple, Generic[T]):
    """A shard given to a process, and the file that is there once it has begun with it."""

    shard: T
    attempt: int
    mark: Path


def _begun(work: Callable[[T], R], shard: T, mark: Path) -> R:
    mark.touch()
    return guarded(work, shard)


def awaited(result: Future[R]) -> R:
    """Return a result once it is there; an interrupt is heard meanwhile."""
    while not wait([result], timeout=WOKEN).done:
        pass
    return result.result()


def guarded(work: Callable[[T], R], shard: T) -> R:
    """Return what the work makes of a shard; its errors become one that travels between processes.

    An exception is rebuilt from its message on the other side, which some of ours cannot be.
    """
    try:
        return work(shard)
    except PlausiblyError as error:
        raise StudyError(str(error)) from error


def _serve_one_parent(ended: Connection) -> None:
    """End as soon as the parent closes its end or is killed; interrupts are left to it."""
    threading.Thread(target=_end_with_parent, args=(ended,), daemon=True).start()


def _end_with_parent(ended: Connection) -> None:
    ended.poll(None)
    os._exit(1)
