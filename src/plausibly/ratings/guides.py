"""Guides: what to do with one kind of item, in addition to what holds for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from plausibly.errors import StudyError, UnknownName

MOST_ON_A_PAGE = 120
"""A survey of SP-10K has 103 questions (Zhang et al. 2019, section 3.1)."""


def guides_of(raw: object, *, where: str) -> Mapping[str, tuple[str, ...]]:
    """Return the paragraphs about each kind of item; raise if they are not paragraphs.

    >>> guides_of({"dobj": ["Think of an object."]}, where="study.toml")["dobj"]
    ('Think of an object.',)
    """
    if not isinstance(raw, Mapping):
        raise StudyError(
            f"{where}: guides must map each kind of item to a list of paragraphs; got {raw!r}."
        )
    for sort, lines in raw.items():
        if not isinstance(lines, list | tuple) or not all(isinstance(one, str) for one in lines):
            raise StudyError(f"{where}: guides: {sort} must be a list of texts; got {lines!r}.")
    return MappingProxyType({str(sort): tuple(lines) for sort, lines in raw.items()})


def per_page_of(given: object, *, alone: bool, where: str) -> int:
    """Return how many items stand on a page; raise if they cannot.

    Args:
        given: What the form says.
        alone: Whether an item needs a page of its own.
        where: The file, for errors.
    """
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= MOST_ON_A_PAGE:
        raise StudyError(
            f"{where}: per_page must lie between 1 and {MOST_ON_A_PAGE}; got {given!r}."
        )
    if given > 1 and alone:
        raise StudyError(
            f"{where}: per_page = {given} needs a form in one step without candidates. Set it to 1."
        )
    return given


def text_lines(raw: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    """Return a list of texts; one text stands for a list of one."""
    given = raw.get(name, ())
    lines = [given] if isinstance(given, str) else given
    if not isinstance(lines, list | tuple) or not all(isinstance(x, str | int) for x in lines):
        raise StudyError(f"{where}: {name} must be a list of texts; got {given!r}.")
    return tuple(str(line) for line in lines)


def check_keys(kind: str, raw: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    """Raise at the first key that is not known."""
    for key in raw:
        if key not in known:
            raise StudyError(f"{where}: {UnknownName(kind, key, known)}")
