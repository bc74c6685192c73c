"""English words by lemminflect: plurals, nouns that have none, forms that are no lemmas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from plausibly.errors import MissingExtra

Inflect = Callable[[str, str], tuple[str, ...]]
AllLemmas = Callable[[str], Mapping[str, tuple[str, ...]]]


def is_inflected(word: str, pos: str) -> bool:
    """Tell whether lemminflect's dictionary has a word as a form of `pos` but as no lemma of it.

    A word it does not have is taken for a lemma.
    """
    lemmas = _all_lemmas()(word).get(pos.upper())
    return lemmas is not None and word not in lemmas


def is_adjective(word: str) -> bool:
    """Tell whether lemminflect's dictionary has a word as an adjective or as a participle.

    Of a word with hyphens the last part is asked about.
    """
    last = word.rpartition("-")[2]
    lemmas = _all_lemmas()(last)
    return "ADJ" in lemmas or last not in lemmas.get("VERB", (last,))


class LemminflectNouns:
    """What lemminflect's dictionary says of nouns; where it says nothing, nouns are countable."""

    def __init__(self) -> None:
        self._inflect = _lemminflect()

    def plural(self, noun: str) -> str:
        """Return the plural of one word."""
        forms = self._inflect(noun, "NNS")
        return forms[0] if forms else f"{noun}s"

    def is_mass(self, noun: str) -> bool:
        """Tell whether the only plural a word has is the word itself.

        It says so of animals as well (`sheep`); our own exceptions come before it.
        """
        return self._inflect(noun, "NNS") == (noun,)


@cache
def _lemminflect() -> Inflect:
    try:
        from lemminflect import getInflection
    except ImportError as error:
        raise MissingExtra("plurals and mass nouns of English", "parse") from error
    inflect: Inflect = getInflection
    return inflect


@cache
def _all_lemmas() -> AllLemmas:
    try:
        from lemminflect import getAllLemmas
    except ImportError as error:
        raise MissingExtra("telling inflected forms of English from lemmas", "parse") from error
    lemmas: AllLemmas = getAllLemmas
    return lemmas
