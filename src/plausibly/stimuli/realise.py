"""English words in their place: third person, plural, the article by sound; exceptions are data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from plausibly.stimuli.italian import by_ending
from plausibly.stimuli.italian_verbs import third_person as italian_third_person
from plausibly.stimuli.lexica.language import Language
from plausibly.stimuli.lexica.usage import usage

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
        """Tell whether a word has no plural of its own."""
        ...


def third_person(verb: str, language: Language) -> str:
    """Return a verb lemma in the third person singular; of several words the first changes.

    >>> from plausibly.stimuli.lexica.language import language
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

    >>> from plausibly.stimuli.lexica.language import language
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
    """Tell whether a word is read letter by letter: `FBI`, `HTML`, but not `NATO`."""
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

    >>> from plausibly.stimuli.lexica.language import language
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


@dataclass(frozen=True, slots=True)
class Realiser:
    """Puts triples of lemmas into words.

    Args:
        language: Profile with the exceptions.
        collective_plural: Let groups take a plural verb (`the team win`).
        nouns: A larger lexicon of nouns; without one only the profile knows mass nouns.
    """

    language: Language
    collective_plural: bool = False
    nouns: Nouns | None = None

    def agreeing(self, verb: str, subject: str) -> str:
        """Return the verb in the present tense, as its subject wants it."""
        if self.language.lang == "it":
            return italian_third_person(verb)
        if self.language.lang != "en":
            return verb
        if self.is_plural(subject):
            return "are" if verb == "be" else verb
        return third_person(verb, self.language)

    def is_plural(self, noun: str) -> bool:
        """Tell whether the verb of a noun is plural."""
        last = noun.rpartition(" ")[2].casefold()
        if self.collective_plural and last in self.language.collective:
            return True
        return last in self.language.plural_only

    def event(self, subject: str, verb: str, thing: str) -> str:
        """Return an event as PAP shows it: bare nouns, the verb in the third person.

        >>> from plausibly.stimuli.lexica.language import language
        >>> Realiser(language("en")).event("police", "stop", "train")
        'police stop train'
        """
        return f"{subject} {self.agreeing(verb, subject)} {thing}"

    def phrase(self, noun: str, before: str | None = None) -> str:
        """Return a noun with its indefinite article, without one if it takes none.

        An adjective, where there is one, goes between them.
        """
        if self.language.lang == "it":
            return by_ending(noun).phrase(noun, before)
        last = noun.rpartition(" ")[2].casefold()
        bare = last in self.language.mass or last in self.language.plural_only
        bare = bare or (self.language.lang == "en" and usage().countable(last) is False)
        if bare or (self.nouns is not None and self.nouns.is_mass(last)):
            return f"{before} {noun}" if before else noun
        words = f"{before} {noun}" if before else noun
        return f"{article(words, self.language)} {words}"

    def plural(self, noun: str, before: str | None = None) -> str:
        """Return the plural of a noun, behind an adjective if there is one."""
        many = plural(noun, self.language, nouns=self.nouns)
        return f"{before} {many}" if before else many

    def definite(self, noun: str, before: str | None = None, *, many: bool = False) -> str:
        """Return a noun, or its plural, with the definite article of English."""
        words = self.plural(noun, before) if many else f"{before} {noun}" if before else noun
        return f"the {words}"

    def before(self, adjective: str, noun: str, *, many: bool = False) -> str:
        """Return an adjective in front of a noun; English ones have one form."""
        return self.like(adjective, noun, many=many)

    def join(self, text: str, phrase: str) -> str:
        """Return a text and a phrase after it; English joins nothing."""
        return text + phrase

    def like(self, adjective: str, noun: str, *, many: bool = False) -> str:
        """Return an adjective beside a noun; English ones have one form."""
        del noun, many
        return adjective

    def sentence(self, subject: str, verb: str, thing: str) -> str:
        """Return an event as a sentence, with articles, a capital and a full stop.

        >>> from plausibly.stimuli.lexica.language import language
        >>> Realiser(language("en")).sentence("engineer", "carry", "water")
        'An engineer carries water.'
        """
        words = f"{self.phrase(subject)} {self.agreeing(verb, subject)} {self.phrase(thing)}"
        return f"{words[:1].upper()}{words[1:]}."
