"""Which language texts are in, by how frequent their words are in each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import polars as pl

from plausibly.errors import StudyError, option
from plausibly.ports import Frequencies

_WORD = re.compile(r"[^\W\d_]+")
MARGIN = 0.25
MOST_READ = 2000  # texts that decide a language
"""By how many Zipf steps the words must be more frequent in one language than in any other."""


def likely_language(texts: Sequence[str], languages: Mapping[str, Frequencies]) -> str | None:
    """Return the language whose frequent words texts are made of; None if that is not clear.

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


def item_languages(
    items: pl.DataFrame, asked: str | None, *, known: Callable[[], Mapping[str, Frequencies]]
) -> tuple[pl.Series, tuple[str, ...]]:
    """Return the language of each item, null if nothing shows it, and how it is known.

    The column language comes first, then the language asked for, then the words of the texts.

    Args:
        items: The items table.
        asked: Language of items without one.
        known: Returns how frequent words are in each language that can be recognised.

    >>> items = pl.DataFrame({"text": ["x", "y"], "language": ["it", None]})
    >>> item_languages(items, "en", known=dict)[0].to_list()
    ['it', 'en']
    """
    own = pl.Series("language", [None] * items.height, dtype=pl.String)
    if "language" in items.columns:
        own = items["language"].cast(pl.String)
        own = own.set(own == "", None)
    if not own.null_count():
        return own, ()
    if asked is not None:
        return own.fill_null(asked), ()
    open_texts = items.filter(own.is_null())["text"].drop_nulls().to_list()
    found = likely_language(open_texts[:MOST_READ], known())
    if found is None:
        return own, (f"language: not known for {own.null_count()} items. {_name_it()}",)
    note = f"language: {found}, by the words of the texts; {option('language')} sets another."
    return own.fill_null(found), (note,)


def require_languages(languages: pl.Series, why: str) -> None:
    """Raise if the language of an item is not known."""
    if languages.null_count():
        raise _unclear(
            f"{why} needs the language of the items, which is not known for "
            f"{languages.null_count()}: their words do not show it. {_name_it()}"
        )


def _name_it() -> str:
    return f"Add a column language, or pass {option('language')}."


def _unclear(message: str) -> StudyError:
    return StudyError(message, parameter="language")
