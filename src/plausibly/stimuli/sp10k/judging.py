"""What dictionaries, frequency lists and the counts say about words for SP-10K."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from plausibly.stimuli.frames import LEAST_SEEN
from plausibly.stimuli.ledger import Sieve

# A word that no dictionary or list knows is supported by the corpus where it is seen so often, in
# so many places (a relation and a role in it), and makes up so much of its class.
LEAST_PLACES = 3
LEAST_SHARE = 5e-5
# A dictionary or list that knows less than this share of all occurrences is of another language.
LEAST_KNOWN = 0.5
LONGEST_SYMBOL = 2
VOWELS = frozenset("aeiouy")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordJudges:
    """Who judges words, as far as they are installed.

    Args:
        is_adjective: Return whether a word is an adjective; without it, all are.
        is_noun: Return whether a word may be a noun; without it, all may.
        are_known: Return for each word whether a dictionary or a frequency list knows it.
        measures: Units and times, which are not agents.
    """

    is_adjective: Callable[[str], bool] | None = None
    is_noun: Callable[[str], bool] | None = None
    are_known: Callable[[Sequence[str]], Sequence[bool]] | None = None
    measures: frozenset[str] = frozenset()


def supported(found: Sieve, judges: WordJudges) -> Sieve:
    """Return the sieve without words that neither a dictionary, a list nor the corpus supports.

    Args:
        found: Words with key, class, count and places.
        judges: Who knows words; without them, or where they know too few, no word is dropped.
    """
    words = found.kept
    if judges.are_known is None or words.is_empty():
        return found
    known = pl.Series(judges.are_known(words["key"].to_list()), dtype=pl.Boolean)
    occurrences = words["count"].to_numpy()
    if occurrences[known.to_numpy()].sum() < LEAST_KNOWN * occurrences.sum():
        return found
    share = pl.col("count") / pl.col("count").sum().over("class")
    often = (pl.col("count") >= LEAST_SEEN) & (share >= LEAST_SHARE)
    in_corpus = words.select(often & (pl.col("places") >= LEAST_PLACES)).to_series()
    symbols = words["key"].is_in([unit for unit in judges.measures if is_symbol(unit)])
    reason = "in no dictionary, rare in the frequency list and in these counts, or a unit's symbol"
    return found.split("unsupported", goes=(~known & ~in_corpus) | symbols, reason=reason)


def is_symbol(unit: str) -> bool:
    """Return whether a unit is written as a symbol, which makes no question: produce a hp.

    >>> [unit for unit in ("hp", "km", "mph", "mile", "day", "ha") if is_symbol(unit)]
    ['hp', 'km', 'mph', 'ha']
    """
    return len(unit) <= LONGEST_SYMBOL or not VOWELS & set(unit)
