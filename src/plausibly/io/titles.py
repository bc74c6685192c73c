"""Which line of a table is its header: the first, or the first below lines of titles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from plausibly.errors import TableError, option
from plausibly.io.choices import noting, reading_now

SEPARATORS = (",", ";", "\t", "|")
LOOKED_AT = 40
_MOST_TITLES = 12
_HEAD = 1 << 18
_QUOTED = re.compile(r'"[^"]*"')


def below_titles(path: Path, content: bytes, *, quietly: bool = False) -> bytes:
    r"""Return a delimited text with blank lines for titles, so that lines keep their number.

    A title has at most half as many filled cells as the header, or a blank line between it and the
    header. The header is the first line that is as wide as most lines are. The line chosen for the
    file that is being read decides, if any.

    Args:
        path: The file, for messages.
        content: Its text in UTF-8.
        quietly: Add no note of it.

    >>> below_titles(Path("r.csv"), b"Pilot 2\nMay\nitem,annotator,answer\ni1,a,4\n")
    b'\n\nitem,annotator,answer\ni1,a,4\n'
    """
    now = reading_now()
    row = now.choices.header_row if now else None
    count = _count(content) if row is None else row - 1
    if row is not None and (row < 1 or count >= content.count(b"\n") + 1):
        raise TableError(f"{path}: no line {row}. Choose another {option('header_row')}.")
    noting(header_lines=(count + 1,))
    if not count:
        return content
    parts = content.split(b"\n", count)
    if len(parts) <= count:
        return content
    if now is not None and row is None and not quietly:
        lines = "line 1 is a title" if count == 1 else f"lines 1 to {count} are titles"
        now.notes.append(f"{path}: {lines}; the header is on line {count + 1}.")
    return b"\n" * count + parts[count]


def title_count(filled: Sequence[int], widths: Sequence[int]) -> int:
    """Return how many lines are above the header.

    Args:
        filled: For each line, how many of its cells are filled.
        widths: For each line, how many cells it has.

    >>> title_count([1, 0, 3, 3], [1, 1, 3, 3]), title_count([3, 3], [3, 3])
    (2, 0)
    """
    usual = Counter(width for width in widths if width > 1).most_common(1)
    if not usual:
        return 0
    width = usual[0][0]
    for place in range(min(len(filled), _MOST_TITLES)):
        if widths[place] == width and 2 * filled[place] > width:
            titles = filled[:place]
            parted = place > 1 and filled[place - 1] == 0 and max(titles) < filled[place]
            return place if parted or all(2 * one <= filled[place] for one in titles) else 0
    return 0


def _count(content: bytes) -> int:
    """Return how many lines are above the header of a delimited text."""
    head = content[:_HEAD].decode(errors="replace").removeprefix("\ufeff")
    lines = head.split("\n")[:LOOKED_AT]
    if not any(map(str.strip, lines)):
        return 0
    if len(lines) < 3 or any(line.count('"') % 2 for line in lines[:_MOST_TITLES]):
        return 0  # a cell goes on in the next line
    bare = [_QUOTED.sub("x", line.rstrip("\r")) for line in lines]
    cells = _cells(bare)
    filled = [sum(bool(cell.strip()) for cell in line) for line in cells]
    count = title_count(filled, [len(line) for line in cells])
    return count if any(filled[:count]) else 0


def _cells(lines: Sequence[str]) -> list[list[str]]:
    """Return the cells of each line, separated by the sign that makes most lines equally wide."""

    def evenness(sign: str) -> tuple[float, int]:
        widths = Counter(line.count(sign) for line in lines if line.strip())
        width, count = max(widths.items(), key=lambda one: (one[0] > 0, one[1]))
        return (count / widths.total(), width) if width else (0.0, 0)

    sign = max(SEPARATORS, key=evenness)
    return [line.split(sign) for line in lines]
