"""Tables as text, for people."""

from __future__ import annotations

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
        max(len(name), *(len(row[column]) for row in cells)) if cells else len(name)
        for column, name in enumerate(header)
    ]
    right = [bool(cells) and all(_numeric(row[c]) for row in cells) for c in range(len(header))]
    lines = []
    for line in [list(header), ["-" * width for width in widths], *cells]:
        padded = [
            text.rjust(width) if numeric else text.ljust(width)
            for text, width, numeric in zip(line, widths, right, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ABSENT
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _numeric(text: str) -> bool:
    return text == ABSENT or text.replace(".", "", 1).replace("-", "", 1).isdecimal()
