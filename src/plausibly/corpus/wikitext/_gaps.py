"""Gaps: tidies what removed elements leave around their marks in a sentence."""

from __future__ import annotations

import re

from plausibly.corpus.wikitext._links import MARK

_BLANK = r" \t\xa0"
# Each begins with one character or a character class, which makes the search fast.
_RUN = re.compile(r"\x00{2,}")
_EMPTY = re.compile(rf"[(\[][{_BLANK},;:.\u2013/-]*\x00[\x00{_BLANK},;:.\u2013/-]*[)\]]")
_UNQUOTED = re.compile(rf"\"[{_BLANK}]*\x00[\x00{_BLANK}]*\"")
_OPENED = re.compile(rf"([(\[])[{_BLANK},;:]*\x00[\x00{_BLANK},;:]*")
_DOUBLED = re.compile(rf"[,;:][{_BLANK}]*\x00[\x00{_BLANK}]*(?=[,;:.!?)\]])")
_CLOSED = re.compile(rf"\x00[\x00{_BLANK},;:]*(?=[)\]])")
_LEADING = re.compile(rf"\n([*#:;{_BLANK}]*)\x00[\x00{_BLANK},.;:]*")
_BETWEEN = re.compile(r"\x00(?=[\"(\[\u201c\u2018]?\w)")


def without_marks(text: str) -> str:
    r"""Return the text without marks, empty brackets and the punctuation they leave behind.

    Text without marks stays unchanged.

    >>> without_marks("Achilles (\x00;\x00, Akhilleus, \x00) ran, \x00, and won.\x00He sat.")
    'Achilles (Akhilleus) ran, and won. He sat.'
    """
    text = _RUN.sub(MARK, text)
    text = _UNQUOTED.sub(MARK, _EMPTY.sub(MARK, text))
    text = _DOUBLED.sub("", _OPENED.sub(r"\1", text))
    text = _CLOSED.sub(MARK, text).replace(f" {MARK})", ")").replace(f" {MARK}]", "]")
    text = _LEADING.sub(r"\n\1", text)
    return _BETWEEN.sub(" ", _RUN.sub(MARK, text)).replace(MARK, "")
