"""Delimited text cell by cell: every record with its line, and what is wrong with a broken one."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from plausibly.errors import TableError, listed
from plausibly.io.decoding import as_utf8
from plausibly.io.opening import Flaw, read_bytes
from plausibly.io.titles import SEPARATORS

STRAY_QUOTES = 1000
SAID = re.compile(rb"(?:\xef\xbb\xbf)?\"?sep=([,;\t|])\"?(?=\r?\n)")  # first line, for Excel
_QUOTED = re.compile(r'"[^"]*"?')
_OF_R = re.compile(r'"[^"]*"(?: "[^"]*")+\s*')  # the header as R's write.table writes it


Record = tuple[int, list[str] | Flaw]


def records(content: bytes, separator: str) -> Iterator[Record]:
    """Yield every record with the line it starts on, blank ones as an empty list.

    A quote that never closes would swallow the rest of the file: its line alone is a flaw, and
    reading goes on below it.
    """
    lines = _physical_lines(content)
    start, stray = 0, 0
    while start < len(lines):
        place = start
        reader = csv.reader(lines[start:], delimiter=separator, strict=stray < STRAY_QUOTES)
        try:
            with _long_cells():
                for cells in reader:
                    yield place + 1, Flaw("not UTF-8") if _foreign(cells) else cells
                    place = start + reader.line_num
        except csv.Error as error:
            yield place + 1, Flaw(_fault(error))
            stray += 1
            start = place + 1
        else:
            return


def separator_of(content: bytes, usual: str) -> str:
    r"""Return what is between cells: the usual sign, unless another one clearly does.

    >>> separator_of(b"item;annotator;answer\ni1;a;4,5\n", ",")
    ';'
    """
    start = content[:65536].decode("utf-8", errors="replace")
    if said := SAID.match(content):
        return said[1].decode()
    lines = [line for line in start.splitlines() if line.strip()][:2]
    if lines and _OF_R.fullmatch(lines[0].removeprefix("\ufeff")):
        return " "
    bare = [_QUOTED.sub("", line) for line in lines]
    counts = {sign: min((line.count(sign) for line in bare), default=0) for sign in SEPARATORS}
    best = max(counts, key=lambda sign: (counts[sign], sign == usual))
    return best if counts[best] > counts[usual] else usual


def _fault(error: csv.Error) -> str:
    if "new-line" in str(error):
        return "a carriage return in a cell without quotes"
    return "a quote is opened and not closed"


def _physical_lines(content: bytes) -> list[str]:
    text = content.decode("utf-8", errors="surrogateescape").removeprefix("\ufeff")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    lines = text.split("\n")
    ended = [f"{line}\n" for line in lines[:-1]]
    return [*ended, lines[-1]] if lines[-1] else ended


def _foreign(cells: Sequence[str]) -> bool:
    return any("\udc80" <= character <= "\udcff" for cell in cells for character in cell)


@contextmanager
def _long_cells() -> Iterator[None]:
    """Let a cell be of any length."""
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def read_cells(
    path: Path, *, separator: str | None = None, content: bytes | None = None
) -> list[tuple[int, list[str]]]:
    """Return line and stripped cells of every record of a file without named columns.

    Args:
        path: The file.
        separator: Between cells; None takes a tab for .tsv and a comma for everything else.
        content: The bytes of the file, where they were read before.

    Raises:
        TableError: With FILE:LINE for each of the first records that cannot be read.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    sign = separator or ("\t" if ".tsv" in suffixes[-2:] else ",")
    entries = list(records(as_utf8(path, read_bytes(path) if content is None else content), sign))
    flaws = [f"{path}:{n}: {record.message}" for n, record in entries if isinstance(record, Flaw)]
    if flaws:
        raise TableError(listed(flaws, total=len(flaws), noun="bad row") + " Nothing was written.")
    return [
        (line, [cell.strip() for cell in record])
        for line, record in entries
        if not isinstance(record, Flaw)
    ]
