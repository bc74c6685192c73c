"""What is left out or drawn anew, how often, from which seed, and intervals of drawn values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from plausibly.domain import Measure
from plausibly.errors import StudyError, UnknownName
from plausibly.measures._grouping import Indices, Ints
from plausibly.measures._intervals import LEVEL, NOTHING, unseen
from plausibly.measures.draws import drawable

Units = Literal["items", "annotators", "both"]
Range = tuple[float, float]

RESAMPLES = 1000
GROUPS = 60
FEWEST = 20
FEW_PEOPLE = 6
AFFORDABLE = 40_000_000
DEFINED = 0.25
IGNORED_BIAS = 0.25
NEVER_DIFFER = "no interval: all resamples have the same value"


@dataclass(frozen=True, slots=True)
class Resampling:
    """How the intervals of agreement are made: what is left out in turn.

    Args:
        units: What the interval generalises to: new items, new annotators, or both.
        resamples: How many groups of each kind are left out in turn, at most; None means 60,
            and fewer (never below 20) on very many ratings. 0 leaves intervals out.
        seed: How units are put into groups when there are more of them.

    >>> Resampling().planned(people=4, cost=100).estimand
    'these people, items like these'
    >>> Resampling(units="both").estimand
    'people like these, items like these'
    """

    units: Units | None = None
    resamples: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.units not in (None, *get_args(Units)):
            raise UnknownName("unit to resample", str(self.units), get_args(Units))
        if self.resamples is not None and (self.resamples < 0 or self.resamples == 1):
            raise StudyError(f"resamples must be 0, or 2 or more; got {self.resamples}.")
        drawable(self.resamples or 0)
        if self.seed < 0:
            raise StudyError(f"seed must be 0 or more; got {self.seed}.")

    def planned(self, people: int, cost: int) -> Resampling:
        """Return what is done with so many people, when one measure touches `cost` numbers."""
        units = self.units or ("both" if people >= FEW_PEOPLE else "items")
        groups = self.resamples
        if groups is None:
            groups = min(GROUPS, max(FEWEST, AFFORDABLE // max(cost, 1)))
        return replace(self, units=units, resamples=groups)

    @property
    def estimand(self) -> str:
        """Whose agreement the interval is about."""
        people = "these people" if self.units == "items" else "people like these"
        items = "these items" if self.units == "annotators" else "items like these"
        return f"{people}, {items}"


def percentile_interval(values: Sequence[float], *, asked: int) -> tuple[float, float] | None:
    """Return the percentile interval of resampled values; None if too few are defined.

    At least a quarter of the resamples asked for, and two, must have a value.

    >>> percentile_interval([2.0, 2.0, 2.0], asked=3)
    (2.0, 2.0)
    """
    if len(values) < max(2, DEFINED * asked):
        return None
    low, high = np.quantile(np.asarray(values), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def cluster_bootstrap(
    statistic: Callable[[Ints], Measure],
    units: Indices,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    within: Range | None = None,
) -> Measure:
    """Return a measure of rows with its interval from resampling whole units of rows.

    Args:
        statistic: The measure of the rows at the given positions; a row may come twice.
        units: For each row the code of the unit it belongs to (story, head, sentence …).
        resamples: How many times the units are drawn with replacement.
        seed: Random seed; the same seed gives the same interval.
        within: The least and the most the measure can be; no limit lies outside.

    The share of right answers on four stories of two questions each:

    >>> right = np.array([1, 1, 1, 0, 0, 0, 1, 1])
    >>> stories = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    >>> share = lambda rows: Measure(float(right[rows].mean()), len(rows))
    >>> measure = cluster_bootstrap(share, stories, within=(0.0, 1.0), seed=1)
    >>> (measure.value, measure.n, measure.low < 0.3, measure.high)
    (0.625, 4, True, 1.0)
    """
    units = np.unique(units, return_inverse=True)[1] if len(units) else np.empty(0, dtype=np.int64)
    whole = statistic(np.arange(len(units)))
    n_units = int(units.max()) + 1 if len(units) else 0
    if whole.value is None or n_units == 0:
        return Measure(None, n_units, reason=whole.reason)
    values = [
        value
        for rows in _unit_draws(units, n_units, resamples, seed)
        if (value := statistic(rows).value) is not None
    ]
    return with_interval(whole.value, n_units, values, asked=resamples, within=within)


def with_interval(
    value: float, n: int, values: Sequence[float], *, asked: int, within: Range | None = None
) -> Measure:
    """Return a measure with the interval of its resampled values, or why there is none.

    A resample holds fewer different units than the whole, and some statistics of fewer units
    are smaller throughout (kappas of pairs that share few items). Where the resampled values
    lie off the value by more than a quarter of their standard deviation, the limit up to which
    Efron and Tibshirani (1993, section 10.3) ignore a bias, they are moved back onto it, but
    not `within` out of what the statistic can be. And the interval spans at least what units
    unlike all those seen would allow: no number of units makes a point. Where that is not known,
    resamples that never differ give no interval.

    >>> with_interval(0.5, 30, [0.4, 0.5, 0.6], asked=3).method
    'bootstrap'
    >>> with_interval(0.5, 30, [], asked=3).reason
    'no interval: only 0 of 3 resamples have a value'
    """
    off = float(np.mean(values)) - value if len(values) else 0.0
    if abs(off) > IGNORED_BIAS * float(np.std(values) if len(values) else 0.0):
        values = [resampled - off for resampled in values]
    interval = percentile_interval(values, asked=asked)
    if interval is not None:
        low, high = min(value, interval[0]), max(value, interval[1])
        if within is not None:
            floor, ceiling = unseen(value, within, units=n)
            low, high = max(within[0], min(low, floor)), min(within[1], max(high, ceiling))
        if high - low <= NOTHING * max(1.0, abs(value)):
            return Measure(value, n, reason=NEVER_DIFFER)
        return Measure(value, n, low, high, method="bootstrap")
    if asked == 0:
        return Measure(value, n)
    return Measure(
        value, n, reason=f"no interval: only {len(values)} of {asked} resamples have a value"
    )


def bounded_interval(
    value: float, n: int, values: Sequence[float], *, asked: int, most: float | None
) -> Measure:
    """Return a difference or a correlation with the interval of its resampled values.

    Limits are at most `most` from 0. Resamples that never differ leave what units unlike all
    those seen would allow, the exact limit; without a bound, they give no interval.

    >>> same = bounded_interval(0.0, 3, [0.0] * 9, asked=9, most=1.0)
    >>> round(same.low, 3), round(same.high, 3), same.method
    (-0.708, 0.708, 'exact')
    """
    measure = with_interval(value, n, values, asked=asked)
    if most is None:
        return measure
    if measure.reason == NEVER_DIFFER:
        low, high = unseen(value, (-most, most), units=n)
        return Measure(value, n, low, high, method="exact")
    if measure.low is None or measure.high is None:
        return measure
    return replace(measure, low=max(measure.low, -most), high=min(measure.high, most))


def _unit_draws(
    units: npt.NDArray[np.int64], n_units: int, resamples: int, seed: int
) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the rows of each draw of units, a unit's rows as often as it was drawn."""
    generator = np.random.default_rng(seed)
    order = np.argsort(units, kind="stable")
    sizes = np.bincount(units, minlength=n_units)
    starts = np.cumsum(sizes) - sizes
    for _ in range(drawable(resamples)):
        chosen = generator.integers(n_units, size=n_units)
        lengths = sizes[chosen]
        shift = np.repeat(starts[chosen] - np.cumsum(lengths) + lengths, lengths)
        yield order[shift + np.arange(len(shift))]
