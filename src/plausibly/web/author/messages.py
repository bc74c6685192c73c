"""Messages of the check as pages show them: in the language of the pages, sentences from 1."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from plausibly.io.opening import packaged_toml

_SLOT = re.compile(r"\{(\w+)\}")
_PLACES = re.compile(r"s\d?")
# One sentence, several, a pair in brackets, or none.
_NUMBERS = r"\d+(?:, \d+)*(?: and \d+)?|\[[\d, ]*\]|none"
_MESSAGE = "m"
_BETWEEN = {"it": {"and": "e", "none": "nessuna"}}


@dataclass(frozen=True, slots=True)
class PageMessage:
    """A message of the check and the same in another language."""

    written: str
    pattern: re.Pattern[str]
    shown: str


def on_page(message: str, language: str) -> str:
    """Return a message as pages in a language show it; one that is not listed is kept.

    >>> on_page("sentence 0 is empty", "it"), on_page("sentence 0 is empty", "en")
    ('la frase 1 è vuota', 'sentence 1 is empty')
    >>> on_page("sentence 2: 'il porta' do not fit", "it")
    "frase 3: 'il porta': articolo e nome non concordano"
    """
    return next(_worded(message, language), message)


def is_listed(message: str) -> bool:
    """Return whether a message, and every message inside it, has its words in each language."""
    for wording in wordings("it"):
        if found := wording.pattern.fullmatch(message):
            inside = found.groupdict().get(_MESSAGE)
            return inside is None or is_listed(inside)
    return False


def _worded(message: str, language: str) -> Iterator[str]:
    for wording in wordings(language):
        if found := wording.pattern.fullmatch(message):
            slots = found.groupdict()
            yield wording.shown.format(
                **{name: _filled(name, text, language) for name, text in slots.items()}
            )


def _filled(name: str, text: str, language: str) -> str:
    if name == _MESSAGE:
        return on_page(text, language)
    if not _PLACES.fullmatch(name):
        return text
    counted = re.sub(r"\d+", lambda found: str(int(found[0]) + 1), text)
    between = _BETWEEN.get(language, {})
    return re.sub(r"[a-z]+", lambda found: between.get(found[0], found[0]), counted)


@cache
def wordings(language: str) -> tuple[PageMessage, ...]:
    """Return the messages that are listed; in English they are shown as the check words them."""
    listed = _document()["it"]
    others = _document().get(language, {})
    return tuple(
        PageMessage(written, _pattern(written), others.get(written, written)) for written in listed
    )


@cache
def _document() -> Mapping[str, Mapping[str, str]]:
    return packaged_toml("plausibly.web.author", "messages.toml")


def _pattern(written: str) -> re.Pattern[str]:
    """Return what fits a message: its words, and in each slot numbers of sentences or any text."""
    parts = _SLOT.split(written)
    built = [
        re.escape(part)
        if place % 2 == 0
        else f"(?P<{part}>{_NUMBERS if _PLACES.fullmatch(part) else '.+?'})"
        for place, part in enumerate(parts)
    ]
    return re.compile("".join(built), re.DOTALL)
