"""Keeps what pages of the desk show until answers, verdicts or the state of the study change."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool

from plausibly.ratings.store.overview import Stamp, stamp
from plausibly.web.context import Desk

T = TypeVar("T")
LONGEST = 60.0  # seconds after which anything is counted again
REST = 10.0  # what took a second is shown for so many, however many answers arrive


@dataclass(frozen=True, slots=True)
class Kept(Generic[T]):
    """Something that was counted.

    Args:
        value: What came out.
        stamp: What the answers were like.
        made: When, by the clock of the study.
        until: Until when it is shown although answers arrive, by the clock of the process.
    """

    value: T
    stamp: Stamp
    made: float
    until: float

    def holds(self, now: Stamp, begun: float) -> bool:
        """Return whether it can be shown again."""
        if self.stamp == now:
            return begun < self.until + LONGEST
        return begun < self.until and self.stamp.is_like(now)

    @property
    def answers(self) -> int:
        """How many items and checks people had answered."""
        return self.stamp.answers


async def kept(desk: Desk, name: str, count: Callable[[Connection], T]) -> Kept[T]:
    """Return what a function counts, or what it did a moment ago.

    A verdict or a pause is seen at once; further answers, after a time in proportion to how long
    counting takes, so that people who answer do not wait for people who watch.
    """
    lock = desk.counted.setdefault(f"{name} lock", asyncio.Lock())
    async with lock:
        return await run_in_threadpool(_count, desk, name, count)


def _count(desk: Desk, name: str, count: Callable[[Connection], T]) -> Kept[T]:
    with desk.reader.begin() as connection:
        now, begun = stamp(connection), time.monotonic()
        before: Any = desk.counted.get(name)
        age = desk.clock() - before.made if isinstance(before, Kept) else 2 * LONGEST
        if isinstance(before, Kept) and age < 2 * LONGEST and before.holds(now, begun):
            return before
        value = count(connection)
    ended = time.monotonic()
    rest = min(REST * (ended - begun), LONGEST)
    result = Kept(value, now, desk.clock(), ended + rest)
    desk.counted[name] = result
    return result
