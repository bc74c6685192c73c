"""From what a measure is without some of the units to its interval.

The variance of a measure of items rated by people has a part from items, one from people, and one
from single ratings, which leaving out items and leaving out people both contain. So
`items + people - ratings` is the whole (the two-way formula of Cameron, Gelbach and Miller 2011,
"Robust inference with multiway clustering", with each part from a jackknife). Its quantile is
Student's, with the degrees of freedom of Satterthwaite (1946): eight people say little about
people. Limits are set on the scale of log(1 - value), because no measure exceeds 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from plausibly.measures.coded import Floats

LEVEL = 0.95
STEEPEST = 50.0


@dataclass(frozen=True, slots=True)
class Spread:
    """The variance of a measure over one kind of units, and what it rests on.

    Args:
        variance: Of the measure, by the jackknife.
        groups: How many groups of units were left out in turn.
    """

    variance: float
    groups: int


def spread(values: Floats) -> Spread | None:
    """Return the jackknife's variance of values without each group; None if most are undefined."""
    defined = values[~np.isnan(values)]
    if len(defined) < 2 or 2 * len(defined) < len(values):
        return None
    factor = (len(defined) - 1) / len(defined)
    return Spread(factor * float(np.square(defined - defined.mean()).sum()), len(defined))


def limits(
    value: float, spreads: Mapping[str, Spread], *, units: int, least: float
) -> tuple[float, float]:
    """Return the limits of the interval of a measure.

    Args:
        value: The measure, at most 1.
        spreads: By kind of unit: items, annotators, ratings, as far as they were left out.
        units: How many units there are of the kind drawn.
        least: What the measure cannot fall below.
    """
    variance, freedom = _two_way(spreads)
    short = max(1 - value, 0.0)
    low, high = value, value
    if variance > 0 and short > 0:
        width = float(stdtrit(freedom, (1 + LEVEL) / 2)) * np.sqrt(variance) / short
        low = 1 - short * float(np.exp(min(width, STEEPEST)))
        high = 1 - short * float(np.exp(-width))
    floor, ceiling = unseen(value, (0.0 if value > 0 else least, 1.0), units=units)
    return max(least, min(low, floor)), min(1.0, max(high, ceiling))


def _two_way(spreads: Mapping[str, Spread]) -> tuple[float, float]:
    """Return variance and degrees of freedom of a sum of parts."""
    whole = [one for kind, one in spreads.items() if kind != "ratings"]
    variance = sum(one.variance for one in whole)
    if "ratings" in spreads:
        variance -= spreads["ratings"].variance
        variance = max(variance, spreads["items"].variance if "items" in spreads else 0.0)
    doubt = sum(one.variance**2 / (one.groups - 1) for one in whole)
    return variance, max(variance**2 / doubt, 1.0) if doubt > 0 else 1.0


def unseen(value: float, within: tuple[float, float], *, units: int) -> tuple[float, float]:
    """Return the limits that units unlike all those seen would set, the least an interval spans.

    That none of `units` was of some kind leaves at most 1 - 0.025 ** (1 / units) of that kind
    (the exact limit of 0 of n). Such units could lie anywhere `within` the ends of the measure.

    >>> low, high = unseen(1.0, (0.0, 1.0), units=2)
    >>> round(low, 3), high
    (0.158, 1.0)
    """
    share = 1 - ((1 - LEVEL) / 2) ** (1 / units)
    return value - share * (value - within[0]), value + share * (within[1] - value)
