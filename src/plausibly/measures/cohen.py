"""Cohen's kappa, plain and weighted, averaged over pairs of annotators (Cohen 1960, 1968).

Weights go by the place of an answer in the order of answers, as in scikit-learn: the step from
2 to 4 counts 1 when nobody answered 3.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from plausibly.domain import Measure
from plausibly.errors import UnknownName
from plausibly.measures._crossing import Crossing
from plausibly.measures._estimating import estimate
from plausibly.measures._grouping import quotients, running_totals
from plausibly.measures._pairs import Pairs
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
    out; `counts` says how many.

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


def _plain(pairs: Pairs, crossing: Crossing) -> Floats:
    del crossing
    differs = pairs.left_answer != pairs.right_answer
    observed = pairs.by_pair(differs.astype(np.float64))
    left, right = pairs.margins
    expected = np.square(pairs.shared) - pairs.by_pair_of_cells(left * right)
    return _kappas(pairs, observed, expected)


def _linear(pairs: Pairs, crossing: Crossing) -> Floats:
    place = crossing.places
    apart = np.abs(place[pairs.left_answer] - place[pairs.right_answer])
    group = pairs.cells.group
    left, right = (running_totals(margin, group, pairs.shared) for margin in pairs.margins)
    shared = pairs.shared[group]
    step = np.diff(place[pairs.cells.answer], append=0.0)
    step[np.diff(group, append=-1) != 0] = 0.0
    expected = pairs.by_pair_of_cells(step * (left * (shared - right) + right * (shared - left)))
    return _kappas(pairs, pairs.by_pair(apart), expected)


def _quadratic(pairs: Pairs, crossing: Crossing) -> Floats:
    place = crossing.places
    apart = place[pairs.left_answer] - place[pairs.right_answer]
    own = place[pairs.cells.answer]
    left, right = pairs.margins
    squares = pairs.by_pair_of_cells((left + right) * np.square(own))
    product = pairs.by_pair_of_cells(left * own) * pairs.by_pair_of_cells(right * own)
    expected = pairs.shared * squares - 2 * product
    return _kappas(pairs, pairs.by_pair(np.square(apart)), expected)


def _kappas(pairs: Pairs, observed: Floats, expected: Floats) -> Floats:
    """Return 1 - observed / expected disagreement, both as sums over shared items."""
    return 1 - quotients(observed * pairs.shared, expected)
