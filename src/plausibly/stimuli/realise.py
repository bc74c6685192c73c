"""Turns triples of lemmas into events and sentences, in English or Italian."""

from __future__ import annotations

from dataclasses import dataclass

from plausibly.datasets.lexica.english import Nouns, article, plural, third_person
from plausibly.datasets.lexica.italian import by_ending
from plausibly.datasets.lexica.italian_verbs import third_person as italian_third_person
from plausibly.datasets.lexica.language import Language
from plausibly.datasets.lexica.usage import usage


@dataclass(frozen=True, slots=True)
class Realiser:
    """Puts triples of lemmas into words.

    Args:
        language: Profile with the exceptions.
        nouns: A larger lexicon of nouns; without one, only the profile's mass nouns are known.
    """

    language: Language
    nouns: Nouns | None = None

    def agreeing(self, verb: str, subject: str) -> str:
        """Return the verb in the present tense, agreeing with its subject."""
        if self.language.lang == "it":
            return italian_third_person(verb)
        if self.language.lang != "en":
            return verb
        if self.is_plural(subject):
            return "are" if verb == "be" else verb
        return third_person(verb, self.language)

    def is_plural(self, noun: str) -> bool:
        """Return whether a noun takes a plural verb."""
        return noun.rpartition(" ")[2].casefold() in self.language.plural_only

    def event(self, subject: str, verb: str, thing: str) -> str:
        """Return an event as PAP shows it: bare nouns, the verb in the third person.

        >>> from plausibly.datasets.lexica.language import language
        >>> Realiser(language("en")).event("police", "stop", "train")
        'police stop train'
        """
        return f"{subject} {self.agreeing(verb, subject)} {thing}"

    def phrase(self, noun: str, before: str | None = None) -> str:
        """Return a noun with its indefinite article, if it takes one.

        An adjective, if given, goes between them.
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
        """Return the plural of a noun, after an adjective if given."""
        many = plural(noun, self.language, nouns=self.nouns)
        return f"{before} {many}" if before else many

    def definite(self, noun: str, before: str | None = None, *, many: bool = False) -> str:
        """Return a noun, or its plural, with the definite article of English."""
        words = self.plural(noun, before) if many else f"{before} {noun}" if before else noun
        return f"the {words}"

    def before(self, adjective: str, noun: str, *, many: bool = False) -> str:
        """Return an adjective before a noun; in English it has only one form."""
        return self.like(adjective, noun, many=many)

    def join(self, text: str, phrase: str) -> str:
        """Return a text and a phrase after it; English has no contractions here."""
        return text + phrase

    def like(self, adjective: str, noun: str, *, many: bool = False) -> str:
        """Return an adjective next to a noun; in English it has only one form."""
        del noun, many
        return adjective

    def sentence(self, subject: str, verb: str, thing: str) -> str:
        """Return an event as a sentence, with articles, a capital and a full stop.

        >>> from plausibly.datasets.lexica.language import language
        >>> Realiser(language("en")).sentence("engineer", "carry", "water")
        'An engineer carries water.'
        """
        words = f"{self.phrase(subject)} {self.agreeing(verb, subject)} {self.phrase(thing)}"
        return f"{words[:1].upper()}{words[1:]}."
