"""A share of n with the interval that suits it."""

from __future__ import annotations

from math import sqrt

from plausibly.domain import Measure

Z = 1.959963984540054
TAIL = 0.025


def proportion(hits: int, n: int) -> Measure:
    """Return a share with its 95 % interval: Wilson's, at 0 and 1 the exact limit.

    Wilson (1927); the limit at 0 and n of n is that of Clopper and Pearson (1934). Worked out
    here because SciPy's costs half a second to import.

    >>> share = proportion(0, 115)
    >>> share.value, share.low, round(share.high or 0, 3), share.method
    (0.0, 0.0, 0.032, 'exact')
    """
    if n == 0:
        return Measure(None, 0, reason="nothing was counted")
    share = hits / n
    if hits in (0, n):
        far = TAIL ** (1 / n)
        return Measure(share, n, far if hits else 0.0, 1.0 if hits else 1 - far, method="exact")
    middle = (hits + Z * Z / 2) / (n + Z * Z)
    half = Z / (n + Z * Z) * sqrt(hits * (n - hits) / n + Z * Z / 4)
    return Measure(share, n, middle - half, middle + half, method="Wilson")
