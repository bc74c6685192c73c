"""Cohen's kappa, plain and weighted, averaged over pairs of annotators (Cohen 1960, 1968).

Weights go by the place of an answer in the order of answers, as in scikit-learn: the step from
2 to 4 counts 1 when nobody answered 3.
"""

from __future__ import annotations

from functools import partial
from typing import Literal, get_args

import numpy as np

from plausibly.domain import Measure
from plausibly.errors import UnknownName
from plausibly.measures._crossing import Crossing
from plausibly.measures._estimating import estimate
from plausibly.measures._grouping import Ints, quotients, running_totals, sums
from plausibly.measures._pairs import Pairs, Sharing
from plausibly.measures._pairwise import PairMean
from plausibly.measures._sample import Statistic
from plausibly.measures._undefined import no_numbers
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.resampling import Resampling

KappaWeights = Literal["none", "linear", "quadratic"]

_UNDEFINED = "no pair of annotators gave more than one answer to the items it shares"


def cohen_kappa(
    coded: Coded, weights: KappaWeights = "none", *, resampling: Resampling | None = None
) -> Measure:
    """Return Cohen's kappa; of more than two annotators the mean over pairs that share items.

    A pair that gave one and the same answer to all its shared items has no kappa and is left
    out; `counts` shows how many.

    >>> import polars as pl
    >>> from plausibly.measures.coded import code
    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2", "t3", "t3"],
    ...                         "annotator": ["a", "b"] * 3,
    ...                         "answer": ["1", "1", "4", "5", "5", "5"]})
    >>> round(cohen_kappa(code(ratings), "quadratic").value, 3)
    0.8
    """
    return estimate(kappa(weights), coded, resampling)


def kappa(weights: KappaWeights = "none") -> Statistic:
    """Return the statistic for the given weights."""
    if weights not in get_args(KappaWeights):
        raise UnknownName("weights", weights, get_args(KappaWeights))
    per_pair = {"none": _plain, "linear": _linear, "quadratic": _quadratic}[weights]
    if weights == "none":
        return PairMean(per_pair, _UNDEFINED)
    return PairMean(per_pair, _UNDEFINED, refusal=no_numbers)


def _plain(sharing: Sharing, crossing: Crossing) -> Floats:
    del crossing
    differs = sharing.pairs.left_answer != sharing.pairs.right_answer
    return _kappas(sharing, differs.astype(np.float64), sharing.crossed(_others))


def _others(pairs: Pairs) -> tuple[Floats, Floats]:
    """Return for each cell how many right, and how many left, answers are different ones."""
    total = pairs.shared[pairs.cells.group]
    left, right = pairs.margins
    return total - right, total - left


def _linear(sharing: Sharing, crossing: Crossing) -> Floats:
    place = crossing.places
    apart = np.abs(place[sharing.pairs.left_answer] - place[sharing.pairs.right_answer])
    return _kappas(sharing, apart, sharing.crossed(partial(_steps, place)))


def _steps(place: Floats, pairs: Pairs) -> tuple[Floats, Floats]:
    """Return for each cell how many steps it lies from all right, and from all left, answers."""
    group, own = pairs.cells.group, place[pairs.cells.answer]
    right, left = (_reach(margin, own, group, pairs.shared) for margin in pairs.margins[::-1])
    return right, left


def _reach(margin: Floats, own: Floats, group: Ints, shared: Floats) -> Floats:
    """Return the sum of the distances of each cell's place from those counted in the margin."""
    counted = running_totals(margin, group, shared)
    places = sums(margin * own, group, n_groups=len(shared))
    below = running_totals(margin * own, group, places)
    return own * (2 * counted - shared[group]) - 2 * below + places[group]


def _quadratic(sharing: Sharing, crossing: Crossing) -> Floats:
    place = crossing.places
    left, right = place[sharing.pairs.left_answer], place[sharing.pairs.right_answer]
    squares = sharing.by_pair(np.square(left) + np.square(right))
    product = sharing.by_pair(left) * sharing.by_pair(right)
    return _kappas(sharing, np.square(left - right), sharing.shared * squares - 2 * product)


def _kappas(sharing: Sharing, apart: Floats, expected: Floats) -> Floats:
    """Return 1 - observed / expected disagreement, both as sums over shared items."""
    return 1 - quotients(sharing.by_pair(apart) * sharing.shared, expected)
