"""Parts of a form as data: guides, headings, columns by step, and keys of questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from plausibly.errors import StudyError, UnknownName
from plausibly.io.setting_lines import Spot
from plausibly.measures.sides import parse_sides

MOST_ON_A_PAGE = 120
"""A survey of SP-10K has 103 questions (Zhang et al. 2019, section 3.1)."""


def guides_of(raw: object, *, where: Spot) -> Mapping[str, tuple[str, ...]]:
    """Return the paragraphs about each kind of item; raise if they are not paragraphs.

    >>> guides_of({"dobj": ["Think of an object."]}, where=Spot("study.toml", "form"))["dobj"]
    ('Think of an object.',)
    """
    if not isinstance(raw, Mapping):
        raise StudyError(
            f"{where.at('guides')}: guides must map each kind of item to a list of "
            f"paragraphs; got {raw!r}."
        )
    for sort, lines in raw.items():
        if not isinstance(lines, list | tuple) or not all(isinstance(one, str) for one in lines):
            raise StudyError(
                f"{where.at('guides')}: guides: {sort} must be a list of texts; got {lines!r}."
            )
    return MappingProxyType({str(sort): tuple(lines) for sort, lines in raw.items()})


def per_page_of(given: object, *, alone: bool, where: Spot) -> int:
    """Return how many items stand on a page; raise if they cannot.

    Args:
        given: What the form says.
        alone: Whether an item needs a page of its own.
        where: The form in its file, for errors.
    """
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= MOST_ON_A_PAGE:
        raise StudyError(
            f"{where.at('per_page')}: per_page must lie between 1 and {MOST_ON_A_PAGE}; "
            f"got {given!r}."
        )
    if given > 1 and alone:
        raise StudyError(
            f"{where.at('per_page')}: per_page = {given} needs a form in one step without "
            "candidates. Set it to 1."
        )
    return given


def word_of(document: Mapping[str, Any], key: str, known: Sequence[str], where: Spot) -> str:
    """Return one of the words a key may say, the first where it says none; raise on another."""
    word = document.get(key, known[0])
    if word not in known:
        words = ", ".join(known)
        raise StudyError(f"{where.at(key)}: {key} must be one of {words}; got {word!r}.")
    return str(word)


def reveals_of(raw: object, steps: int, where: Spot) -> Mapping[str, tuple[str, ...]]:
    """Return the columns shown from each step on; raise on a step the form does not have."""
    if not isinstance(raw, Mapping):
        raise StudyError(f"{where.at('reveal')}: reveal maps a step to columns; got {raw!r}.")
    for step in raw:
        if step not in {str(n) for n in range(2, steps + 1)}:
            raise StudyError(
                f"{where.at('reveal')}: reveal: no step {step!r}. Columns of the first "
                f"step go under show; the form has {steps} step{'s' if steps > 1 else ''}."
            )
    return MappingProxyType({step: text_lines(raw, step, where) for step in raw})


def headings_of(raw: object, where: Spot) -> Mapping[str, str]:
    """Return what the page calls each column; raise if that is not a text."""
    if not isinstance(raw, Mapping) or not all(isinstance(text, str) for text in raw.values()):
        raise StudyError(f"{where.at('headings')}: headings maps a column to a text; got {raw!r}.")
    return MappingProxyType(dict(raw))


def text_lines(raw: Mapping[str, Any], name: str, where: Spot) -> tuple[str, ...]:
    """Return a list of texts; one text stands for a list of one."""
    given = raw.get(name, ())
    lines = [given] if isinstance(given, str) else given
    if not isinstance(lines, list | tuple) or not all(isinstance(x, str | int) for x in lines):
        raise StudyError(f"{where.at(name)}: {name} must be a list of texts; got {given!r}.")
    return tuple(str(line) for line in lines)


def check_keys(kind: str, raw: Mapping[str, Any], known: Sequence[str], where: Spot) -> None:
    """Raise at the first key that is not known."""
    for key in raw:
        if key not in known:
            raise StudyError(f"{where.at(key)}: {UnknownName(kind, key, known)}")


def check_kinds(raw: Mapping[str, Any], where: Spot) -> None:
    """Raise at the first value of a question that is not of the kind its key needs."""
    for key, value in raw.items():
        if key in {"required", "ties", "sentences"} and not isinstance(value, bool):
            raise StudyError(f"{where.at(key)}: {key} must be true or false; got {value!r}.")
        if key in {"text", "hint", "sides", "above", "scale"} and not isinstance(value, str):
            raise StudyError(f"{where.at(key)}: {key} must be a text; got {value!r}.")
        if key == "sides" and value:
            try:
                parse_sides(value)
            except StudyError as error:
                raise StudyError(f"{where.at(key)}: {error}") from error
        whole = isinstance(value, int) and not isinstance(value, bool)
        if key == "longest" and (not whole or value < 1):
            raise StudyError(
                f"{where.at(key)}: longest must be a whole number above 0; got {value!r}."
            )
