"""A sample: the ratings of one question, all of them or those that some deletion leaves.

Measures are functions of a sample. How far a measure would change with other items or other
people is read from what it is without some of them (the jackknife; Tukey 1958).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from plausibly.measures._coincidences import coincidences
from plausibly.measures._crossing import Crossing
from plausibly.measures._grouping import sums
from plausibly.measures._orders import Order, order_of
from plausibly.measures._pairs import Pairs
from plausibly.measures._tallies import Tally
from plausibly.measures.coded import Coded, Floats

# Means that differ by less than a 10**12th of the scale are ties: sums of the same numbers in
# another order differ in their last bits.
_FINEST = 10**12


@dataclass(frozen=True, eq=False)
class Companions:
    """All ratings, of which those of items that somebody else rated too are counted.

    Args:
        counted: 1 for a rating that has company, else 0.
        rest: Ratings by annotator and by the mean of the others.
    """

    counted: Floats
    rest: Order


def companions_of(
    coded: Coded, values: Floats, kept: npt.NDArray[np.bool_] | None = None
) -> Companions:
    """Return each rating next to the mean of the others.

    Args:
        coded: The ratings.
        values: The numbers of answers.
        kept: Which ratings are there at all; None for all.
    """
    own = values[coded.answer]
    there = np.ones(len(own)) if kept is None else kept.astype(np.float64)
    ratings = sums(there, coded.item, n_groups=coded.n_items)[coded.item]
    totals = sums(own * there, coded.item, n_groups=coded.n_items)[coded.item]
    counted = there * (ratings > 1)
    rest = np.where(counted > 0, (totals - own) / np.maximum(ratings - 1, 1.0), values.min())
    fine = np.rint((rest - values.min()) * (_FINEST / (np.ptp(values) or 1.0)))
    number = np.clip(fine, 0, _FINEST).astype(np.int64)
    return Companions(counted, order_of(coded.annotator.astype(np.int64), number, _FINEST + 1))


Marks = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Number:
    """What a measure says about a sample: a number, or why there is none.

    Args:
        value: The number.
        reason: Why there is none.
        counts: What the number is a mean over, and what had to be left out.
    """

    value: float | None
    reason: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)


Statistic = Callable[["Sample"], Number]


@dataclass(frozen=True, eq=False)
class Sample:
    """Ratings with a mark for each that is kept; None keeps all."""

    crossing: Crossing
    kept: Marks | None = None

    @property
    def coded(self) -> Coded:
        """The ratings as codes, those that are not kept among them."""
        return self.crossing.coded

    @cached_property
    def tally(self) -> Tally:
        """How often items got answers."""
        return self.crossing.tally if self.kept is None else self.crossing.tally_of(self.kept)

    @cached_property
    def ratings(self) -> Floats:
        """How many ratings each item has."""
        if self.kept is None:
            return self.crossing.ratings
        return self.tally.of_items(np.ones(self.coded.n_answers))

    @cached_property
    def pairs(self) -> Floats:
        """For each item the ordered pairs of its ratings."""
        return self.ratings * (self.ratings - 1)

    @cached_property
    def paired(self) -> Floats:
        """1 for each item with two ratings or more, else 0."""
        return (self.ratings > 1).astype(np.float64)

    @cached_property
    def coincidences(self) -> Floats:
        """How often two answers (row, column) meet on an item."""
        if self.kept is None:
            return self.coded.coincidences
        return coincidences(self.tally.table())

    @cached_property
    def squares(self) -> Floats:
        """For each item the sum of the squares of how often it got each answer."""
        return self.tally.squares()

    @cached_property
    def marginal(self) -> Floats:
        """How often each answer was given to items with two ratings or more."""
        return self.tally.of_answers(self.paired)

    @cached_property
    def answer_shares(self) -> Floats:
        """The share of each answer in an item, averaged over all items with a rating."""
        rated = self.ratings > 0
        weight = rated / np.where(rated, self.ratings, 1.0) / np.count_nonzero(rated)
        return self.tally.of_answers(weight)

    @cached_property
    def moments(self) -> tuple[Floats, Floats]:
        """For each item the sum of its numbers less their mean place, and of their squares."""
        centred = self.crossing.numbers - self.crossing.numbers.mean()
        return self.tally.of_items(centred), self.tally.of_items(np.square(centred))

    @cached_property
    def annotator_pairs(self) -> Pairs:
        """Every two ratings of one item that are both kept, by pairs of annotators."""
        if self.kept is None:
            return self.crossing.pairs
        return self.crossing.coratings.keep(self.coded, self.kept)

    @cached_property
    def companions(self) -> Companions:
        """Each rating next to the mean of the others; answers must be numbers."""
        return companions_of(self.coded, self.crossing.numbers, self.kept)
