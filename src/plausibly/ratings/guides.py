"""Guides: what to do with one sort of item, next to what holds for all."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from plausibly.errors import StudyError

MOST_ON_A_PAGE = 10


def guides_of(raw: object, *, where: str) -> Mapping[str, tuple[str, ...]]:
    """Return the paragraphs about each sort of item; raise where they are none.

    >>> guides_of({"dobj": ["Think of an object."]}, where="study.toml")["dobj"]
    ('Think of an object.',)
    """
    if not isinstance(raw, Mapping):
        raise StudyError(f"{where}: guides map a sort of item to paragraphs; got {raw!r}.")
    for sort, lines in raw.items():
        if not isinstance(lines, list | tuple) or not all(isinstance(one, str) for one in lines):
            raise StudyError(f"{where}: guides: {sort} must be a list of texts; got {lines!r}.")
    return MappingProxyType({str(sort): tuple(lines) for sort, lines in raw.items()})


def per_page_of(given: object, *, alone: bool, where: str) -> int:
    """Return how many items stand on a page; raise where they cannot.

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
