"""Work over shards that a process of its own can import."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from plausibly.errors import MissingExtra


def double(number: int) -> tuple[int, int]:
    """Return twice the number, and the process that doubled it."""
    return 2 * number, os.getpid()


def die(number: int) -> int:
    """End this process as if memory had run out."""
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def fail(number: int) -> int:
    """Find that something is missing."""
    raise MissingExtra(f"shard {number}", "parse")


@dataclass(frozen=True)
class DieOnce:
    """Doubles numbers and logs them, but ends its process over the number 1 the first time."""

    log: Path

    def __call__(self, number: int) -> int:
        """Return twice the number."""
        before = self.log.read_text().split() if self.log.exists() else []
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"{number}\n")
        if number == 1 and "1" not in before:
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.2 if number else 3)
        return 2 * number


@dataclass(frozen=True)
class Sleep:
    """Leaves a mark and sleeps, as long as a shard that is parsed takes."""

    mark: Path
    seconds: float

    def __call__(self, number: int) -> int:
        """Return the number."""
        self.mark.touch()
        time.sleep(self.seconds)
        return number
