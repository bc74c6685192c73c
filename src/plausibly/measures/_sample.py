"""A sample: the ratings of one question with each item and annotator counted as often as drawn.

Measures are functions of a sample. The ratings themselves are the sample that counts everything
once. A resample counts an item or an annotator as often as it was drawn with replacement; one
that counts both is Owen's pigeonhole bootstrap (Owen 2007, "The pigeonhole bootstrap", Annals
of Applied Statistics 1). An annotator drawn twice is never compared with its own copy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from plausibly.measures._crossing import Crossing
from plausibly.measures._grouping import sums
from plausibly.measures._pairs import DrawnPairs, draw_pairs
from plausibly.measures.coded import Coded, Floats


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
    """Ratings with a weight for each item and each annotator; None counts everything once."""

    crossing: Crossing
    item: Floats | None = None
    annotator: Floats | None = None

    @property
    def coded(self) -> Coded:
        """The ratings as codes."""
        return self.crossing.coded

    @cached_property
    def counts(self) -> Floats:
        """How many ratings each cell (item by answer) holds."""
        if self.annotator is None:
            return self.crossing.counts
        weight = self.annotator[self.coded.annotator]
        cells = self.crossing.cells
        return sums(weight, cells.place, n_groups=len(cells))

    @cached_property
    def ratings(self) -> Floats:
        """How many ratings each item has."""
        return self.crossing.ratings if self.annotator is None else self.by_item(self.counts)

    @cached_property
    def copies(self) -> Floats:
        """For each item the pairs an annotator would form with itself or its own copy."""
        if self.annotator is None:
            return self.crossing.ratings
        squares = np.square(self.annotator)[self.coded.annotator]
        return sums(squares, self.coded.item, n_groups=self.coded.n_items)

    @cached_property
    def pairs(self) -> Floats:
        """For each item the ordered pairs of ratings by two different annotators."""
        return np.square(self.ratings) - self.copies

    @cached_property
    def item_weight(self) -> Floats:
        """How often each item was drawn."""
        return np.ones(self.coded.n_items) if self.item is None else self.item

    @cached_property
    def paired_weight(self) -> Floats:
        """How often each item was drawn, 0 for items without two ratings."""
        return np.where(self.pairs > 0, self.item_weight, 0.0)

    @cached_property
    def drawn_pairs(self) -> DrawnPairs:
        """The pairs of annotators that were drawn."""
        return draw_pairs(
            self.crossing.pairs,
            item=self.item,
            annotator=self.annotator,
            n_answers=self.coded.n_answers,
        )

    def by_item(self, cell: Floats) -> Floats:
        """Return the sum of a quantity of cells (item by answer) for each item."""
        return sums(cell, self.crossing.cells.group, n_groups=self.coded.n_items)
