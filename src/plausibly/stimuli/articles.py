"""The English indefinite article by sound, where spelling and sound differ."""

from __future__ import annotations

import re
from functools import cache

from plausibly.io.adept import PairRule, article_by_spelling
from plausibly.stimuli.lexica.language import language

# Letters whose name begins with a vowel.
_LETTERS = frozenset("aefhilmnorsx")
# Read aloud these begin with a vowel: eight, eleven, eighteen and their thousands.
_NUMBER = re.compile(r"^(?:8\d*|1[18](?:\d{3})*)(?!\d)")


def article_by_sound(word: str) -> str:
    """Return `a` or `an`, whichever is said before a word.

    Beginnings that sound otherwise than they are spelt are those of the English profile; the
    longest that fits decides.

    >>> [article_by_sound(word) for word in ("unique", "hourly", "unusual", "18th", "x")]
    ['a', 'an', 'an', 'an', 'an']
    """
    key = word.casefold()
    if key[:1].isdigit():
        return "an" if _NUMBER.match(key) else "a"
    if len(key) == 1:
        return "an" if key in _LETTERS else "a"
    beginnings = _beginnings()
    longest = max((b for b in beginnings if key.startswith(b)), key=len, default=None)
    return article_by_spelling(word) if longest is None else beginnings[longest]


@cache
def _beginnings() -> dict[str, str]:
    profile = language("en")
    return {**dict.fromkeys(profile.a_before, "a"), **dict.fromkeys(profile.an_before, "an")}


BY_SOUND = PairRule(whole_word=True, article=article_by_sound)
"""How our own pairs are made: the noun as a whole word, the article by sound."""
