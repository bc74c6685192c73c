"""English words: articles by sound, plurals and third persons, and lists of words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Protocol

from plausibly.datasets.lexica.language import Language

VOWELS = "aeiou"
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$")
_SINGLE_O = re.compile(r"[^o]o$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_LETTERS_AN = frozenset("AEFHILMNORSX")
_AN_NUMBER = re.compile(r"(?:8|1[18](?!\d)|1[18](?:\d{3})+(?!\d))")
_MEN = re.compile(r"(?<=[a-z])man$")


class Nouns(Protocol):
    """A larger lexicon of nouns, asked where our own exceptions say nothing."""

    def plural(self, noun: str) -> str:
        """Return the plural of one word."""
        ...

    def is_mass(self, noun: str) -> bool:
        """Return whether a word has no plural of its own."""
        ...


def third_person(verb: str, language: Language) -> str:
    """Return a verb lemma in the third person singular; of several words the first changes.

    >>> from plausibly.datasets.lexica.language import language
    >>> [third_person(verb, language("en")) for verb in ("carry", "have", "undergo", "take over")]
    ['carries', 'has', 'undergoes', 'takes over']
    """
    first, space, rest = verb.partition(" ")
    if space:
        return f"{third_person(first, language)} {rest}"
    known = language.third_person.get(verb)
    if known is not None:
        return known
    if _CONSONANT_Y.search(verb):
        return f"{verb[:-1]}ies"
    if _SIBILANT.search(verb) or _SINGLE_O.search(verb):
        return f"{verb}es"
    return f"{verb}s"


def article(phrase: str, language: Language) -> str:
    """Return `a` or `an`, as the first word of the phrase sounds.

    >>> from plausibly.datasets.lexica.language import language
    >>> english = language("en")
    >>> [article(word, english) for word in ("hour", "unicorn", "umbrella", "FBI agent", "11th")]
    ['an', 'a', 'an', 'an', 'an']
    """
    first = re.split(r"\s+", phrase.strip(), maxsplit=1)[0]
    if first[:1].isdecimal():
        return "an" if _AN_NUMBER.match(first) else "a"
    if _spelt_out(first):
        return "an" if first[0] in _LETTERS_AN else "a"
    word = first.casefold()
    a = _longest(word, language.a_before)
    an = _longest(word, language.an_before)
    if a != an:
        return "an" if an > a else "a"
    return "an" if word[:1] in VOWELS else "a"


def _spelt_out(word: str) -> bool:
    """Return whether a word is read letter by letter: `FBI`, `HTML`, but not `NATO`."""
    letters = word.partition("-")[0].rstrip("s")
    if not (letters.isascii() and letters.isalpha() and letters.isupper()):
        return False
    return len(letters) <= 3 or not set(letters) & set(VOWELS.upper())


def _longest(word: str, beginnings: tuple[str, ...]) -> int:
    return max((len(start) for start in beginnings if word.startswith(start)), default=0)


def cased(word: str, language: Language) -> str:
    """Return a word as it is written: `American`, where counts have `american`."""
    return word.capitalize() if word in language.proper else word


def plural(noun: str, language: Language, *, nouns: Nouns | None = None) -> str:
    """Return the plural of a noun lemma; of several words the last changes.

    Args:
        noun: A singular noun, or one that has no singular.
        language: Its exceptions come first.
        nouns: A larger lexicon to ask where there is no exception; rules without one.

    >>> from plausibly.datasets.lexica.language import language
    >>> [plural(noun, language("en")) for noun in ("baby", "box", "fireman", "police", "ice axe")]
    ['babies', 'boxes', 'firemen', 'police', 'ice axes']
    """
    rest, space, last = noun.rpartition(" ")
    if last in language.plural:
        return rest + space + language.plural[last]
    if last in language.plural_only or last in language.mass:
        return noun
    if nouns is not None:
        return rest + space + nouns.plural(last)
    if _MEN.search(last) and not last.endswith(("human", "german", "roman", "shaman")):
        return rest + space + _MEN.sub("men", last)
    if _CONSONANT_Y.search(last):
        return f"{rest}{space}{last[:-1]}ies"
    return f"{rest}{space}{last}{'es' if _SIBILANT.search(last) else 's'}"


@cache
def word_lists(package: str) -> Mapping[str, Any]:
    """Return the lists in a package's words.toml and ours, those of words as sets."""
    shared = resources.files("plausibly.datasets.lexica") / "words_en.toml"
    places = (shared, resources.files(package) / "words.toml")
    documents = [tomllib.loads(place.read_text(encoding="utf-8")) for place in places]
    return {
        name: frozenset(value) if all(isinstance(one, str) for one in value) else tuple(value)
        for document in documents
        for name, value in document.items()
    }


def like_gerund(word: str) -> bool:
    """Return whether a word is spelt like a gerund: `cooking`, but not `king` or `spring`.

    >>> [word for word in ("cooking", "king", "spring", "using") if like_gerund(word)]
    ['cooking', 'using']
    """
    return word.endswith("ing") and bool(set(word.removesuffix("ing")) & set("aeiouy"))


def like_past(word: str) -> bool:
    """Return whether a word is spelt like a past form in -ed: `used`, but not `feed` or `shed`.

    >>> [word for word in ("used", "feed", "shed", "bed") if like_past(word)]
    ['used']
    """
    stem = word.removesuffix("ed")
    return stem != word and not stem.endswith("e") and bool(set(stem) & set("aeiouy"))


def like_superlative(word: str) -> bool:
    """Return whether a word is a superlative a dictionary has as an adjective of its own.

    >>> [like_superlative(word) for word in ("topmost", "utmost", "eldest", "almost", "modest")]
    [True, True, True, False, False]
    """
    whole = word.endswith("most") and word not in ("most", "almost")
    return whole or word in _SUPERLATIVES or word.startswith(("most-", "more-", "least-"))


_SUPERLATIVES = frozenset({"best", "eldest", "farthest", "furthest", "nearest", "worst"})


def simpler(word: str) -> tuple[str, ...]:
    """Return the word and what may be its lemma, by spelling alone.

    >>> simpler("carries"), simpler("stopped")
    (('carries', 'carry', 'carrie'), ('stopped', 'stopp', 'stoppe', 'stop'))
    """
    found = [word]
    for ending, others in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word.removesuffix(ending)
            found += [stem + other for other in others]
            if ending in ("ed", "ing", "er", "est") and stem[-1:] == stem[-2:-1]:
                found.append(stem[:-1])
            break
    return tuple(dict.fromkeys(form for form in found if len(form) > 1))


_ENDINGS = (
    ("ies", ("y", "ie")),
    ("ves", ("f", "fe", "ve")),
    ("men", ("man",)),
    ("es", ("", "e")),
    ("s", ("",)),
    ("ied", ("y",)),
    ("ed", ("", "e")),
    ("ing", ("", "e")),
    ("ly", ("",)),
    ("er", ("", "e")),
    ("est", ("", "e")),
)
