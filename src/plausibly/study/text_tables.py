"""Tables as text, for people."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

Cells = Iterable[Sequence[object]]
ABSENT = "\N{EN DASH}"


def text_table(header: Sequence[str], rows: Cells) -> str:
    """Return a table for people: padded columns, numbers to the right.

    >>> print(text_table(("label", "items"), [("plausible", 12), ("odd", 3)]), end="")
    label      items
    ---------  -----
    plausible     12
    odd            3
    """
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [
        max([_width(name), *(_width(row[column]) for row in cells)])
        for column, name in enumerate(header)
    ]
    right = [bool(cells) and all(_numeric(row[c]) for row in cells) for c in range(len(header))]
    lines = []
    for line in [list(header), ["-" * width for width in widths], *cells]:
        padded = [
            _padding(text, width) + text if numeric else text + _padding(text, width)
            for text, width, numeric in zip(line, widths, right, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes; a wide letter takes two.

    >>> _width("naïve"), _width("動詞")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    shown = [letter for letter in text if not unicodedata.combining(letter)]
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in shown)


def _padding(text: str, width: int) -> str:
    return " " * (width - _width(text))


def _cell(value: object) -> str:
    if value is None:
        return ABSENT
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _numeric(text: str) -> bool:
    return text == ABSENT or text.replace(".", "", 1).replace("-", "", 1).isdecimal()
