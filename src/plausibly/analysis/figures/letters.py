"""How wide a text is in a figure, before any browser has set it."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from unicodedata import combining, east_asian_width

SIZE = 13
"""Size of the letters of a figure, as in its templates."""

# Widths of letters in DejaVu Sans, the widest of the usual sans-serif fonts, as a share of the
# size, rounded up to a few classes.
_WIDTHS = {
    0.36: "'ijlIJ .,:;/f-|",
    0.46: 't()[]!r"',
    0.50: "\u2013",
    0.60: "sz?cLkFvxyP",
    0.83: "KAVBRXZCUHNDG&OQw",
    0.84: "#+<=>^~\u2212\u00b1\u00d7\u00f7",
    1.00: "%mMW\u2014\u2026@",
}
_WIDTH = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_LATIN, _OTHER, _WIDE = 0.65, 0.95, 1.05
_LATIN_END = "\u024f"


def text_width(text: str) -> float:
    """Return how wide a text is at most, in the units of a figure.

    >>> text_width("iii") < text_width("mmm")
    True
    >>> round(text_width("mean"))
    38
    """
    return SIZE * sum(map(_share, text))


def room(texts: Iterable[str], *, least: int) -> int:
    """Return the room that the widest of some texts takes, and at least so much."""
    return max(least, ceil(max(map(text_width, texts), default=0.0)))


def _share(letter: str) -> float:
    """Return the width of a letter as a share of its size."""
    if letter in _WIDTH:
        return _WIDTH[letter]
    if combining(letter):
        return 0.0
    if east_asian_width(letter) in "WF":
        return _WIDE
    capital = letter.isupper()
    if letter <= _LATIN_END:
        return 0.83 if capital else _LATIN
    return 1.1 if capital else _OTHER
