"""Several tests at once: Holm's step-down correction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plausibly.errors import StudyError


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values corrected for their number (Holm 1979), in the order they came.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p_values, dtype=np.float64)
    if not bool(np.all((values >= 0) & (values <= 1))):
        raise StudyError("p-values must be in [0, 1] to be corrected.")
    order = np.argsort(values, kind="stable")
    factors = len(values) - np.arange(len(values))
    stepped = np.minimum(1.0, np.maximum.accumulate(values[order] * factors))
    corrected = np.empty_like(values)
    corrected[order] = stepped
    return [float(p) for p in corrected]
