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
from plausibly.measures._estimating import estimate
from plausibly.measures._grouping import quotients, running_totals
from plausibly.measures._pairs import DrawnPairs
from plausibly.measures._pairwise import over_pairs
from plausibly.measures._sample import Number, Sample, Statistic
from plausibly.measures._undefined import not_numbers
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
    """
    return estimate(kappa(weights), coded, resampling)


def kappa(weights: KappaWeights = "none") -> Statistic:
    """Return the statistic for the given weights."""
    if weights not in get_args(KappaWeights):
        raise UnknownName("weights", weights, get_args(KappaWeights))
    per_pair = {"none": _plain, "linear": _linear, "quadratic": _quadratic}[weights]
    mean = over_pairs(per_pair, undefined=_UNDEFINED)
    return mean if weights == "none" else partial(_ordered_only, mean)


def _ordered_only(mean: Statistic, sample: Sample) -> Number:
    if sample.coded.values is None:
        return Number(None, not_numbers(sample.coded))
    return mean(sample)


def _plain(sample: Sample) -> Floats:
    drawn = sample.drawn_pairs
    differs = drawn.pairs.left_answer != drawn.pairs.right_answer
    observed = drawn.by_pair(np.where(differs, drawn.weight, 0.0))
    left, right = drawn.margins
    expected = np.square(drawn.shared) - drawn.by_pair_of_cells(left * right)
    return _kappas(drawn, observed, expected)


def _linear(sample: Sample) -> Floats:
    drawn = sample.drawn_pairs
    place = sample.crossing.places
    apart = np.abs(place[drawn.pairs.left_answer] - place[drawn.pairs.right_answer])
    group = drawn.cells.group
    left, right = (running_totals(margin, group, drawn.shared) for margin in drawn.margins)
    shared = drawn.shared[group]
    step = np.diff(place[drawn.cells.answer], append=0.0)
    step[np.diff(group, append=-1) != 0] = 0.0
    expected = drawn.by_pair_of_cells(step * (left * (shared - right) + right * (shared - left)))
    return _kappas(drawn, drawn.by_pair(drawn.weight * apart), expected)


def _quadratic(sample: Sample) -> Floats:
    drawn = sample.drawn_pairs
    place = sample.crossing.places
    apart = place[drawn.pairs.left_answer] - place[drawn.pairs.right_answer]
    own = place[drawn.cells.answer]
    left, right = drawn.margins
    squares = drawn.by_pair_of_cells((left + right) * np.square(own))
    product = drawn.by_pair_of_cells(left * own) * drawn.by_pair_of_cells(right * own)
    expected = drawn.shared * squares - 2 * product
    return _kappas(drawn, drawn.by_pair(drawn.weight * np.square(apart)), expected)


def _kappas(drawn: DrawnPairs, observed: Floats, expected: Floats) -> Floats:
    """Return 1 - observed / expected disagreement, both as sums over shared items."""
    return 1 - quotients(observed * drawn.shared, expected)
