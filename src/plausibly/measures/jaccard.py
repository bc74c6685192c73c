"""The soft pairwise Jaccard coefficient of PAP (App. B.3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.domain import Measure, as_number
from plausibly.errors import StudyError
from plausibly.measures._crossing import Crossing
from plausibly.measures._estimating import estimate
from plausibly.measures._grouping import quotients
from plausibly.measures._pairs import Sharing
from plausibly.measures._pairwise import PairMean, mean_by_annotator
from plausibly.measures._sample import Statistic
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.resampling import Resampling

Sides = tuple[frozenset[str], ...]

NO_SIDE = -1


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


def side_of(answers: Sequence[str], sides: Sides) -> npt.NDArray[np.int32]:
    """Return the side each answer lies on, -1 for none; numbers match as numbers.

    >>> side_of(["1.0", "3", "5"], parse_sides("1,2|4,5")).tolist()
    [0, -1, 1]
    """
    place = {_spelling(answer): number for number, side in enumerate(sides) for answer in side}
    return np.asarray([place.get(_spelling(a), NO_SIDE) for a in answers], dtype=np.int32)


def parse_sides(text: str) -> Sides:
    """Return the sides written as answers between commas, sides between bars.

    >>> [sorted(side) for side in parse_sides("1,2|4,5")]
    [['1', '2'], ['4', '5']]
    """
    sides = tuple(
        frozenset(answer.strip() for answer in side.split(",") if answer.strip())
        for side in text.split("|")
    )
    if not all(sides):
        raise StudyError(f"sides {text!r}: a side is empty. Write them as in '1,2|4,5'.")
    seen: set[str | float] = set()
    for side in sides:
        twice = sorted(answer for answer in side if _spelling(answer) in seen)
        if twice:
            raise StudyError(f"sides {text!r}: answer {twice[0]} lies on two sides. Name it once.")
        seen |= {_spelling(answer) for answer in side}
    return sides


def _spelling(answer: str) -> str | float:
    number = as_number(answer)
    return answer if number is None else number
