"""The soft pairwise Jaccard coefficient of PAP (App. B.3)."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from plausibly.domain import Measure
from plausibly.measures._crossing import Crossing
from plausibly.measures._estimating import estimate
from plausibly.measures._grouping import quotients
from plausibly.measures._pairs import Sharing
from plausibly.measures._pairwise import PairMean, mean_by_annotator
from plausibly.measures._sample import Statistic
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.resampling import Resampling
from plausibly.measures.sides import NO_SIDE, Sides, parse_sides, side_of

__all__ = [
    "NO_SIDE",
    "Sides",
    "jaccard",
    "parse_sides",
    "side_of",
    "soft_jaccard",
    "soft_jaccard_by_annotator",
]


def soft_jaccard(
    coded: Coded, *, sides: Sides | None = None, resampling: Resampling | None = None
) -> Measure:
    """Return the share of shared items on which both answers lie on one side, over all pairs.

    The mean is over pairs of annotators that share an item; `counts` shows how many pairs do
    and do not. Without sides, answers must be equal. As in the paper, the union holds every
    item both rated, so an answer on no side (a slider left in the middle) agrees with nothing
    and is not left out.

    >>> from plausibly.measures.coded import code
    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2", "t3", "t3"],
    ...                         "annotator": ["a", "b"] * 3,
    ...                         "answer": ["1", "1", "4", "5", "5", "5"]})
    >>> soft_jaccard(code(ratings), sides=(("1", "2"), ("4", "5"))).value
    1.0
    """
    return estimate(jaccard(sides), coded, resampling, least=0.0)


def soft_jaccard_by_annotator(coded: Coded, *, sides: Sides | None = None) -> pl.DataFrame:
    """Return each annotator's mean soft Jaccard over the pairs it is in, null without a pair.

    Columns: annotator, value, pairs.
    """
    crossing = Crossing(coded)
    return mean_by_annotator(crossing, _same_side(sides, crossing.pairs, crossing))


def jaccard(sides: Sides | None = None) -> Statistic:
    """Return the statistic for the given sides."""

    def refusal(coded: Coded) -> str | None:
        if sides is None or (side_of(coded.answers, sides) != NO_SIDE).any():
            return None
        return "none of the answers lies on a side"

    return PairMean(partial(_same_side, sides), "no two annotators share an item", refusal)


def _same_side(sides: Sides | None, sharing: Sharing, crossing: Crossing) -> Floats:
    left, right = sharing.pairs.left_answer, sharing.pairs.right_answer
    if sides is not None:
        side = side_of(crossing.coded.answers, sides)
        left, right = side[left], side[right]
    same = (left == right) & (left != NO_SIDE)
    return quotients(sharing.by_pair(same.astype(np.float64)), sharing.shared)
