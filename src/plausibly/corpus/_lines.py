"""Lines: the lines of a text in any encoding, and the HTML entities in them."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from html import unescape

from plausibly.corpus._archives import Opened
from plausibly.corpus._report import ShardReport

LONGEST = 1 << 24
STEP = 1 << 20
UTF_8 = "utf-8"
NO_BREAK = "\N{NO-BREAK SPACE}"

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def without_entities(text: str) -> tuple[str, int]:
    """Return a text with its HTML entities decoded, and how many there were.

    >>> without_entities("Fish &amp; chips, AT&T &c; &#8212;")
    ('Fish & chips, AT&T &c; —', 2)
    """
    if "&" not in text:
        return text, 0
    count = sum(unescape(one) != one for one in _ENTITY.findall(text))
    return _ENTITY.sub(lambda match: unescape(match[0]).replace(NO_BREAK, " "), text), count


class TextLines:
    """The lines of a file, numbered from 1; one that cannot be decoded is reported.

    Args:
        opened: The file.
        report: Receives the lines that cannot be read.
        encoding: How its characters are written.
    """

    def __init__(self, opened: Opened, report: ShardReport, encoding: str = UTF_8) -> None:
        self.opened = opened
        self.report = report
        self._encoding = encoding
        self._wrong = f"not {'UTF-8' if encoding == UTF_8 else encoding}"

    @property
    def file(self) -> str:
        """The name of the file."""
        return str(self.opened.path)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        narrow = "\n".encode(self._encoding) == b"\n"
        return self._by_line() if narrow else self._decoded()

    def _by_line(self) -> Iterator[tuple[int, str]]:
        """Yield every line that is not broken off, decoded one by one."""
        number = 0
        while raw := self.opened.stream.readline(LONGEST):
            if not raw.endswith(b"\n") and self.opened.damage:
                return
            number += 1
            self.report.lines += 1
            if number == 1:
                raw = raw.removeprefix(codecs.BOM_UTF8)
            try:
                yield number, raw.decode(self._encoding).rstrip("\r\n")
            except UnicodeDecodeError:
                self.report.reject_line(self.file, number, self._wrong)

    def _decoded(self) -> Iterator[tuple[int, str]]:
        """Yield the lines of an encoding whose line end is not one byte, such as UTF-16."""
        decoder = codecs.getincrementaldecoder(self._encoding)()
        number, rest = 0, ""
        while raw := self.opened.stream.read(STEP):
            try:
                *lines, rest = (rest + decoder.decode(raw)).split("\n")
            except UnicodeError:
                self.report.lines += 1
                self.report.reject_line(self.file, number + 1, f"{self._wrong} from here on")
                return
            for line in lines:
                number += 1
                self.report.lines += 1
                yield number, line.rstrip("\r")
        if rest:
            self.report.lines += 1
            yield number + 1, rest
