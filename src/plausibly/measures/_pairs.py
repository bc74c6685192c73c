"""Pairs of annotators: every two ratings of one item, all of them or those kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from plausibly.measures._grouping import Cells, Ints, cells_of, distinct, pairs_within, sums
from plausibly.measures.coded import Coded, Codes, Floats


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every two ratings of one item, and the pairs of annotators they come from.

    Args:
        left: Annotator of the smaller code, one for each pair of annotators that shares an item.
        right: The other annotator of the pair.
        pair: For each two ratings the pair of annotators that gave them.
        rows: Which two ratings they are, left and right.
        left_answer: What `left` answered.
        right_answer: What `right` answered.
        n_answers: How many different answers there are.
    """

    left: Ints
    right: Ints
    pair: Ints
    rows: tuple[Ints, Ints]
    left_answer: Codes
    right_answer: Codes
    n_answers: int

    def __len__(self) -> int:
        return len(self.left)

    @cached_property
    def shared(self) -> Floats:
        """How many items each pair shares."""
        return np.bincount(self.pair, minlength=len(self)).astype(np.float64)

    @cached_property
    def cells(self) -> Cells:
        """Pairs by answers either gave; rows are the left ratings, then the right."""
        pair = np.concatenate([self.pair, self.pair])
        answer = np.concatenate([self.left_answer, self.right_answer])
        return cells_of(pair, answer, n_answers=self.n_answers)

    @cached_property
    def margins(self) -> tuple[Floats, Floats]:
        """For each cell how often the left and the right annotator gave the answer."""
        left, right = np.split(self.cells.place, 2)
        n_cells = len(self.cells)
        return (
            np.bincount(left, minlength=n_cells).astype(np.float64),
            np.bincount(right, minlength=n_cells).astype(np.float64),
        )

    def by_pair(self, amount: Floats) -> Floats:
        """Return the sum of an amount of two ratings for each pair."""
        return sums(amount, self.pair, n_groups=len(self))

    def by_pair_of_cells(self, amount: Floats) -> Floats:
        """Return the sum of an amount of cells for each pair."""
        return sums(amount, self.cells.group, n_groups=len(self))

    def keep(self, kept: npt.NDArray[np.bool_] | None) -> Pairs:
        """Return the pairs with those of their two ratings that are both kept."""
        if kept is None:
            return self
        rows = np.flatnonzero(kept[self.rows[0]] & kept[self.rows[1]])
        known, pair = distinct(self.pair[rows], size=len(self))
        return Pairs(
            self.left[known],
            self.right[known],
            pair,
            (self.rows[0][rows], self.rows[1][rows]),
            self.left_answer[rows],
            self.right_answer[rows],
            self.n_answers,
        )


def pairs_of(coded: Coded) -> Pairs:
    """Return every two ratings of one item."""
    people = coded.n_annotators
    order = np.argsort(coded.item.astype(np.int64) * people + coded.annotator)
    first, second = (order[place] for place in pairs_within(coded.item[order]))
    codes = coded.annotator[first].astype(np.int64) * people + coded.annotator[second]
    known, pair = distinct(codes, size=people * people)
    left, right = np.divmod(known, max(people, 1))
    answers = coded.answer[first], coded.answer[second]
    return Pairs(left, right, pair, (first, second), *answers, coded.n_answers)
