"""Resnik's selectional association (Resnik 1996): how much a head prefers a class of nouns.

A noun counts 1/n for each of its n classes in WordNet. The strength of a head is the divergence of
P(class | head) from P(class); its association with a class is that class's share of the strength,
and its association with a noun is the highest among the noun's classes. Verbs select their subjects
and objects, and adjectives select their nouns; pairs without a noun get no score.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from scipy import sparse

from plausibly.datasets.wordnet import NounTree
from plausibly.models.counts import Floats, Ints, PairCounts, Vocabulary, packed, unpacked
from plausibly.models.pairs import EVIDENCE, SEEN, UNKNOWN, Scores, places_of
from plausibly.models.stored import Arrays

NOUN_IS_DEPENDENT = ("nsubj", "dobj")
NOUN_IS_HEAD = ("amod",)
WORDS, STARTS, CLASSES = "wordnet/words", "wordnet/starts", "wordnet/classes"


@dataclass(frozen=True, eq=False)
class NounClasses:
    """Which classes each noun belongs to.

    Args:
        nouns: The nouns.
        table: Nouns by classes: 1 / the number of the noun's classes if it belongs to the class.
    """

    nouns: Vocabulary
    table: sparse.csr_array

    @cached_property
    def size(self) -> int:
        """How many classes there are."""
        return int(self.table.shape[1])

    def of(self, words: Iterable[str]) -> sparse.csr_array:
        """Return the rows of some words; the row is empty for a word that is not a noun."""
        places = self.nouns.places(list(words))
        known = np.flatnonzero(places >= 0)
        pick = sparse.csr_array(
            (np.ones(len(known)), (known, places[known])), shape=(len(places), len(self.nouns))
        )
        return sparse.csr_array(pick @ self.table)

    def arrays(self) -> Arrays:
        """Return the arrays that are stored."""
        return {
            WORDS: packed(self.nouns.words),
            STARTS: self.table.indptr.astype(np.int64),
            CLASSES: self.table.indices.astype(np.int32),
        }


def noun_classes(nouns: NounTree) -> NounClasses:
    """Return the classes of every noun of one word."""
    words = sorted(word for word in nouns.senses if "_" not in word)
    classes = [nouns.classes(word) for word in words]
    numbers, flat = np.unique(
        np.concatenate([np.asarray(own, dtype=np.int64) for own in classes]), return_inverse=True
    )
    starts = np.concatenate([[0], np.cumsum([len(own) for own in classes])])
    return _classes(tuple(words), starts.astype(np.int64), flat.astype(np.int64), len(numbers))


def stored_classes(arrays: Arrays) -> NounClasses:
    """Return the classes a stored model has."""
    flat = arrays[CLASSES].astype(np.int64)
    size = int(flat.max()) + 1 if len(flat) else 0
    return _classes(unpacked(arrays[WORDS]), arrays[STARTS].astype(np.int64), flat, size)


def _classes(words: tuple[str, ...], starts: Ints, flat: Ints, size: int) -> NounClasses:
    many = np.diff(starts)
    share = np.repeat(1.0 / np.maximum(many, 1), many)
    table = sparse.csr_array((share, flat, starts), shape=(len(words), size))
    return NounClasses(Vocabulary(words), table)


def associations(heads: sparse.csr_array, prior: Floats) -> sparse.csr_array:
    """Return the association of each head with the classes of its nouns.

    Args:
        heads: Heads by classes, how often each was seen.
        prior: How often each class was seen with any head.

    >>> seen = sparse.csr_array(np.array([[3.0, 0.0], [1.0, 4.0]]))
    >>> associations(seen, np.array([4.0, 4.0])).toarray().round(3).tolist()
    [[1.0, 0.0], [-0.951, 1.951]]
    """
    rows = np.repeat(np.arange(heads.shape[0]), np.diff(heads.indptr))
    totals = np.bincount(rows, heads.data, minlength=heads.shape[0])
    share = heads.data / totals[rows]
    gain = share * np.log(share * prior.sum() / prior[heads.indices])
    strength = np.bincount(rows, gain, minlength=heads.shape[0])[rows]
    value = np.divide(gain, strength, out=np.zeros_like(gain), where=strength > 1e-12)
    return sparse.csr_array((value, heads.indices, heads.indptr), shape=heads.shape)


def scores(relation: str, pairs: pl.DataFrame, counts: PairCounts, classes: NounClasses) -> Scores:
    """Return the association of every pair; NaN if its head or noun is unknown."""
    level = places_of(pairs, counts).level
    if relation in NOUN_IS_HEAD:
        turned = sparse.csr_array(counts.table.T)
        counts = PairCounts(counts.dependents, counts.heads, turned)
        pairs = pairs.select("relation", head="dependent", dependent="head")
    elif relation not in NOUN_IS_DEPENDENT:
        return Scores(np.full(pairs.height, np.nan), np.zeros(pairs.height, dtype=np.int64))
    of_nouns = classes.of(counts.dependents.words)
    prior = np.asarray(of_nouns.T @ counts.of_dependent).ravel()
    places = counts.heads.places(pairs["head"].to_list())
    asked, row = np.unique(places[places >= 0], return_inverse=True)
    strong = associations(sparse.csr_array(counts.table[asked] @ of_nouns), prior)
    own = classes.of(pairs["dependent"].to_list())
    score = np.full(pairs.height, np.nan)
    for number, place in zip(np.flatnonzero(places >= 0), row, strict=True):
        held = own.indices[own.indptr[number] : own.indptr[number + 1]].astype(np.int64)
        if len(held):
            score[number] = _at(strong, int(place), held).max()
    unknown = EVIDENCE.index(UNKNOWN)
    backed = np.minimum(level, EVIDENCE.index(SEEN))
    return Scores(score, np.where(np.isnan(score), unknown, np.maximum(backed, unknown + 1)))


def _at(table: sparse.csr_array, row: int, columns: Ints) -> Floats:
    """Return the values of a row at some columns, 0 if it has none."""
    part = slice(int(table.indptr[row]), int(table.indptr[row + 1]))
    dense = np.zeros(table.shape[1])
    dense[table.indices[part]] = table.data[part]
    values: Floats = dense[columns]
    return values
