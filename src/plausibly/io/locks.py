"""One process at a time: a lock on an open file, whatever the system has for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

FAR = 2**30  # Windows locks bytes, and others may still read those before this one


def claim(descriptor: int) -> bool:
    """Lock an open file without waiting, and return whether no other process holds it.

    The lock ends when the file is closed, also when the process is killed. A system that has
    neither `fcntl` nor `msvcrt` has no such lock, and every claim succeeds.
    """
    posix, windows = _module("fcntl"), _module("msvcrt")
    try:
        if posix is not None:
            posix.flock(descriptor, posix.LOCK_EX | posix.LOCK_NB)
        elif windows is not None:
            with _at(descriptor, FAR):
                windows.locking(descriptor, windows.LK_NBLCK, 1)
    except OSError:
        return False
    return True


@contextmanager
def _at(descriptor: int, place: int) -> Iterator[None]:
    """Stand at a place of a file, and return to where it was."""
    before = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, place, os.SEEK_SET)
    try:
        yield
    finally:
        os.lseek(descriptor, before, os.SEEK_SET)


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        return None
