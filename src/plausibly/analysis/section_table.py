"""A table of a section of a report."""

from __future__ import annotations

from dataclasses import dataclass

MOST_SHOWN = 24  # rows of a table that the page shows


@dataclass(frozen=True, slots=True)
class SectionTable:
    """A table of a section.

    Args:
        caption: How to read it.
        header: Of its columns; numbers stand to the right from the column `first`.
        rows: As a reader sees them.
        first: The first column of numbers.
        left_out: Rows that only the file of the table has.
        name: Of the file.
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    first: int
    left_out: int
    name: str
