"""The implicit-knowledge sheet as it lies on disk: which line is a candidate, which column is what.

Two layouts are read. A *plain table* has one header line and one row per candidate. A *manual
layout* is the annotation manual's own: above each header stand the two source sentences and the
reference, below it a line of options, then one row per candidate; an empty line or the next
source sentence ends the item. Both may be in one file, and one file may hold many items.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plausibly.datasets.iks import QUESTIONS
from plausibly.errors import TableError
from plausibly.io import read_cells, read_rows, suffix_of

FACTS = {
    "item": ("item", "id", "instance", "pair"),
    "annotator": ("annotator", "rater", "person"),
    "candidate": ("candidate", "dimensions", "number", "no"),
    "sentence": ("sentence", "generated_sentence", "text", "generated"),
    "system": ("system", "model"),
    "source_1": ("source_1", "source_sentence_1", "sentence_1", "source1"),
    "source_2": ("source_2", "source_sentence_2", "sentence_2", "source2"),
    "reference": ("reference", "reference_sentence"),
    "relation": ("relation", "stance"),
    "genre": ("genre", "domain"),
}

_ABOVE = ("source_1", "source_2", "reference", "relation", "genre", "annotator", "item")
_OPTIONS_LINE = "options"
_NUMBER = re.compile(r"^\(?\s*([ivxlc]+|\d+)\s*(?:[).:]\s*(.*)|\)?\s*)$", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One candidate as written: its line, and its cells by our names.

    Args:
        line: Counted from 1, the header included.
        block: Number of the header it stands under; items without a name are told apart by it.
        cells: From our column to the text in it, empty cells left out.
        headers: From our column to what the sheet calls it.
    """

    line: int
    block: int
    cells: Mapping[str, str]
    headers: Mapping[str, str] = field(repr=False)


def sheet_rows(path: Path, names: Mapping[str, str]) -> list[SheetRow]:
    """Return the candidate rows of one sheet in their order."""
    if suffix_of(path) in (".csv", ".tsv"):
        rows = list(_laid_out(path, names))
    else:
        rows = list(_records(path, names))
    if not rows:
        raise TableError(
            f"{path}: no candidate rows. Expected a header line with "
            f"{', '.join(QUESTIONS.values())} and one row per generated sentence."
        )
    return rows


def candidate_of(text: str) -> tuple[str, str] | None:
    """Return the number of a candidate in small Roman numerals and the text after it.

    >>> candidate_of("(iii) cars are vehicles"), candidate_of("II"), candidate_of("2")
    (('iii', 'cars are vehicles'), ('ii', ''), ('ii', ''))
    >>> candidate_of("I think so") is None
    True
    """
    match = _NUMBER.match(text.strip())
    if match is None:
        return None
    number, rest = match.group(1).lower(), (match.group(2) or "").strip()
    number = roman(int(number)) if number.isdecimal() else number
    return number, rest


def roman(number: int) -> str:
    """Return a number from 1 to 399 in small Roman numerals.

    >>> [roman(n) for n in (1, 4, 9, 14, 40)]
    ['i', 'iv', 'ix', 'xiv', 'xl']
    """
    steps = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"))
    small = ((9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
    written = ""
    for value, letters in (*steps, *small):
        count, number = divmod(number, value)
        written += letters * count
    return written


def _laid_out(path: Path, names: Mapping[str, str]) -> Iterator[SheetRow]:
    header: dict[int, str] = {}
    titles: dict[str, str] = {}
    above: dict[str, str] = {}
    block, under_header = 0, False
    for line, cells in _lines(path):
        found = _header(cells, names)
        if found:
            header, under_header, block = found, False, block + 1
            titles = {ours: cells[place].strip() for place, ours in header.items()}
        elif _is_above(cells):
            if under_header:
                above, header, under_header = {}, {}, False
            above.update(_above(cells))
        elif _key(cells[0]) == _OPTIONS_LINE:
            continue
        elif not header:
            raise TableError(
                f"{path}:{line}: a row before any header line. Expected columns "
                f"{', '.join(QUESTIONS.values())} above it."
            )
        else:
            under_header = True
            yield SheetRow(line, block, {**above, **_cells(path, line, cells, header)}, titles)


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    return ((line, cells) for line, cells in read_cells(path) if any(cells))


def _header(cells: Sequence[str], names: Mapping[str, str]) -> dict[int, str]:
    """Return our column by place if the line is a header, that is, names most questions."""
    theirs = {_key(name): ours for ours, name in names.items()}
    known = {**{key: ours for ours, keys in FACTS.items() for key in keys}, **theirs}
    found: dict[int, str] = {}
    for place, cell in enumerate(cells):
        key = _key(cell)
        ours = known.get(key) or _question(key)
        if ours is not None and ours not in found.values():
            found[place] = ours
        elif key and place:
            found[place] = cell.strip()
    if "grammaticality" not in found.values() or "coherence" not in found.values():
        return {}
    if "candidate" not in found.values() and 0 not in found:
        found[0] = "candidate"
    return found


def _question(key: str) -> str | None:
    return next((q for q in QUESTIONS if key in (q, q.replace("_", ""))), None)


def _key(cell: str) -> str:
    """Return a heading without remarks in brackets, spaces and capitals."""
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", cell.lower())).strip(
        "_"
    )


def _is_above(cells: Sequence[str]) -> bool:
    return sum(bool(cell.strip()) for cell in cells) == 1 and candidate_of(_only(cells)) is None


def _above(cells: Sequence[str]) -> dict[str, str]:
    """Return what a lone cell above a header says; without a colon it names the item."""
    heading, colon, text = _only(cells).partition(":")
    if not colon:
        return {"item": _only(cells)}
    ours = next((o for o in _ABOVE if _key(heading) in FACTS[o]), None)
    return {ours: text.strip()} if ours else {}


def _only(cells: Sequence[str]) -> str:
    return next(cell.strip() for cell in cells if cell.strip())


def _cells(
    path: Path, line: int, cells: Sequence[str], header: Mapping[int, str]
) -> dict[str, str]:
    beyond = [cell for place, cell in enumerate(cells) if cell.strip() and place not in header]
    if beyond:
        raise TableError(
            f"{path}:{line}: {beyond[0].strip()!r} is in a column without a heading. "
            f"The header names {len(header)} columns."
        )
    given = {ours: cells[place].strip() for place, ours in header.items() if place < len(cells)}
    return {ours: cell for ours, cell in given.items() if cell}


def _records(path: Path, names: Mapping[str, str]) -> Iterator[SheetRow]:
    rows = read_rows(path)
    rows.reject([])
    header = _header(rows.frame.columns, names)
    if not header:
        return
    titles = {ours: rows.frame.columns[place] for place, ours in header.items()}
    lines = rows.locate(range(rows.frame.height))
    for line, record in zip(lines, rows.frame.iter_rows(), strict=True):
        cells = {
            ours: str(record[place]).strip() for place, ours in header.items() if record[place]
        }
        yield SheetRow(line, 1, cells, titles)
