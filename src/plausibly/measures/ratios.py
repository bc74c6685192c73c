"""Ratios of sums over units (stories, source items), with intervals from resampling units."""

from __future__ import annotations

import numpy as np

from plausibly.domain import Measure
from plausibly.measures.coded import Floats
from plausibly.measures.draws import drawable
from plausibly.measures.proportion import proportion
from plausibly.measures.resampling import RESAMPLES, Range, with_interval

_AT_ONCE = 1 << 21


def ratio_bootstrap(
    numerator: Floats, denominator: Floats, *, resamples: int = RESAMPLES, seed: int = 0
) -> Measure:
    """Return sum(numerator) / sum(denominator) with its interval from resampling units.

    Where every unit is one hit or one miss that is a proportion, with Wilson's interval.

    Args:
        numerator: What each unit adds above the line.
        denominator: What each unit adds below the line.
        resamples: How many times the units are drawn with replacement; 0 for no interval.
        seed: Random seed; the same seed gives the same interval.

    >>> ratio_bootstrap(np.array([1.0, 0.0]), np.array([1.0, 3.0]), resamples=0).value
    0.25
    """
    total = float(denominator.sum())
    if total == 0:
        return Measure(None, len(denominator), reason="nothing is counted")
    if resamples and _is_share(numerator, denominator):
        return proportion(int(numerator.sum()), len(numerator))
    generator = np.random.default_rng(seed)
    units = len(denominator)
    values: list[float] = []
    left = drawable(resamples)
    while left > 0:
        rows = min(left, max(1, _AT_ONCE // units))
        drawn = generator.integers(units, size=(rows, units))
        below = denominator[drawn].sum(axis=1)
        counted = below > 0
        values += (numerator[drawn].sum(axis=1)[counted] / below[counted]).tolist()
        left -= rows
    value = float(numerator.sum()) / total
    return with_interval(
        value, units, values, asked=resamples, within=_range(numerator, denominator)
    )


def _is_share(numerator: Floats, denominator: Floats) -> bool:
    """Return whether every unit counts once, as hit or as miss."""
    return bool(np.isin(numerator, (0.0, 1.0)).all() and (denominator == 1).all())


def _range(numerator: Floats, denominator: Floats) -> Range:
    """Return what a ratio of sums can be: a share, or between the units' smallest and largest."""
    counted = denominator > 0
    ratios = numerator[counted] / denominator[counted]
    least, most = float(ratios.min()), float(ratios.max())
    return (0.0, 1.0) if least >= 0 and most <= 1 else (least, most)
