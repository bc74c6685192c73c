"""Each rating beside the mean of the others' ratings of the same item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plausibly.measures._grouping import sums
from plausibly.measures._orders import Order, order_of
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
    """Return each rating beside the mean of the others.

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
