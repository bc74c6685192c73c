"""MASI, the distance between set answers, and Krippendorff's alpha with it.

Passonneau (2006), "Measuring agreement on set-valued items (MASI) for semantic and pragmatic
annotation": 1 - J * M, where J is the Jaccard coefficient of the two sets and M is 1 for equal
sets, 2/3 if one contains the other, 1/3 if they overlap otherwise, 0 if they are disjoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from plausibly.domain import Measure
from plausibly.errors import StudyError
from plausibly.measures._estimating import estimate
from plausibly.measures._sample import Number, Sample, Statistic
from plausibly.measures._undefined import unpaired
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.krippendorff import MOST_COMPARED, by_distance
from plausibly.measures.resampling import Resampling

SEPARATOR = ";"


def masi_distance(one: frozenset[str], other: frozenset[str]) -> float:
    """Return how far two sets lie apart, from 0 (equal) to 1 (disjoint).

    >>> round(masi_distance(frozenset("ab"), frozenset("abcd")), 3)
    0.667
    """
    if one == other:
        return 0.0
    shared = len(one & other)
    if shared == 0:
        return 1.0
    monotonic = 2 / 3 if one <= other or other <= one else 1 / 3
    return 1 - monotonic * shared / len(one | other)


def masi_alpha(coded: Coded, *, resampling: Resampling | None = None) -> Measure:
    """Return Krippendorff's alpha of set answers, written with `;` between members.

    >>> import polars as pl
    >>> from plausibly.measures.coded import code
    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2"], "annotator": ["a", "b"] * 2,
    ...                         "answer": ["i", "i;ii", "ii", "ii"]})
    >>> round(masi_alpha(code(ratings)).value, 3)
    0.5
    """
    return estimate(alpha_with_masi(coded), coded, resampling)


def alpha_with_masi(coded: Coded, *, separator: str = SEPARATOR) -> Statistic:
    """Return the statistic for these answers; the distances are worked out once."""
    if coded.n_answers > MOST_COMPARED:
        raise StudyError(
            f"MASI compares every two sets, and {coded.n_answers} different ones are more than "
            f"{MOST_COMPARED}. Are these answers sets with {separator!r} between members?"
        )
    sets = [as_set(answer, separator=separator) for answer in coded.answers]
    return partial(_masi, _distances(sets))


def _masi(distances: Floats, sample: Sample) -> Number:
    if reason := unpaired(sample):
        return Number(None, reason)
    return by_distance(sample, distances)


def _distances(sets: Sequence[frozenset[str]]) -> Floats:
    distances = np.zeros((len(sets), len(sets)))
    for row, one in enumerate(sets):
        distances[row, :row] = [masi_distance(one, other) for other in sets[:row]]
    return distances + distances.T


def as_set(answer: str, *, separator: str = SEPARATOR) -> frozenset[str]:
    """Return the members of a set answer.

    >>> sorted(as_set("iii; i"))
    ['i', 'iii']
    """
    return frozenset(part.strip() for part in answer.split(separator) if part.strip())
