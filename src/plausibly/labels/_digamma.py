"""The digamma function of numbers above 0, without the quarter of a second SciPy takes to load."""

from __future__ import annotations

import numpy as np

from plausibly.measures.coded import Floats

SHIFT = 8
# B(2k) / 2k of the asymptotic series, from the last term to the first.
_TERMS = (3617 / 8160, -1 / 12, 691 / 32760, -1 / 132, 1 / 240, -1 / 252, 1 / 120, -1 / 12)


def digamma(number: Floats) -> Floats:
    """Return the derivative of the log of the gamma function, to 14 digits; at 0, minus infinity.

    Numbers are moved up by the recurrence and then put into the asymptotic series (Abramowitz and
    Stegun 1964, 6.3.5 and 6.3.18).

    >>> digamma(np.array([1.0, 0.5])).round(12).tolist()
    [-0.577215664902, -1.963510026021]
    """
    below = np.zeros_like(number)
    with np.errstate(divide="ignore"):
        for step in range(SHIFT):
            below += 1 / (number + step)
    large = number + SHIFT
    inverse = 1 / (large * large)
    series = np.full_like(number, _TERMS[0])
    for term in _TERMS[1:]:
        series = series * inverse + term
    return np.asarray(np.log(large) - 0.5 / large + series * inverse - below)
