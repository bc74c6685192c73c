"""Work over shards in processes of this machine."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import TypeVar

from plausibly.errors import StudyError
from plausibly.ports import Outcome

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 2


def each_in_processes(
    work: Callable[[T], R], shards: Iterable[T], *, workers: int
) -> Iterator[Outcome[R]]:
    """Yield what the work makes of each shard, in any order; one worker is this process itself.

    At most two shards per worker are under way, so shards that are made on demand never pile up.
    """
    if workers == 1:
        yield from (Outcome(work(shard)) for shard in shards)
        return
    waiting = iter(shards)
    with ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_serve_one_parent
    ) as pool:
        under_way: set[Future[R]] = set()
        try:
            while True:
                room = AHEAD * workers - len(under_way)
                under_way |= {pool.submit(work, shard) for shard in islice(waiting, room)}
                if not under_way:
                    return
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                yield from (Outcome(future.result()) for future in done)
        except BrokenProcessPool as error:
            raise StudyError(
                "a worker process died, most likely for want of memory. What was finished is "
                "kept: run the same command again, with fewer --workers."
            ) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _serve_one_parent() -> None:
    """Leave interrupts to the parent, and end with it even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
