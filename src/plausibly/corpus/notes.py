"""Notes: what is wrong with the input, taken down while it is read."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Notes:
    """What went wrong with the input, as far as it has been read.

    Args:
        lines: Lines, rows or pages read.
        bad: File, line and what is wrong.
        damage: From file to why it ended early.
        position: Bytes of the current file read so far.
        documents: Documents read, wanted or not.
        drawn: How many of them were drawn; None if all were taken.
        empty: Files that hold nothing of their form, not even a bad line.
    """

    lines: int = 0
    bad: list[tuple[str, int, str]] = field(default_factory=list)
    damage: dict[str, str] = field(default_factory=dict)
    position: int = 0
    documents: int = 0
    drawn: int | None = None
    empty: list[str] = field(default_factory=list)
