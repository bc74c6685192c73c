"""Attempts: a trail each shard leaves, so that a text that ends its process is found out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

CAREFUL_AFTER = 2
DEADLY = 2
_BEGIN = "begin"


@dataclass(frozen=True, slots=True)
class Attempts:
    """What earlier attempts at a shard left in its trail.

    A process can be ended by anything, so two attempts are made as if nothing were wrong. After
    that documents are taken one at a time, each noted before it is begun; one that two attempts
    did not come back from is the culprit. Only attempts of one run count: whoever ends a whole
    run, however often, says nothing about the document it was at.

    Args:
        trail: The file the trail is kept in; none if no attempt was made.
        begun: How many attempts were begun, and not finished.
        deadly: Places of the documents that ended two attempts.
    """

    trail: Path
    begun: int
    deadly: frozenset[int]

    @property
    def careful(self) -> bool:
        """Whether documents are to be taken one at a time."""
        return self.begun >= CAREFUL_AFTER

    def note(self, what: str | int) -> None:
        """Add to the trail, on disk before anything else is done."""
        with self.trail.open("a", encoding="utf-8") as trail:
            trail.write(f"{what}\n")

    def begin(self) -> None:
        """Note that another attempt begins."""
        self.note(_BEGIN)

    def end(self) -> None:
        """Remove the trail of a shard that is done."""
        self.trail.unlink(missing_ok=True)


def read_attempts(trail: Path) -> Attempts:
    """Return what a trail says."""
    marks = trail.read_text(encoding="utf-8").split() if trail.is_file() else []
    last = Counter(mark for mark, after in pairwise([*marks, _BEGIN]) if after == _BEGIN)
    deadly = frozenset(int(mark) for mark, n in last.items() if mark.isdecimal() and n >= DEADLY)
    return Attempts(trail, marks.count(_BEGIN), deadly)
