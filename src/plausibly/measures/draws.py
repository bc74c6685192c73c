"""How often units may be drawn anew: more than anybody waits for is a slip of the keyboard."""

from __future__ import annotations

from plausibly.errors import StudyError

MOST_DRAWS = 1_000_000


def drawable(times: int, *, what: str = "resamples") -> int:
    """Return a number of draws, refused below 0 and above a million.

    >>> drawable(1000)
    1000
    """
    if not 0 <= times <= MOST_DRAWS:
        raise StudyError(f"{what} must lie between 0 and {MOST_DRAWS:,}; got {times}.")
    return times
