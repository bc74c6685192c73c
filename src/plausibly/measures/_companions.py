"""Each rating beside the mean of the others' ratings of the same item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plausibly.measures._grouping import Cells, Ints, cells_of, sums
from plausibly.measures.coded import Coded, Floats

# Means that differ by less than a 10**12th of the scale are ties: sums of the same numbers in
# another order differ in their last bits.
_FINEST = 10**12


@dataclass(frozen=True, eq=False)
class Companions:
    """The ratings of items that somebody else rated too.

    Args:
        rows: Which ratings these are.
        annotator: Who gave each of them.
        own: Annotators by the answers they gave.
        rest: Annotators by the means of the others, in the order of the means.
    """

    rows: Ints
    annotator: Ints
    own: Cells
    rest: Cells


def companions_of(
    coded: Coded, values: Floats, kept: npt.NDArray[np.bool_] | None = None
) -> Companions:
    """Return each rating beside the mean of the others.

    Args:
        coded: The ratings.
        values: The numbers of answers.
        kept: Which ratings are there at all; None for all.
    """
    there = slice(None) if kept is None else kept
    ratings = np.bincount(coded.item[there], minlength=coded.n_items)
    paired = ratings[coded.item] > 1
    rows = np.flatnonzero(paired if kept is None else paired & kept)
    item, own = coded.item[rows], values[coded.answer]
    totals = sums(own[there], coded.item[there], n_groups=coded.n_items)
    rest = (totals[item] - own[rows]) / (ratings[item] - 1)
    fine = np.rint((rest - values.min()) * (_FINEST / (np.ptp(values) or 1.0)))
    means, mean = np.unique(fine, return_inverse=True)
    annotator = coded.annotator[rows].astype(np.int64)
    return Companions(
        rows,
        annotator,
        cells_of(annotator, coded.answer[rows], n_answers=coded.n_answers),
        cells_of(annotator, mean, n_answers=len(means)),
    )
