"""Two systems on the same items, right or wrong: McNemar's test, mid-p or exact."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import stats

from plausibly.errors import StudyError


def mcnemar(first: npt.ArrayLike, second: npt.ArrayLike, *, exact: bool = False) -> float:
    """Return the two-sided p that both are right equally often (McNemar 1947).

    The exact test finds too few differences, because few values of p are possible. Half of the
    probability of what was observed is therefore left out (mid-p; Fagerland, Lydersen and Laake
    2013, "The McNemar test for binary matched-pairs data: mid-p and asymptotic are better than
    exact conditional").

    Args:
        first: For each item whether the first system is right.
        second: The same for the second; only items on which they differ count.
        exact: Give the p of the exact test.

    >>> round(mcnemar([1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0]), 6)
    0.03125
    >>> mcnemar([1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0], exact=True)
    0.0625
    """
    a, b = np.asarray(first, dtype=np.bool_), np.asarray(second, dtype=np.bool_)
    if a.shape != b.shape:
        raise StudyError(
            f"{a.size} and {b.size} items do not match: both models must judge the same items."
        )
    only_first, only_second = int(np.sum(a & ~b)), int(np.sum(~a & b))
    if only_first + only_second == 0:
        return 1.0
    fewer, differ = min(only_first, only_second), only_first + only_second
    p = float(stats.binomtest(fewer, differ, 0.5).pvalue)
    if exact:
        return p
    tied = float(stats.binom.pmf(fewer, differ, 0.5))
    return p - (tied / 2 if only_first == only_second else tied)
