"""Which language texts are in, by how frequent their words are in each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import polars as pl

from plausibly.errors import StudyError, option
from plausibly.ports import Frequencies

_WORD = re.compile(r"[^\W\d_]+")
MARGIN = 0.25
"""By how many Zipf steps the words must be more frequent in one language than in any other."""


def likely_language(texts: Sequence[str], languages: Mapping[str, Frequencies]) -> str | None:
    """Return the language whose frequent words texts are made of; None where that is not clear.

    Args:
        texts: The texts.
        languages: From language to how frequent its words are.

    >>> class Known:
    ...     def __init__(self, *words):
    ...         self.words = words
    ...     def zipf(self, words):
    ...         return [5.0 if word in self.words else None for word in words]
    >>> likely_language(["The owl hoots."], {"en": Known("the", "owl"), "it": Known("gufo")})
    'en'
    """
    words = [word.lower() for text in texts for word in _WORD.findall(text)]
    if not words or not languages:
        return None
    means = {
        name: sum(one or 0.0 for one in known.zipf(words)) / len(words)
        for name, known in languages.items()
    }
    best, *others = sorted(means, key=lambda name: -means[name])
    clear = means[best] > 0 and all(means[best] - means[one] >= MARGIN for one in others)
    return best if clear else None


def in_one_language(
    items: pl.DataFrame, asked: str | None, *, known: Callable[[], Mapping[str, Frequencies]]
) -> tuple[pl.DataFrame, str, tuple[str, ...]]:
    """Return the items to compare, their language, and how it is known where nobody named it.

    Args:
        items: The items table.
        asked: The language asked for; of items in several, those in it are returned.
        known: Returns how frequent words are in each language that can be recognised.
    """
    named = items["language"].drop_nulls() if "language" in items.columns else pl.Series([""])[:0]
    languages = named.unique().sort().to_list()
    if asked is not None:
        own = items.filter(pl.col("language") == asked) if languages else items
        if own.height or not items.height:
            return own, asked, ()
        raise _unclear(f"no item is in {asked!r}: the items are in {', '.join(languages)}.")
    if len(languages) > 1:
        raise _unclear(
            f"the items are in several languages ({', '.join(languages)}), whose words cannot be "
            f"compared. Choose one with {option('language')}."
        )
    if languages:
        return items, str(languages[0]), ()
    found = likely_language(items["text"].drop_nulls().to_list(), known())
    if found is None:
        raise _unclear(
            "the language of the items is not known: they have no column language, and their words "
            f"do not show it. Pass {option('language')}."
        )
    note = f"language: {found}, by the words of the texts; {option('language')} sets another."
    return items, found, (note,)


def _unclear(message: str) -> StudyError:
    return StudyError(message, parameter="language")
