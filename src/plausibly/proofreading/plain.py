"""What a plain sentence is written with: letters, single spaces and a few signs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from plausibly.proofreading.matching import matches

# What letters with accents become when they are read in a wrong encoding.
_MISREAD = re.compile("[\u00c2\u00c3][\u0080-\u00bf]?|\u00e2\u20ac")
_ADDRESS = re.compile(r"https?:|www\.|\w@\w")
_ENTITY = re.compile(r"&#?\w+;")
_SIGNS = " ,.'\u2019-"


def same_key(text: str) -> str:
    """Return what is left of a text without case, spaces, signs and looks of its letters.

    >>> same_key("Ada  opens the BOX.") == same_key("ada opens the box")
    True
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"\w+", plain))


def strange_sign(text: str, *, signs: str = _SIGNS, ascii_only: bool = False) -> str:
    """Return the first sign a plain text does not have, in words; empty if there is none.

    >>> strange_sign("A cup is empty."), strange_sign("A <cup> is empty.")
    ('', "'<' (LESS-THAN SIGN)")
    """
    if found := _MISREAD.search(text) or _ENTITY.search(text) or _ADDRESS.search(text):
        return repr(found[0])
    if _written_with(signs).fullmatch(text):
        return ""
    for sign in text:
        latin = sign.isascii() and sign.isalnum()
        if latin or (sign.isascii() and sign in signs):
            continue
        if not latin and not ascii_only and sign.isalpha():
            latin = unicodedata.name(sign, "").startswith("LATIN ")
        if (not latin and sign not in signs) or unicodedata.normalize("NFKC", sign) != sign:
            return f"{sign!a} ({unicodedata.name(sign, 'no letter')})"
    return ""


@cache
def _written_with(signs: str) -> re.Pattern[str]:
    """Return what fits a text of plain letters, digits and some signs, as nearly all texts are."""
    return re.compile(f"[A-Za-z0-9{re.escape(''.join(filter(str.isascii, signs)))}]*")


def untidy(text: str) -> Iterator[tuple[str, str]]:
    """Yield kind and message of what a tidy sentence does not have, wherever it is.

    >>> [kind for kind, _ in untidy("Ada opens the the box . She sleeps.")]
    ['space_before_sign', 'several_sentences', 'word_twice']
    """
    body = text.strip()
    yield from matches(body, "plausibly.proofreading", "untidy")
    if len(body) > 3 and body.isupper() and " " in body:
        yield "capitals", "is in capitals"
