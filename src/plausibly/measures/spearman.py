"""Spearman correlation between annotators (SP-10K's two agreement figures).

Ties share their average rank.
"""

from __future__ import annotations

import numpy as np

from plausibly.domain import Measure
from plausibly.measures._crossing import Crossing
from plausibly.measures._estimating import estimate
from plausibly.measures._orders import rank_correlations
from plausibly.measures._pairs import Lack, Sharing
from plausibly.measures._pairwise import PairMean
from plausibly.measures._sample import Number, Sample
from plausibly.measures._undefined import no_numbers, no_shared_item, not_numbers
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.resampling import Resampling

_CONSTANT = "no two annotators both vary their answers over the items they share"
_ALONE = "no annotator's answers vary together with those of the others"


def pairwise_spearman(coded: Coded, *, resampling: Resampling | None = None) -> Measure:
    """Return the mean Spearman correlation of two annotators over the items they share.

    A pair in which one annotator gave one answer throughout has no correlation and is left
    out; `counts` shows how many.

    >>> import polars as pl
    >>> from plausibly.measures.coded import code
    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2", "t3", "t3"],
    ...                         "annotator": ["a", "b"] * 3,
    ...                         "answer": ["1", "1", "4", "5", "5", "5"]})
    >>> round(pairwise_spearman(code(ratings)).value, 3)
    0.866
    """
    return estimate(pairwise, coded, resampling)


def one_vs_rest_spearman(coded: Coded, *, resampling: Resampling | None = None) -> Measure:
    """Return the mean Spearman correlation of one annotator with the mean of the others.

    An annotator whose answers, or whose companions' means, do not vary is left out.

    >>> import polars as pl
    >>> from plausibly.measures.coded import code
    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2", "t3", "t3"],
    ...                         "annotator": ["a", "b"] * 3,
    ...                         "answer": ["1", "1", "4", "5", "5", "5"]})
    >>> round(one_vs_rest_spearman(code(ratings)).value, 3)
    0.866
    """
    return estimate(one_vs_rest, coded, resampling)


def _per_pair(sharing: Sharing, crossing: Crossing) -> Floats:
    del crossing
    if isinstance(sharing, Lack):
        raise TypeError("ranks after a deletion cannot be computed as a difference")
    return rank_correlations(*sharing.orders, sharing.count)


pairwise = PairMean(_per_pair, _CONSTANT, refusal=no_numbers, additive=False)


def one_vs_rest(sample: Sample) -> Number:
    """Return the mean over annotators, each against the mean of the others on its items."""
    coded = sample.coded
    if coded.values is None:
        return Number(None, not_numbers(coded))
    companions = sample.companions
    if not companions.counted.any():
        return Number(None, no_shared_item(coded))
    rho = rank_correlations(sample.crossing.own_order, companions.rest, companions.counted)
    has_value = ~np.isnan(rho)
    counts = {
        "annotators": int(np.count_nonzero(has_value)),
        "annotators_undefined": int(np.count_nonzero(~has_value)),
    }
    if not has_value.any():
        return Number(None, _ALONE, counts)
    return Number(float(np.mean(rho[has_value])), None, counts)
