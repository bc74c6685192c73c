"""How our own ADEPT pairs are made: the noun as a whole word, the article by sound."""

from __future__ import annotations

from functools import cache, lru_cache

from plausibly.datasets.adept.pairs import PairRule
from plausibly.datasets.lexica.english import article
from plausibly.datasets.lexica.language import Language, language


@lru_cache(maxsize=100_000)
def article_by_sound(word: str) -> str:
    """Return `a` or `an`, whichever is said before a word; a lone letter is read by its name.

    >>> [article_by_sound(word) for word in ("unique", "hourly", "unusual", "18th", "x")]
    ['a', 'an', 'an', 'an', 'an']
    """
    return article(word.upper() if len(word) == 1 else word, _english())


@cache
def _english() -> Language:
    return language("en")


BY_SOUND = PairRule(whole_word=True, article=article_by_sound)
