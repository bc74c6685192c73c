"""Who rated what: the tables of one question that every measure and every resample shares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from plausibly.measures._grouping import Cells, Ints, cells_of, pairs_within
from plausibly.measures._orders import Order, order_of
from plausibly.measures._pairs import Coratings, Pairs, coratings_of
from plausibly.measures._tallies import FullTally, ShortTally, Tally
from plausibly.measures.coded import Coded, Floats

FULL = 4
FEW_ANSWERS = 32


@dataclass(frozen=True, eq=False)
class Crossing:
    """The ratings of one question with their tables, each made when first asked for."""

    coded: Coded

    @cached_property
    def tally(self) -> Tally:
        """How often items got answers."""
        if self._full:
            return FullTally(self.coded.frequencies)
        return self._short(np.bincount(self._cells.place, minlength=len(self._cells)))

    def tally_of(self, kept: npt.NDArray[np.bool_]) -> Tally:
        """Return how often items got answers, from some of the ratings."""
        if self._full:
            counts = np.bincount(self._codes[kept], minlength=self._size).astype(np.float64)
            return FullTally(counts.reshape(self.coded.n_items, self.coded.n_answers))
        return self._short(np.bincount(self._cells.place[kept], minlength=len(self._cells)))

    def _short(self, counts: Ints) -> ShortTally:
        shape = self.coded.n_items, self.coded.n_answers
        return ShortTally(counts.astype(np.float64), self._cells, self._cell_pairs, shape)

    @property
    def _size(self) -> int:
        return self.coded.n_items * self.coded.n_answers

    @property
    def _full(self) -> bool:
        few = self.coded.n_answers <= FEW_ANSWERS
        return few and self._size <= FULL * self.coded.n_ratings

    @cached_property
    def _codes(self) -> Ints:
        return self.coded.item.astype(np.int64) * self.coded.n_answers + self.coded.answer

    @cached_property
    def _cells(self) -> Cells:
        return cells_of(self.coded.item, self.coded.answer, n_answers=self.coded.n_answers)

    @cached_property
    def _cell_pairs(self) -> tuple[Ints, Ints]:
        return pairs_within(self._cells.group)

    @cached_property
    def ratings(self) -> Floats:
        """How many ratings each item has."""
        if self._full:
            return self.tally.of_items(np.ones(self.coded.n_answers))
        return np.bincount(self.coded.item, minlength=self.coded.n_items).astype(np.float64)

    @cached_property
    def coratings(self) -> Coratings:
        """Every two ratings of one item."""
        return coratings_of(self.coded)

    @property
    def pairs(self) -> Pairs:
        """Pairs of annotators that share an item, with what they answered."""
        return self.coratings.pairs

    @cached_property
    def own_order(self) -> Order:
        """The ratings by annotator and answer."""
        annotator = self.coded.annotator.astype(np.int64)
        return order_of(annotator, self.coded.answer, self.coded.n_answers)

    @cached_property
    def ratio_distances(self) -> Floats:
        """How far every two answers lie apart on a ratio scale: ((c - k) / (c + k)) squared."""
        values = self.numbers
        total = values[:, None] + values
        difference = values[:, None] - values
        return np.square(np.divide(difference, total, out=np.zeros_like(total), where=total != 0))

    @property
    def numbers(self) -> Floats:
        """The number each answer stands for; a caller asks only where there are any."""
        if self.coded.values is None:
            raise ValueError("answers are not numbers")
        return self.coded.values

    @cached_property
    def places(self) -> Floats:
        """The place of each answer among the answers given to items with two ratings or more."""
        meets = (self.ratings > 1)[self.coded.item]
        given = np.bincount(self.coded.answer[meets], minlength=self.coded.n_answers) > 0
        return (np.cumsum(given) - 1).astype(np.float64)

    @property
    def n_pairs(self) -> int:
        """How many pairs of annotators there are, with or without a shared item."""
        return self.coded.n_annotators * (self.coded.n_annotators - 1) // 2

    @cached_property
    def n_coratings(self) -> int:
        """How many two ratings of one item there are, known without listing them."""
        return int((self.ratings * (self.ratings - 1)).sum()) // 2

    @cached_property
    def paired_items(self) -> int:
        """How many items have at least two ratings."""
        return int((self.ratings > 1).sum())

    @cached_property
    def complete(self) -> bool:
        """Whether every annotator rated every item."""
        return self.coded.n_ratings == self.coded.n_items * self.coded.n_annotators

    @property
    def cost(self) -> int:
        """How many numbers the measures of one sample touch."""
        return self.coded.n_ratings + self.n_coratings
