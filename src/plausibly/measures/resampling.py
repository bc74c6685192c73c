"""Bootstrap: what is drawn, how often, from which seed, and the interval that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

import numpy as np
import numpy.typing as npt

from plausibly.domain import Measure
from plausibly.errors import StudyError, UnknownName
from plausibly.measures._grouping import Indices, Ints
from plausibly.measures.coded import Floats

Units = Literal["items", "annotators", "both"]
Range = tuple[float, float]

LEVEL = 0.95
RESAMPLES = 1000
FEWEST = 40
AFFORDABLE = 120_000_000
DEFINED = 0.25
IGNORED_BIAS = 0.25


@dataclass(frozen=True, slots=True)
class Resampling:
    """How intervals are made.

    Args:
        units: What is drawn with replacement: items, annotators, or both independently.
        resamples: How many draws; None means 1,000, and fewer (never below 40) on ratings so
            many that 1,000 would take minutes. 0 leaves intervals out.
        seed: Same seed, same interval.
    """

    units: Units = "both"
    resamples: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.units not in ("items", "annotators", "both"):
            raise UnknownName("unit to resample", self.units, ("items", "annotators", "both"))
        if self.resamples is not None and self.resamples < 0:
            raise StudyError(f"resamples must be 0 or more; got {self.resamples}.")
        if self.seed < 0:
            raise StudyError(f"seed must be 0 or more; got {self.seed}.")

    def affordable(self, cost: int) -> int:
        """Return how many resamples to draw when each touches `cost` numbers."""
        if self.resamples is not None:
            return self.resamples
        return min(RESAMPLES, max(FEWEST, AFFORDABLE // max(cost, 1)))


def drawn(generator: np.random.Generator, n_units: int) -> Floats:
    """Return how often each of `n_units` was drawn in `n_units` draws with replacement."""
    draws = generator.integers(n_units, size=n_units)
    return np.bincount(draws, minlength=n_units).astype(np.float64)


def percentile_interval(
    values: Sequence[float], *, asked: int, level: float = LEVEL
) -> tuple[float, float] | None:
    """Return the percentile interval of resampled values; None if too few are defined.

    At least a quarter of the resamples asked for, and two, must have a value.

    >>> percentile_interval([0.0, 0.5, 1.0], asked=3, level=0.5)
    (0.25, 0.75)
    """
    if len(values) < max(2, DEFINED * asked):
        return None
    low, high = np.quantile(np.asarray(values), [(1 - level) / 2, (1 + level) / 2])
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
        seed: Same seed, same interval.
        within: The least and the most the measure can be; no limit lies outside.
    """
    plan = Resampling(resamples=resamples, seed=seed)
    units = np.unique(units, return_inverse=True)[1] if len(units) else np.empty(0, dtype=np.int64)
    whole = statistic(np.arange(len(units)))
    n_units = int(units.max()) + 1 if len(units) else 0
    if whole.value is None or n_units == 0:
        return Measure(None, n_units, reason=whole.reason)
    values = [
        value
        for rows in _unit_draws(units, n_units, plan)
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
    not `within` out of what the statistic can be.
    """
    least, most = within or (-inf, inf)
    off = float(np.mean(values)) - value if len(values) else 0.0
    if abs(off) > IGNORED_BIAS * float(np.std(values) if len(values) else 0.0):
        values = [resampled - off for resampled in values]
    interval = percentile_interval(values, asked=asked)
    if interval is not None:
        low, high = max(least, interval[0]), min(most, interval[1])
        return Measure(value, n, min(value, low), max(value, high))
    if asked == 0:
        return Measure(value, n)
    return Measure(
        value, n, reason=f"no interval: only {len(values)} of {asked} resamples have a value"
    )


def _unit_draws(
    units: npt.NDArray[np.int64], n_units: int, plan: Resampling
) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the rows of each draw of units, a unit's rows as often as it was drawn."""
    generator = np.random.default_rng(plan.seed)
    order = np.argsort(units, kind="stable")
    sizes = np.bincount(units, minlength=n_units)
    starts = np.cumsum(sizes) - sizes
    for _ in range(plan.resamples or 0):
        chosen = generator.integers(n_units, size=n_units)
        lengths = sizes[chosen]
        shift = np.repeat(starts[chosen] - np.cumsum(lengths) + lengths, lengths)
        yield order[shift + np.arange(len(shift))]
