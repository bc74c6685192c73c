"""Work over shards that a process of its own can import."""

from __future__ import annotations

import os
import signal

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
