"""Quantity nouns: hundreds of competitors, un milione di persone.

The preposition after a noun shows which language's list applies: `of` the English one, `di` the
Italian one. The words are in `reporting_en.toml` and `reporting_it.toml`, both made by
`training/count_reporting.py`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources

QUANTITY = "quantity"
LANGUAGES = ("en", "it")
STAY = frozenset({"amod", "nummod", "compound", "advmod", "punct", "nmod", "nmod:poss"})
"""The relations of dependents that stay with a quantity noun."""


@dataclass(frozen=True, slots=True)
class MeasureWords:
    """The quantity nouns of one language.

    Args:
        of: Prepositions between a quantity noun and what it measures.
        quantities: Nouns that measure the noun after the preposition.
        figures: Those of them that name a figure where they are definite: the number of cattle.
        kinds: Forms that do not measure: new varieties of rice, the score of a film.
        graded: Those that measure only with an adjective before them: gran parte di.
        definite: Determiners that make a noun definite.
    """

    of: frozenset[str]
    quantities: frozenset[str]
    figures: frozenset[str]
    kinds: frozenset[str]
    graded: frozenset[str]
    definite: frozenset[str]

    def measures(self, lemma: str, form: str, below: Iterable[tuple[str, str]]) -> bool:
        """Return whether a noun measures the noun after it.

        Args:
            lemma: The noun, in lower case.
            form: As it is written, in lower case.
            below: Relation and form of the words that depend on it and come before it.
        """
        if form in self.kinds:
            return False
        if lemma in self.graded:
            return any(relation == "amod" for relation, _ in below)
        if lemma not in self.figures:
            return lemma in self.quantities
        return not any(
            relation == "nmod:poss" or (relation == "det" and word in self.definite)
            for relation, word in below
        )


@cache
def measure_words() -> dict[str, MeasureWords]:
    """Return the words of every language, by the preposition after the quantity noun."""
    tables: dict[str, MeasureWords] = {}
    for language in LANGUAGES:
        place = resources.files("plausibly.corpus") / f"reporting_{language}.toml"
        lists = tomllib.loads(place.read_text(encoding="utf-8"))["measures"]
        words = MeasureWords(**{name: frozenset(some) for name, some in lists.items()})
        tables |= dict.fromkeys(words.of, words)
    return tables


@cache
def quantity_nouns() -> frozenset[str]:
    """Return the quantity nouns of all languages."""
    return frozenset().union(*(words.quantities for words in measure_words().values()))
