"""Progress as lines: where no bar can be drawn, a sentence every few seconds."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

EVERY = 4.0


class Lines:
    """Says how far something long has come, in a line at most every few seconds.

    Args:
        say: Gets each line.
        every: Seconds between two lines.
        clock: Tells the time, in seconds.

    >>> times = iter([0.0, 1.0, 5.0, 6.0])
    >>> lines = Lines(print, every=4.0, clock=lambda: next(times))
    >>> lines.begin("reading", total=8)
    >>> for _ in range(3):
    ...     lines.advance(2)
      reading: 50 %
    """

    def __init__(
        self,
        say: Callable[[str], None],
        *,
        every: float = EVERY,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._say = say
        self._every = every
        self._clock = clock
        self._what = ""
        self._total: int | None = None
        self._done = 0
        self._last = 0.0

    def begin(self, what: str, total: int | None = None) -> None:
        """Something begins that takes so many steps, if that is known."""
        self._what, self._total, self._done = what, total, 0
        self._last = self._clock()

    def advance(self, size: int = 1) -> None:
        """So many more are done."""
        self._done += size
        now = self._clock()
        if now - self._last < self._every:
            return
        self._last = now
        total = self._total
        far = f"{min(100, 100 * self._done // total)} %" if total else f"{self._done:,}"
        self._say(f"  {self._what}: {far}")
