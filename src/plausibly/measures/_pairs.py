"""Pairs of annotators: every two ratings of one item, and what the two answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from plausibly.measures._grouping import Cells, Ints, cells_of, distinct, pairs_within, sums
from plausibly.measures._orders import Order, order_of
from plausibly.measures.coded import Coded, Codes, Floats

# For each cell of pairs how far its answer lies from all answers of the right annotator, and how
# far from all of the left.
Reach = Callable[["Pairs"], tuple[Floats, Floats]]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of annotators that share an item, and how often both gave which two answers.

    Args:
        left: Annotator of the smaller code, one for each pair of annotators that shares an item.
        right: The other annotator of the pair.
        pair: For each row the pair of annotators it is about.
        left_answer: What `left` answered.
        right_answer: What `right` answered.
        count: On how many items; a pair may have several rows with the same two answers.
        n_answers: How many different answers there are.
    """

    left: Ints
    right: Ints
    pair: Ints
    left_answer: Codes
    right_answer: Codes
    count: Floats
    n_answers: int

    def __len__(self) -> int:
        return len(self.left)

    @property
    def pairs(self) -> Pairs:
        """All pairs, nothing left out."""
        return self

    @cached_property
    def shared(self) -> Floats:
        """How many items each pair shares."""
        return sums(self.count, self.pair, n_groups=len(self))

    @cached_property
    def cells(self) -> Cells:
        """Pairs by answers either gave; rows are the left answers, then the right."""
        pair = np.concatenate([self.pair, self.pair])
        answer = np.concatenate([self.left_answer, self.right_answer])
        return cells_of(pair, answer, n_answers=self.n_answers)

    @cached_property
    def margins(self) -> tuple[Floats, Floats]:
        """For each cell how often the left and the right annotator gave the answer."""
        left, right = np.split(self.cells.place, 2)
        n_cells = len(self.cells)
        return (
            sums(self.count, left, n_groups=n_cells),
            sums(self.count, right, n_groups=n_cells),
        )

    def by_pair(self, amount: Floats) -> Floats:
        """Return the sum of an amount of two ratings for each pair."""
        return sums(amount * self.count, self.pair, n_groups=len(self))

    def by_pair_of_cells(self, amount: Floats) -> Floats:
        """Return the sum of an amount of cells for each pair."""
        return sums(amount, self.cells.group, n_groups=len(self))

    def recounted(self, count: Floats) -> Pairs:
        """Return the pairs with other counts of their rows; the order of the rows is kept."""
        pairs = replace(self, count=count)
        pairs.__dict__["orders"] = self.orders
        return pairs

    @cached_property
    def orders(self) -> tuple[Order, Order]:
        """The rows by pair and left answer, and by pair and right answer."""
        both = self.left_answer, self.right_answer
        left, right = (order_of(self.pair, answer, self.n_answers) for answer in both)
        return left, right

    def crossed(self, reach: Reach) -> Floats:
        """Return for each pair how far every left answer lies from every right one in all."""
        return self.by_pair_of_cells(self.margins[0] * reach(self)[0])


@dataclass(frozen=True, eq=False)
class Lack:
    """Pairs that lack something without a group; one entry per pair and group.

    Args:
        pairs: All pairs, nothing left out.
        origin: Which of them each entry is about.
        group: Which group is left out.
        gone: What the group takes, a pair for each entry, a row for each two ratings.
        row: The row of all pairs in which each of these is counted.
    """

    pairs: Pairs
    origin: Ints
    group: Ints
    gone: Pairs
    row: Ints

    @cached_property
    def shared(self) -> Floats:
        """How many items each entry still shares."""
        return self.pairs.shared[self.origin] - self.gone.shared

    def by_pair(self, amount: Floats) -> Floats:
        """Return for each entry what is left of the sum of an amount of rows of all pairs."""
        return self.pairs.by_pair(amount)[self.origin] - self.gone.by_pair(amount[self.row])

    def crossed(self, reach: Reach) -> Floats:
        """Return for each entry how far the answers left lie apart, left ones from right ones."""
        from_right, from_left = reach(self.pairs)
        left, right = np.split(self.pairs.cells.place, 2)
        met = from_right[left[self.row]] + from_left[right[self.row]]
        whole = self.pairs.by_pair_of_cells(self.pairs.margins[0] * from_right)
        return whole[self.origin] - self.gone.by_pair(met) + self.gone.crossed(reach)


