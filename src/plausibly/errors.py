"""The five exceptions of the package; every message states where, what, and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches

SHOWN = 20
LONGEST = 600
# How a file of ratings is read is set in a section of its own, whichever step fails.
_OF_RATINGS = (
    *("format", "columns", "missing", "encoding", "duplicates", "header_row", "sheet", "decimal"),
)
_MARKED = re.compile("\ue000(\\w+)\ue001")


def option(name: str) -> str:
    """Return a parameter as a message names it; who prints the message decides how it is spelled.

    >>> print(PlausiblyError(f"no items. Pass {option('items')}."))
    no items. Pass items=.
    >>> PlausiblyError(f"Pass {option('per_cell')}.").spelled(flag)
    'Pass --per-cell.'
    """
    return f"\ue000{name}\ue001"


def keyword(name: str) -> str:
    """Return a parameter as Python spells it.

    >>> keyword("per_cell")
    'per_cell='
    """
    return f"{name}="


def flag(name: str) -> str:
    """Return a parameter as the command line spells it.

    >>> flag("per_cell")
    '--per-cell'
    """
    return f"--{name.replace('_', '-')}"


def spelled(text: str, spell: Callable[[str], str] = keyword) -> str:
    """Return a text, such as a note, with every parameter written as `spell` writes it.

    >>> spelled(f"Pass {option('per_cell')}."), spelled(f"Pass {option('per_cell')}.", flag)
    ('Pass per_cell=.', 'Pass --per-cell.')
    """
    return _MARKED.sub(lambda mark: spell(mark[1]), text)


@contextmanager
def about(parameter: str) -> Iterator[None]:
    """Name the parameter with the wrong value in every error of this block.

    >>> try:
    ...     with about("sides"):
    ...         raise StudyError("no number")
    ... except StudyError as error:
    ...     error.parameter
    'sides'
    """
    try:
        yield
    except PlausiblyError as error:
        if not isinstance(error, MissingExtra):
            error.parameter = error.parameter or parameter
        raise


class PlausiblyError(Exception):
    """Something the user can put right; the command line prints it without a traceback.

    A message quotes what a file holds: unprintable characters are escaped, and the middle of a
    line that would fill the screen is left out.

    >>> raise PlausiblyError("r.csv:3: no annotator")
    Traceback (most recent call last):
    plausibly.errors.PlausiblyError: r.csv:3: no annotator
    """

    section = ""
    keys: frozenset[str] = frozenset()

    def __init__(self, message: str = "", *, parameter: str = "") -> None:
        """Keep the message.

        Args:
            message: What is wrong; parameters are named by `option`.
            parameter: The parameter whose value is wrong, which makes it an error of usage.
        """
        parts = _MARKED.split(message)
        self.parts = tuple(
            part if place % 2 else "\n".join(map(shown, part.split("\n")))
            for place, part in enumerate(parts)
        )
        self.parameter = parameter
        super().__init__(self.spelled(keyword))

    def spelled(self, spell: Callable[[str], str]) -> str:
        """Return the message with every parameter written as `spell` writes it."""
        return "".join(spell(part) if place % 2 else part for place, part in enumerate(self.parts))

    def within(self, section: str, keys: Collection[str] = ()) -> None:
        """Name the section of study.toml that the parameters are in, and the keys it has."""
        self.section, self.keys = section, frozenset(keys)
        self.args = (str(self),)

    def __format__(self, form: str) -> str:
        """Return the message for another message: it is that one's reader who spells parameters."""
        return format(str(self) if self.section else self.spelled(option), form)

    def __str__(self) -> str:
        if self.section:
            return self.spelled(lambda name: f"[{_section(name, self.section, self.keys)}] {name}")
        return str(self.args[0]) if self.args else ""


def _section(parameter: str, section: str, keys: Collection[str]) -> str:
    if parameter == "scale":  # declared once for all steps
        return "questions.NAME"
    if parameter in keys:
        return section
    return "ratings" if parameter in _OF_RATINGS else section


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing wrong with one row of a file or table.

    Args:
        row: Row number from 0, the header not counted.
        message: What is wrong, without the place.
    """

    row: int
    message: str


class TableError(PlausiblyError, ValueError):
    """A table or file breaks its contract."""


class StudyError(PlausiblyError, ValueError):
    """A parameter or a study folder is not what it must be."""


class UnknownName(PlausiblyError, LookupError):
    """A name that nothing answers to."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, parameter: str = "") -> None:
        names = sorted(known)
        close = get_close_matches(name, names, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        message = f"unknown {kind} {name!r}.{hint} Known: {', '.join(names)}."
        super().__init__(message, parameter=parameter)


class MissingExtra(PlausiblyError, ImportError):
    """A heavy library is needed and not installed."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(
            f"{purpose} needs an extra. Install it with: pip install 'plausibly[{extra}]'"
        )


def shown(text: object) -> str:
    r"""Return a text on one line as a message can quote it: printable, and cut where it is long.

    >>> shown("a\x00b")
    'a\\x00b'
    >>> "… (5000 characters) …" in shown("long " * 1000)
    True
    """
    line = str(text)
    if len(line) > LONGEST:
        line = f"{line[: LONGEST - 200]} … ({len(line)} characters) … {line[-100:]}"
    if line.isprintable():
        return line
    return "".join(sign if sign.isprintable() else _escaped(sign) for sign in line)


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode()


def listed(lines: Sequence[str], *, total: int, noun: str) -> str:
    """Return the first lines, one per row, followed by how many there were in all."""
    few = list(lines[:SHOWN])
    return "\n".join([*few, f"{total} {noun}{'' if total == 1 else 's'}."])
