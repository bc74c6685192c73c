"""How often items got answers: a full table where that is small, else only what occurs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plausibly.measures._grouping import Cells, Floats, Ints, sums


@dataclass(frozen=True, eq=False)
class FullTally:
    """Items (rows) by answers (columns).

    Args:
        counts: How often each item got each answer.
    """

    counts: Floats

    def of_items(self, points: Floats) -> Floats:
        """Return for each item the sum of the points of its answers."""
        # Not `@`: on long tables that wakes a pool of threads which spin between short calls.
        return np.asarray(np.einsum("ia,a->i", self.counts, points))

    def squares(self) -> Floats:
        """Return for each item the sum of the squares of its counts."""
        return np.asarray(np.einsum("ia,ia->i", self.counts, self.counts))

    def of_answers(self, weight: Floats) -> Floats:
        """Return for each answer the weight of the items that got it."""
        return np.asarray(np.einsum("i,ia->a", weight, self.counts))

    def apart(self, distances: Floats) -> Floats:
        """Return for each item how far its ordered pairs of ratings lie apart in all."""
        near = np.einsum("ia,ab->ib", self.counts, distances)
        return np.asarray(np.einsum("ib,ib->i", near, self.counts))

    def table(self) -> Floats:
        """Return how often each item (row) got each answer (column)."""
        return self.counts


@dataclass(frozen=True, eq=False)
class ShortTally:
    """Only the answers that each item got.

    Args:
        counts: How often, one number a cell.
        cells: Items by answers, where an item got the answer.
        pairs: Both cells of every two different answers an item got.
        shape: How many items and how many answers there are.
    """

    counts: Floats
    cells: Cells
    pairs: tuple[Ints, Ints]
    shape: tuple[int, int]

    def of_items(self, points: Floats) -> Floats:
        """Return for each item the sum of the points of its answers."""
        return self._by_item(self.counts * points[self.cells.answer])

    def squares(self) -> Floats:
        """Return for each item the sum of the squares of its counts."""
        return self._by_item(np.square(self.counts))

    def of_answers(self, weight: Floats) -> Floats:
        """Return for each answer the weight of the items that got it."""
        own = self.counts * weight[self.cells.group]
        return sums(own, self.cells.answer, n_groups=self.shape[1])

    def apart(self, distances: Floats) -> Floats:
        """Return for each item how far its ordered pairs of ratings lie apart in all."""
        first, second = self.pairs
        answer = self.cells.answer
        own = self.counts[first] * self.counts[second] * distances[answer[first], answer[second]]
        return 2 * sums(own, self.cells.group[first], n_groups=self.shape[0])

    def table(self) -> Floats:
        """Return how often each item (row) got each answer (column)."""
        table = np.zeros(self.shape)
        table[self.cells.group, self.cells.answer] = self.counts
        return table

    def _by_item(self, amount: Floats) -> Floats:
        return sums(amount, self.cells.group, n_groups=self.shape[0])


Tally = FullTally | ShortTally
