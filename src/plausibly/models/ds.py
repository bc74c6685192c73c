"""Distributional similarity to attested dependents (Erk et al. 2010; Zhang et al. 2019, eq. 2).

The weighted mean cosine of a dependent with all dependents of a head is one product: the mean of
their unit vectors, times its own. All pairs therefore cost one sparse by dense product.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import polars as pl
from scipy import sparse

from plausibly.errors import UnknownName
from plausibly.models.counts import Floats, Ints, PairCounts
from plausibly.models.pairs import PairPlaces, Scores, places_of
from plausibly.models.vectors import Vectors32, WordVectors

Weights = Literal["frequency", "uniform", "discriminative"]
WEIGHTS: tuple[Weights, ...] = get_args(Weights)


@dataclass(frozen=True, slots=True)
class Similarity:
    """How much each attested dependent counts, and whether the pair itself does.

    Args:
        weights: By how often it occurs with the head (as published), all alike, or by how few
            heads have it.
        leave_out: Judge a pair from the head's other dependents only.
    """

    weights: Weights = "frequency"
    leave_out: bool = False

    def __post_init__(self) -> None:
        if self.weights not in WEIGHTS:
            raise UnknownName("weight", self.weights, WEIGHTS)

    def scores(self, pairs: pl.DataFrame, counts: PairCounts, vectors: WordVectors) -> Scores:
        """Return the mean similarity of every dependent to those attested with its head.

        A pair whose head is unknown, or whose dependent has no vector, scores 0.
        """
        places = places_of(pairs, counts)
        dependent_vectors, has_vector = vectors.unit(pairs["dependent"].to_list())
        column_vectors, in_space = vectors.unit(counts.dependents.words)
        weights = self._weights(counts, in_space)
        wanted, row = np.unique(places.head, return_inverse=True)
        prototypes, totals = _prototypes(weights, column_vectors, wanted)
        similarity = np.einsum("ij,ij->i", prototypes[row], dependent_vectors).astype(np.float64)
        total = totals[row]
        if self.leave_out:
            own = np.asarray(_at(weights, places)) * has_vector
            similarity, total = similarity - own, total - own
        known = (total > 1e-12) & has_vector
        score: Floats = np.divide(similarity, total, out=np.zeros_like(total), where=known)
        level: Ints = np.where(known, np.where(places.count > 0, 2, 1), 0).astype(np.int64)
        return Scores(score, level)

    def _weights(
        self, counts: PairCounts, in_space: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
    ) -> sparse.csr_array:
        table = counts.table.copy()
        if self.weights != "frequency":
            table.data = np.ones_like(table.data)
        factor = in_space.astype(np.float64)
        if self.weights == "discriminative":
            heads_with = np.bincount(table.indices, minlength=table.shape[1])
            factor = factor * np.log(table.shape[0] / np.maximum(heads_with, 1) + 1)
        table.data = table.data * factor[table.indices]
        return table


def _prototypes(
    weights: sparse.csr_array, vectors: Vectors32, heads: Ints
) -> tuple[Vectors32, Floats]:
    """Return the weighted sum of dependents' unit vectors for these heads, and of the weights."""
    known = heads >= 0
    sums = np.zeros((len(heads), vectors.shape[1]), dtype=np.float32)
    totals = np.zeros(len(heads))
    if known.any():
        own = weights[heads[known]]
        sums[known] = own @ vectors
        totals[known] = np.asarray(own.sum(axis=1)).ravel()
    return sums, totals


def _at(weights: sparse.csr_array, places: PairPlaces) -> Floats:
    """Return the weight of each pair, 0 for a pair that is not attested."""
    values = np.zeros(len(places.head))
    seen = places.count > 0
    if seen.any():
        values[seen] = np.asarray(weights[places.head[seen], places.dependent[seen]]).ravel()
    return values
