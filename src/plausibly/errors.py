"""The five exceptions of the package; every message says where, what, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

SHOWN = 20
LONGEST = 600


class PlausiblyError(Exception):
    """Something the user can put right; the command line prints it without a traceback.

    A message quotes what a file holds: signs that are no text are written out, and a line that
    would fill the screen is cut in its middle.

    >>> raise PlausiblyError("r.csv:3: no annotator")
    Traceback (most recent call last):
    plausibly.errors.PlausiblyError: r.csv:3: no annotator
    """

    def __init__(self, message: str = "") -> None:
        super().__init__("\n".join(map(shown, message.split("\n"))))


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

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        close = get_close_matches(name, names, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        super().__init__(f"unknown {kind} {name!r}.{hint} Known: {', '.join(names)}.")


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
