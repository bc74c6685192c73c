"""A combination of what counts and vectors say about a pair.

Without people's scores the parts count alike: the mean of their standardised values. With them a
regression (`plausibly.models.regression`) learns from people how much each counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from plausibly.models.counts import Floats, PairCounts, amount
from plausibly.models.ds import Similarity
from plausibly.models.pairs import PairPlaces, Scores, places_of
from plausibly.models.pp import Posterior
from plausibly.models.ppmi import scores as ppmi_scores
from plausibly.models.vectors import WordVectors

DRAWN = 2000  # pairs of the relation, for the spread of claims


@dataclass(frozen=True, eq=False)
class Parts:
    """What a pair's features are made from.

    Args:
        counts: Of the relation.
        vectors: For similarity, products and cosines.
        mass: Weight of the back-off of the probability.
        frequency: From lower-cased words to the logarithm of how often they occur anywhere.
    """

    counts: PairCounts
    vectors: WordVectors
    mass: float
    frequency: Mapping[str, float]


def claims(pairs: pl.DataFrame, parts: Parts) -> Floats:
    """Return what each simple model says about every pair, one column each.

    The columns are probability, information, similarity, others and frequency.
    """
    places = places_of(pairs, parts.counts)
    probability = Posterior(parts.mass).scores(pairs, parts.counts).score
    similarity, others = (
        Similarity(leave_out=leave_out).scores(pairs, parts.counts, parts.vectors).score
        for leave_out in (False, True)
    )
    own = np.log1p(amount(parts.counts.of_dependent, places.dependent))
    return np.stack(
        [np.log(probability), ppmi_scores(pairs, parts.counts).score, similarity, others, own],
        axis=1,
    )


def groups(pairs: pl.DataFrame, parts: Parts, *, counted: bool = True) -> list[Floats]:
    """Return the features of every pair in groups that are spread out together.

    The groups are the dependent's vector, both vectors, their product, and plain numbers: cosine
    and how frequent both words are.

    Args:
        pairs: head and dependent.
        parts: Counts, vectors and frequencies.
        counted: Whether what was counted in the relation is among the numbers.
    """
    heads, dependents = pairs["head"].to_list(), pairs["dependent"].to_list()
    first, second = (parts.vectors.unit(side)[0].astype(float) for side in (heads, dependents))
    product = first * second * np.sqrt(max(first.shape[1], 1))
    often = [[parts.frequency.get(w.lower(), 0.0) for w in side] for side in (heads, dependents)]
    numbers = [(first * second).sum(axis=1, keepdims=True), np.array(often).T.reshape(-1, 2)]
    if counted:
        places = places_of(pairs, parts.counts)
        numbers += [claims(pairs, parts), _numbers(places, parts.counts)]
    return [second, np.hstack([first, second]), product, np.hstack(numbers)]


def _numbers(places: PairPlaces, counts: PairCounts) -> Floats:
    of_head = np.log1p(amount(counts.of_head, places.head))
    kinds = np.log1p(amount(np.diff(counts.table.indptr).astype(np.float64), places.head))
    return np.stack([np.log1p(places.count), places.count > 0, of_head, kinds], axis=1)


def mean_claim(pairs: pl.DataFrame, parts: Parts) -> Scores:
    """Return the mean of the standardised claims, all alike, and what they rest on."""
    table = claims(pairs, parts)
    centre, spread = _moments(parts)
    score = ((table - centre) / spread).mean(axis=1)
    return Scores(score, places_of(pairs, parts.counts).level)


def _moments(parts: Parts) -> tuple[Floats, Floats]:
    """Return mean and spread of the claims over pairs of the relation, drawn and exchanged."""
    generator = np.random.default_rng(0)
    table = parts.counts.table.tocoo()
    chosen = generator.integers(table.nnz, size=DRAWN)
    heads = [parts.counts.heads.words[row] for row in table.row[chosen]]
    dependents = [parts.counts.dependents.words[column] for column in table.col[chosen]]
    mixed = generator.permutation(np.array(dependents, dtype=object)).tolist()
    drawn = pl.DataFrame({"head": heads + heads, "dependent": dependents + mixed})
    found = claims(drawn, parts)
    spread = found.std(axis=0)
    return found.mean(axis=0), np.where(spread > 0, spread, 1.0)
