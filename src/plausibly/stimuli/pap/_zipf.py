"""How frequent the words of triples are: by a list, or by the triples themselves."""

from __future__ import annotations

import polars as pl

from plausibly.datasets.lexica.frequency import BILLION, FrequencyList
from plausibly.datasets.lexica.norms import LEAST_KNOWN
from plausibly.stimuli.pap.perturb import ROLES


def word_zipf(
    triples: pl.DataFrame, frequency: FrequencyList | None
) -> dict[str, dict[str, float]]:
    """Return from function to word (case-folded and as spelt) to its Zipf value.

    A word the list does not know has Zipf 0. A list that knows fewer than half of the words is not
    a list of these words; then, and without a list, words are as frequent as in the triples.
    """
    tokens = pl.concat(
        triples.select(word=pl.col(role).str.to_lowercase(), count=pl.col("count"))
        for role in ROLES
    )
    totals = tokens.group_by("word").agg(pl.col("count").sum()).sort("word")
    values = None if frequency is None else frequency.zipf(totals["word"])
    if values is None or values.count() < LEAST_KNOWN * totals.height:
        share = totals["count"].cast(pl.Float64) / max(totals["count"].sum(), 1)
        values = (share * BILLION).log10()
    known = dict(zip(totals["word"], values.fill_null(0.0), strict=True))
    return {
        role: {word: known[word.lower()] for word in _spellings(triples[role])} for role in ROLES
    }


def _spellings(words: pl.Series) -> list[str]:
    return pl.concat([words, words.str.to_lowercase()]).unique().to_list()