Sharing = Pairs | Lack


@dataclass(frozen=True, eq=False)
class Coratings:
    """Every two ratings of one item.

    Args:
        first: The rating of the annotator of the smaller code.
        second: The other rating.
        pair: Which pair of annotators gave them.
        row: The row of `pairs` they are counted in.
        pairs: The pairs of annotators.
    """

    first: Ints
    second: Ints
    pair: Ints
    row: Ints
    pairs: Pairs

    def blocks(self, most: int) -> Iterator[Coratings]:
        """Yield these, `most` of them at once where that does not part a pair's own.

        Pairs of a block count from 0; a column of pairs is the blocks' columns in turn.
        """
        if len(self.pair) <= most or len(self.pairs) < 2:
            yield self
            return
        order = np.argsort(self.pair, kind="stable")
        ends = np.cumsum(np.bincount(self.pair, minlength=len(self.pairs)))
        lowest = 0
        while lowest < len(self.pairs):
            begin = int(ends[lowest - 1]) if lowest else 0
            above = max(lowest + 1, int(np.searchsorted(ends, begin + most, side="right")))
            yield self._block(order[begin : ends[above - 1]], lowest, above)
            lowest = above

    def _block(self, own: Ints, lowest: int, above: int) -> Coratings:
        rows, row = distinct(self.row[own], size=len(self.pairs.count))
        pairs = Pairs(
            self.pairs.left[lowest:above],
            self.pairs.right[lowest:above],
            self.pairs.pair[rows] - lowest,
            self.pairs.left_answer[rows],
            self.pairs.right_answer[rows],
            self.pairs.count[rows],
            self.pairs.n_answers,
        )
        return Coratings(self.first[own], self.second[own], self.pair[own] - lowest, row, pairs)

    def keep(self, coded: Coded, kept: npt.NDArray[np.bool_]) -> Pairs:
        """Return the pairs with those of their two ratings that are both kept."""
        rows = np.flatnonzero(kept[self.first] & kept[self.second])
        known, pair = distinct(self.pair[rows], size=len(self.pairs))
        return Pairs(
            self.pairs.left[known],
            self.pairs.right[known],
            pair,
            coded.answer[self.first[rows]],
            coded.answer[self.second[rows]],
            np.ones(len(rows)),
            coded.n_answers,
        )


def coratings_of(coded: Coded) -> Coratings:
    """Return every two ratings of one item, those alike in one row where that makes fewer rows."""
    people = coded.n_annotators
    order = np.argsort(coded.item.astype(np.int64) * people + coded.annotator)
    first, second = (order[place] for place in pairs_within(coded.item[order]))
    codes = coded.annotator[first].astype(np.int64) * people + coded.annotator[second]
    known, pair = distinct(codes, size=people * people)
    left, right = np.divmod(known, max(people, 1))
    answers, n_answers = (coded.answer[first], coded.answer[second]), coded.n_answers
    size = len(known) * n_answers**2
    if size >= len(pair):
        pairs = Pairs(left, right, pair, *answers, np.ones(len(pair)), n_answers)
        return Coratings(first, second, pair, np.arange(len(pair)), pairs)
    kinds, row = distinct((pair * n_answers + answers[0]) * n_answers + answers[1], size=size)
    rest, right_answer = np.divmod(kinds, n_answers)
    own, left_answer = np.divmod(rest, n_answers)
    count = np.bincount(row, minlength=len(kinds)).astype(np.float64)
    both = left_answer.astype(np.int32), right_answer.astype(np.int32)
    return Coratings(first, second, pair, row, Pairs(left, right, own, *both, count, n_answers))
