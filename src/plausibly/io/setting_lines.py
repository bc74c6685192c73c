"""Where a setting is in a TOML file, for errors that name the line to change."""

from __future__ import annotations

import re
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
    try:
        line = line_of(read_settings(Path(where)), section, key) if Path(where).is_file() else None
    except StudyError:
        line = None
    return f"{where}" if line is None else f"{where}:{line}"


def line_of(text: str, section: str, key: str = "") -> int | None:
    r"""Return the line of a key of a section, or else of the section; None if there is neither.

    >>> document = "[form]\nconsent = ['''\n[server]\ncode = 1''']\n[server]\ncode = 2\n"
    >>> line_of(document, "server", "code"), line_of(document, "server", "door")
    (6, 5)
    """
    here, header = "", None
    lines = text.splitlines(keepends=True)
    for place, line in enumerate(lines):
        opened, named = _HEADER.match(line), _KEY.match(line)
        if not (opened or named) or not _is_whole("".join(lines[:place])):
            continue  # inside a list or a text of several lines
        if opened:
            here = opened["section"]
            header = place + 1 if here == section and header is None else header
        elif named:
            name = named["quoted"] or named["plain"]
            if (here, name) == (section, key) or (here, name) == ("", f"{section}.{key}"):
                return place + 1
    return header


def _is_whole(text: str) -> bool:
    """Return whether a text is TOML by itself."""
    try:
        parse_toml(text, where="")
    except StudyError:
        return False
    return True
