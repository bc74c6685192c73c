"""Counts of a few words in every relation: small enough to know what a design must choose."""

from __future__ import annotations

import polars as pl

from plausibly.datasets.sp10k import RELATIONS, word_class

VERBS = ("eat", "see", "buy", "paint")
NOUNS = ("apple", "boat", "cat", "door", "egg", "fan")
ADJECTIVES = ("big", "calm", "dry", "easy", "fresh", "green")


def counts(*extra: tuple[str, str, str, int]) -> pl.DataFrame:
    """Return counts in which every head has every dependent, the earlier the more often."""
    rows = list(extra)
    for relation in RELATIONS:
        heads = NOUNS if word_class(relation, "head") == "noun" else VERBS
        dependents = NOUNS if word_class(relation, "dependent") == "noun" else ADJECTIVES
        rows += [
            (relation, head, dependent, 100 - 10 * i - j)
            for i, head in enumerate(heads)
            for j, dependent in enumerate(dependents)
        ]
    return pl.DataFrame(rows, schema=["relation", "head", "dependent", "count"], orient="row")
