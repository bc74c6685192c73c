"""From what a measure is without some of the units to its interval.

The variance of a measure of items rated by people has a part from items, one from people, and one
from single ratings, which leaving out items and leaving out people both contain. So
`items + people - ratings` is the whole (the two-way formula of Cameron, Gelbach and Miller 2011,
"Robust inference with multiway clustering", with each part from a jackknife). Its quantile is
Student's, with the degrees of freedom of Satterthwaite (1946): eight people say little about
people. Limits are set on a scale without ends, the log odds of where the value lies between the
least and the most it can be: for shares the logit, for coefficients from -1 to 1 Fisher's z.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from plausibly.measures.coded import Floats

LEVEL = 0.95
STEEPEST = 50.0
NOTHING = 1e-12


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
    value: float, spreads: Mapping[str, Spread], *, least: float
) -> tuple[float, float] | None:
    """Return the limits of the interval of a measure; None if nothing varies.

    Args:
        value: The measure, at most 1.
        spreads: By kind of unit: items, annotators, ratings, as far as they were left out.
        least: What the measure cannot fall below.
    """
    variance, freedom = _two_way(spreads)
    above, below = value - least, 1 - value
    if variance <= NOTHING**2 or min(above, below) <= NOTHING:
        return None
    slope = 1 / below + 1 / above
    width = float(stdtrit(freedom, (1 + LEVEL) / 2)) * float(np.sqrt(variance)) * slope
    low, high = (_moved(above, below, by) for by in (-width, width))
    return low, high


def _moved(above: float, below: float, by: float) -> float:
    """Return where a value lies whose log odds between its ends were moved."""
    factor = float(np.exp(np.clip(by, -STEEPEST, STEEPEST)))
    whole = above + below
    return 1 - whole * below / (below + above * factor)


def _two_way(spreads: Mapping[str, Spread]) -> tuple[float, float]:
    """Return variance and degrees of freedom of a sum of parts.

    A jackknife counts what two units make only together twice (Efron and Stein 1981). So what
    two people make with two items, all there is to a kappa of annotators who share two items, is
    twice in leaving out items, twice in leaving out people and four times in leaving out ratings:
    their formula gives it 0. Only this makes the part of ratings exceed both others, by twice of
    it; half of the excess is put back.
    """
    whole = [one for kind, one in spreads.items() if kind != "ratings"]
    variance = sum(one.variance for one in whole)
    most = max(one.variance for one in whole)
    if "ratings" in spreads:
        ratings = spreads["ratings"].variance
        variance = max(variance - ratings + max(ratings - most, 0.0) / 2, most / 2)
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
