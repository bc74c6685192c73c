"""English words without a dictionary: how the counts and ConceptNet use them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from plausibly.datasets.lexica.english import Nouns, like_gerund, plural, simpler, word_lists
from plausibly.datasets.lexica.language import Language
from plausibly.datasets.lexica.usage import usage
from plausibly.datasets.sp10k import RELATIONS, word_class

# With fewer words than this in the counts, a missing word cannot be called unknown.
ENOUGH_WORDS = 5_000
# A noun with this many uses is uncountable if a smaller share of them is in the plural.
OFTEN, PLURAL_SHARE = 30, 0.03
# A verb missing from the usage table needs an object if the counts have it this often with one and
# seldom with a subject.
OBJECTS, OBJECT_SHARE = 3, 0.8
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


def settings() -> Mapping[str, Any]:
    """Return the word lists that builders use."""
    return word_lists("plausibly.stimuli.adept")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """How often words are verbs, nouns and adjectives, and what ConceptNet writes.

    Args:
        language: The English profile.
        uses: Counts by class and word.
        written: How often ConceptNet's predicates have a word in just this form.
        nouns: A dictionary that gives plurals; by default, rules do.
        is_adjective: A dictionary's check for adjectives; by default, every word passes.
        is_word: A dictionary's check for words; by default, the counts decide.
        arguments: How often the counts have each verb with an object and with a subject.
    """

    language: Language
    uses: Mapping[str, Mapping[str, int]]
    written: Mapping[str, int]
    nouns: Nouns | None = None
    is_adjective: Callable[[str], bool] | None = None
    is_word: Callable[[str], bool] | None = None
    arguments: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def judges(self) -> bool:
        """Whether enough words are known to call another one unknown."""
        return sum(map(len, self.uses.values())) >= ENOUGH_WORDS

    def knows(self, word: str) -> bool:
        """Return whether a word is a function word or in the dictionary (else the counts)."""
        if word in settings()["function"] or word in settings()["participle"]:
            return True
        if self.is_word is not None and self.is_word(word):
            return True
        if not self.judges:
            return self.is_word is None
        return any(form in uses for form in simpler(word) for uses in self.uses.values())

    def share(self, word: str, kind: str) -> float:
        """Return the share of a word's uses in one class; 0 for an unknown word."""
        total = sum(uses.get(word, 0) for uses in self.uses.values())
        return self.uses.get(kind, {}).get(word, 0) / total if total else 0.0

    def plural(self, noun: str) -> str:
        """Return the plural of a noun."""
        return plural(noun, self.language, nouns=self.nouns)

    def is_mass(self, noun: str) -> bool:
        """Return whether a noun takes no article."""
        return self.countable(noun) is False

    def countable(self, noun: str) -> bool | None:
        """Return whether a singular needs an article; None if both are possible.

        Our lists come first, then the dictionary, then how the noun is used in Wikipedia, and for
        a noun that is rare there, whether ConceptNet ever writes its plural.
        """
        if noun in self.language.mass or noun in settings()["mass"]:
            return False
        if noun in settings()["countable"]:
            return True
        if self.nouns is not None and noun not in self.language.plural and self.nouns.is_mass(noun):
            return False
        if noun in usage().nouns:
            return usage().countable(noun)
        return self._countable_as_written(noun)

    def _countable_as_written(self, noun: str) -> bool | None:
        plural = self.plural(noun)
        once, many = self.written.get(noun, 0), self.written.get(plural, 0) * (plural != noun)
        mass = not many if like_gerund(noun) else once >= OFTEN and many < PLURAL_SHARE * once
        if mass or noun.endswith(("ness", "ism")):
            return False
        return True if many else None

    def transitive(self, verb: str) -> bool | None:
        """Return whether a verb needs an object; None if both are possible.

        The counts decide for a verb that is too rare for the usage table: `foil`.
        """
        if verb in usage().verbs:
            return usage().transitive(verb)
        objects, subjects = self.arguments.get(verb, (0, 0))
        often = objects >= OBJECTS and objects >= OBJECT_SHARE * (objects + subjects)
        return True if often else None

    def is_plural(self, word: str) -> bool:
        """Return whether a word is the plural of a known noun, or has no singular."""
        if word in self.language.plural_only:
            return True
        singular = [form for form in simpler(word) if form != word]
        return any(
            self.plural(form) == word and form in self.uses["noun"] for form in singular
        ) or (word in self.language.plural.values())


def lexicon(
    words: pl.DataFrame,
    written: Iterable[str],
    *,
    language: Language,
    nouns: Nouns | None = None,
    is_adjective: Callable[[str], bool] | None = None,
    is_word: Callable[[str], bool] | None = None,
) -> Lexicon:
    """Return the lexicon of counts and assertions.

    Args:
        words: relation, role, word, count.
        written: Predicates of ConceptNet.
        language: The English profile.
        nouns: A dictionary that gives plurals.
        is_adjective: A dictionary's check for adjectives.
        is_word: A dictionary's check for words.
    """
    uses: dict[str, Counter[str]] = {"verb": Counter(), "noun": Counter(), "adjective": Counter()}
    objects: Counter[str] = Counter()
    subjects: Counter[str] = Counter()
    for relation, role, word, count in words.iter_rows():
        if relation in RELATIONS:
            uses[word_class(relation, role)][word.casefold()] += count
        if role == "head" and relation in ("dobj", "nsubj"):
            (objects if relation == "dobj" else subjects)[word.casefold()] += count
    seen: Counter[str] = Counter()
    for phrase in written:
        seen.update(_WORD.findall(phrase.casefold()))
    arguments = {verb: (objects[verb], subjects[verb]) for verb in objects}
    return Lexicon(language, uses, seen, nouns, is_adjective, is_word, arguments)
