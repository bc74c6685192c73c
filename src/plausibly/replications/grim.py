"""GRIM: whether a printed share can be a whole number out of n (Brown and Heathers, 2017).

A share printed to two decimals of a percent can take 10,001 values, but about n + 1 of them are a
whole number out of n. The check says something only while n is smaller than what the printed
digits can tell apart, and a wrong n passes it by chance with the probability `by_chance`.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor


def resolves(n: int, *, unit: float) -> bool:
    """Return whether digits printed to `unit` can tell the whole numbers out of n apart.

    >>> resolves(115, unit=0.0001), resolves(15571, unit=0.0001)
    (True, False)
    """
    return n * unit < 1


def achievable(share: float, n: int, *, unit: float) -> bool:
    """Return whether some whole number out of n, rounded to `unit`, is the printed share.

    >>> achievable(0.8087, 115, unit=0.0001), achievable(0.8087, 117, unit=0.0001)
    (True, False)
    """
    near = (floor(share * n), ceil(share * n))
    return any(abs(k / n - share) <= unit / 2 + 1e-12 for k in near)


def by_chance(n: int, *, unit: float) -> float:
    """Return the probability that a share drawn from all printable ones is achievable with n.

    >>> round(by_chance(117, unit=0.0001), 4)
    0.0118
    """
    near = (k / n / unit for k in range(n + 1))
    values = {g for x in near for g in (ceil(x - 0.5 - 1e-9), floor(x + 0.5 + 1e-9))}
    return len(values) / (round(1 / unit) + 1)


def passed(cells: Iterable[tuple[float, int]], *, unit: float) -> int:
    """Return how many printed shares are achievable with the n next to them."""
    return sum(achievable(share, n, unit=unit) for share, n in cells)
