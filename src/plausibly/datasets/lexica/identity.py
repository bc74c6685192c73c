"""Identity terms before nouns for people: pairs that ask raters to judge a group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from plausibly.datasets.lexica.english import plural
from plausibly.datasets.lexica.language import Language, language
from plausibly.errors import StudyError
from plausibly.io import read_toml
from plausibly.io.opening import packaged_toml

_KEYS = ("term", "colour", "people")
# Endings that make a noun for people of nearly every word: `postman`, `scientist`.
_ENDINGS = ("man", "woman", "person", "ologist", "ician")


@dataclass(frozen=True, slots=True)
class IdentityTerms:
    """Which adjectives group people, and which nouns are people.

    Args:
        terms: Adjectives that group people wherever people are meant.
        people: Nouns for people and groups, in the singular and in the plural.
        proper: Adjectives of peoples, places and creeds, which have a capital.
        named: Nouns that name people by a group, in the singular and in the plural.
    """

    terms: frozenset[str]
    people: frozenset[str]
    proper: frozenset[str]
    named: frozenset[str] = frozenset()

    def is_person(self, noun: str) -> bool:
        """Return whether a noun is for people or a group of them.

        >>> terms = identity_terms()
        >>> [terms.is_person(noun) for noun in ("nurses", "postman", "bell", "bands")]
        [True, True, False, True]
        """
        word = noun.casefold()
        return word in self.people or (len(word) > 6 and word.endswith(_ENDINGS))

    def is_term(self, adjective: str) -> bool:
        """Return whether an adjective can group people."""
        word = adjective.casefold()
        return word in self.terms or word in self.proper

    def groups(self, adjective: str, noun: str) -> bool:
        """Return whether an adjective before a noun groups people; a colour of a thing does not.

        >>> terms = identity_terms()
        >>> pairs = (("black", "bands"), ("black", "bag"), ("Muslim", "king"), ("Roman", "road"))
        >>> [terms.groups(*pair) for pair in pairs]
        [True, False, True, False]
        """
        return self.is_term(adjective) and self.is_person(noun)

    def names_group(self, noun: str) -> bool:
        """Return whether a noun names people by a group; a mere profession does not.

        >>> terms = identity_terms()
        >>> [terms.names_group(noun) for noun in ("widow", "immigrants", "Muslim", "baker")]
        [True, True, True, False]
        """
        word = noun.casefold()
        return word in self.named or word in self.proper


def read_identity(path: Path) -> IdentityTerms:
    """Return the terms in a user's file, TOML with the lists of ours."""
    document = read_toml(path)
    missing = [key for key in _KEYS if not isinstance(document.get(key), list)]
    if missing:
        raise StudyError(f"{path}: no list {missing[0]!r}. It needs {', '.join(_KEYS)}.")
    return _terms(document, language("en"))


@cache
def identity_terms() -> IdentityTerms:
    """Return the terms that come with the package."""
    return _terms(packaged_toml("plausibly.datasets.lexica", "identity.toml"), language("en"))


def _terms(document: Mapping[str, Any], profile: Language) -> IdentityTerms:
    people = {str(word).casefold() for word in document["people"]}
    named = {str(word).casefold() for word in document.get("group", [])}
    words = {str(word).casefold() for key in ("term", "colour") for word in document[key]}
    return IdentityTerms(
        terms=frozenset(words),
        people=frozenset(people | {plural(word, profile) for word in people}),
        proper=profile.proper,
        named=frozenset(named | {plural(word, profile) for word in named}),
    )
