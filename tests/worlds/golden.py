"""The golden tables of facts/mixed.md: an exact generator and lmer's, glmer's, clmm's values."""

from __future__ import annotations

from collections.abc import Iterator
from math import log

Row = tuple[str, str, str, float, int]
SETS = {
    "g1": ("slider", 2, 30, 16, 12),
    "g1s": ("slider", 1, 30, 16, 12),
    "g2": ("binary", 7, 50, 24, 20),
    "g3": ("likert", 1, 50, 24, 20),
}


def golden(kind: str, seed: int, people: int, groups: int, shown: int) -> Iterator[Row]:
    """Yield annotator, group, item, condition and answer."""
    s = seed

    def u() -> float:
        nonlocal s
        s = (1103515245 * s + 12345) % 2**31
        return s / 2**31

    def normal() -> float:
        return sum(u() for _ in range(12)) - 6

    ps = [(normal(), normal()) for _ in range(people)]
    gs = [(normal(), normal()) for _ in range(groups)]
    for p in range(people):
        for k in range(shown):
            g = (5 * p + k) % groups
            cond = (p + g) % 2
            c = cond - 0.5
            if kind == "slider":
                line = 50 + 10 * c + 8 * ps[p][0] + 4 * ps[p][1] * c + 10 * gs[g][0]
                y = min(100, max(0, round(line + 6 * gs[g][1] * c + 15 * normal())))
            else:
                v = u()
                line = 0.8 * c + 0.7 * ps[p][0] + 1.2 * ps[p][1] * c + 0.9 * gs[g][0]
                line += 1.0 * gs[g][1] * c + log(v / (1 - v))
                cuts = (-1.5, -0.4, 0.6, 1.8)
                y = int(line > 0.3) if kind == "binary" else 1 + sum(line > b for b in cuts)
            yield f"p{p:03d}", f"g{g:03d}", f"g{g:03d}c{cond}", c, y
