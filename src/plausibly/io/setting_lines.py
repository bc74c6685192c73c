"""Where a setting is in a TOML file, for errors that name the line to change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plausibly.errors import StudyError
from plausibly.io.opening import parse_toml, read_settings

_HEADER = re.compile(r"\s*\[\[?\s*(?P<section>[^\]]+?)\s*\]")
_KEY = re.compile(r"""\s*(?:"(?P<quoted>[^"]+)"|(?P<plain>[\w.-]+))\s*=""")


def setting(where: str | Path, section: str, key: str) -> str:
    """Return file, line, section and key of a setting, as an error begins with them.

    >>> setting("study.toml", "server", "code")
    'study.toml: [server] code'
    """
    return f"{at_line(where, section, key)}: [{section}] {key}"


def at_line(where: str | Path, section: str, key: str = "") -> str:
    """Return a file with the line of a setting, or of its section where the key is not set.

    A file that cannot be read is named without a line.
    """
    line = line_of(_text_of(where), section, key)
    return f"{where}" if line is None else f"{where}:{line}"


@dataclass(frozen=True, slots=True)
class Spot:
    """A table of a TOML file, as errors begin with it; the line is looked up when one is raised.

    Args:
        where: The file.
        table: Name of the section, such as form, or of a list of tables, such as form.questions.
        number: Which table of the list, counted from 1; 0 for a section.
        name: What errors call it after file and line; empty for a section.
        id: Its id, if a file has a section for each.

    >>> f"{Spot('study.toml', 'form.questions', 1, 'question 1')}: a text is missing."
    'study.toml: question 1: a text is missing.'
    """

    where: str
    table: str
    number: int = 0
    name: str = ""
    id: str = ""

    def __str__(self) -> str:
        return self.at("")

    def at(self, key: str) -> str:
        """Return file, line of a key (or else of the table) and name."""
        return ": ".join(part for part in (self._line(key), self.name) if part)

    def _line(self, key: str) -> str:
        if not self.number:
            return at_line(self.where, self.table, key)
        parent, _, last = self.table.rpartition(".")
        text = _text_of(self.where)
        line = (
            entry_line_of(text, self.table, self.number, key)
            or entry_line_of(text, last, self.number, key)  # a form in a file of its own
            or line_of(text, f"{last}.{self.id}", key)  # texts in another language
            or line_of(text, parent, last)  # a list in one line
        )
        return self.where if line is None else f"{self.where}:{line}"


def _text_of(where: str | Path) -> str:
    """Return a file that can be read, else nothing."""
    try:
        return read_settings(Path(where)) if Path(where).is_file() else ""
    except StudyError:
        return ""


def line_of(text: str, section: str, key: str = "") -> int | None:
    r"""Return the line of a key of a section, or else of the section; None if there is neither.

    >>> document = "[form]\nconsent = ['''\n[server]\ncode = 1''']\n[server]\ncode = 2\n"
    >>> line_of(document, "server", "code"), line_of(document, "server", "door")
    (6, 5)
    """
    here, header = "", None
    for line, opened, name in _marks(text):
        if opened:
            here = opened
            header = line if here == section and header is None else header
        elif (here, name) == (section, key) or (here, name) == ("", f"{section}.{key}"):
            return line
    return header


def entry_line_of(text: str, table: str, number: int, key: str = "") -> int | None:
    r"""Return the line of a key of a table in a list, or else of its header; None if not there.

    >>> document = "[[form.questions]]\nid = 'a'\n[[form.questions]]\nid = 'b'\nper = 'item'\n"
    >>> entry_line_of(document, "form.questions", 2, "per")
    5
    >>> entry_line_of(document, "form.questions", 2, "text")
    3
    """
    header, seen, inside = None, 0, False
    for line, opened, name in _marks(text):
        if opened:
            seen += opened == table
            inside = opened == table and seen == number
            header = line if inside else header
            if not inside and header and opened == f"{table}.{key}":
                return line if seen == number else header
        elif inside and name and name.partition(".")[0] == key:
            return line
    return header


def _marks(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line of every header with its name, and of every key with its name."""
    lines = text.splitlines(keepends=True)
    for place, line in enumerate(lines):
        opened, named = _HEADER.match(line), _KEY.match(line)
        if not (opened or named) or not _is_whole("".join(lines[:place])):
            continue  # inside a list or a text of several lines
        if opened:
            yield place + 1, opened["section"], ""
        elif named:
            yield place + 1, "", named["quoted"] or named["plain"]


def _is_whole(text: str) -> bool:
    """Return whether a text is TOML by itself."""
    try:
        parse_toml(text, where="")
    except StudyError:
        return False
    return True
