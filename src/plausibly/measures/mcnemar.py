"""Two systems on the same items, right or wrong: McNemar's exact test."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import stats

from plausibly.errors import StudyError


def mcnemar(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Return the two-sided exact p that both are right equally often (McNemar 1947).

    Args:
        first: For each item whether the first system is right.
        second: The same for the second; only items on which they differ count.

    >>> round(mcnemar([1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0]), 4)
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
    return float(stats.binomtest(only_first, only_first + only_second, 0.5).pvalue)
