"""How much memory an engine may hold, as people write it."""

from __future__ import annotations

import re

from plausibly.errors import StudyError

LEAST = 16
"""Megabytes below which no engine starts."""

_UNITS = {"m": 1, "g": 1024, "t": 1024 * 1024}


def megabytes_of(memory: str) -> int:
    """Return a size such as 2GB or 500MB in megabytes.

    >>> megabytes_of("2GB"), megabytes_of("512m")
    (2048, 512)
    """
    size = re.fullmatch(r"([0-9]{1,9})([mgt])b?", memory.strip().lower())
    megabytes = int(size[1]) * _UNITS[size[2]] if size is not None else 0
    if megabytes < LEAST:
        raise StudyError(
            f"memory must be a size such as 2GB or 500MB, at least {LEAST}MB; got {memory!r}.",
            parameter="memory",
        )
    return megabytes
