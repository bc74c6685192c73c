"""Pairs of annotators: every two ratings of one item, whole or as drawn in a resample."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from plausibly.measures._grouping import Cells, Ints, cells_of, distinct, pairs_within, sums
from plausibly.measures.coded import Coded, Codes, Floats


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every two ratings of one item, and the pairs of annotators they come from.

    Args:
        left: Annotator of the smaller code, one for each pair of annotators that shares an item.
        right: The other annotator of the pair.
        pair: For each two ratings the pair of annotators that gave them.
        item: The item they share.
        left_answer: What `left` answered.
        right_answer: What `right` answered.
    """

    left: Ints
    right: Ints
    pair: Ints
    item: Codes
    left_answer: Codes
    right_answer: Codes

    def __len__(self) -> int:
        return len(self.left)


def pairs_of(coded: Coded) -> Pairs:
    """Return every two ratings of one item."""
    people = coded.n_annotators
    order = np.argsort(coded.item.astype(np.int64) * people + coded.annotator)
    first, second = (order[place] for place in pairs_within(coded.item[order]))
    codes = coded.annotator[first].astype(np.int64) * people + coded.annotator[second]
    known, pair = distinct(codes, size=people * people)
    left, right = np.divmod(known, max(people, 1))
    answers = coded.answer[first], coded.answer[second]
    return Pairs(left, right, pair, coded.item[first], *answers)


@dataclass(frozen=True, eq=False)
class DrawnPairs:
    """Pairs of annotators with weights; those that were not drawn are not there.

    Args:
        pairs: The pairs.
        weight: How often the item of each two ratings was drawn.
        pair_weight: How often each pair was drawn, the product of its annotators' draws.
        n_answers: How many different answers there are.
    """

    pairs: Pairs
    weight: Floats
    pair_weight: Floats
    n_answers: int

    def __len__(self) -> int:
        return len(self.pairs)

    @cached_property
    def shared(self) -> Floats:
        """How many items each pair shares."""
        return self.by_pair(self.weight)

    @cached_property
    def cells(self) -> Cells:
        """Pairs by answers either gave; rows are the left ratings, then the right."""
        pair = np.concatenate([self.pairs.pair, self.pairs.pair])
        answer = np.concatenate([self.pairs.left_answer, self.pairs.right_answer])
        return cells_of(pair, answer, n_answers=self.n_answers)

    @cached_property
    def margins(self) -> tuple[Floats, Floats]:
        """For each cell how often the left and the right annotator gave the answer."""
        left, right = np.split(self.cells.place, 2)
        n_cells = len(self.cells)
        return sums(self.weight, left, n_groups=n_cells), sums(self.weight, right, n_groups=n_cells)

    def by_pair(self, amount: Floats) -> Floats:
        """Return the sum of an amount of two ratings for each pair."""
        return sums(amount, self.pairs.pair, n_groups=len(self))

    def by_pair_of_cells(self, amount: Floats) -> Floats:
        """Return the sum of an amount of cells for each pair."""
        return sums(amount, self.cells.group, n_groups=len(self))


def draw_pairs(
    pairs: Pairs, *, item: Floats | None, annotator: Floats | None, n_answers: int
) -> DrawnPairs:
    """Return the pairs with the weights of their items and annotators."""
    weight = np.ones(len(pairs.pair)) if item is None else item[pairs.item]
    pair_weight = (
        np.ones(len(pairs)) if annotator is None else annotator[pairs.left] * annotator[pairs.right]
    )
    if item is None and annotator is None:
        return DrawnPairs(pairs, weight, pair_weight, n_answers)
    rows = np.flatnonzero((weight > 0) & (pair_weight > 0)[pairs.pair])
    known, pair = distinct(pairs.pair[rows], size=len(pairs))
    kept = Pairs(
        pairs.left[known],
        pairs.right[known],
        pair,
        pairs.item[rows],
        pairs.left_answer[rows],
        pairs.right_answer[rows],
    )
    return DrawnPairs(kept, weight[rows], pair_weight[known], n_answers)
