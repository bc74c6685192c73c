"""The five exceptions of the package; every message says where, what, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

SHOWN = 20


class PlausiblyError(Exception):
    """Something the user can put right; the command line prints it without a traceback."""


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


def listed(lines: Sequence[str], *, total: int, noun: str) -> str:
    """Return the first lines, one per row, followed by how many there were in all."""
    shown = list(lines[:SHOWN])
    return "\n".join([*shown, f"{total} {noun}{'' if total == 1 else 's'}."])
