"""Turns statistics of a sample into measures with n and interval."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from plausibly.domain import Measure
from plausibly.measures._crossing import Crossing
from plausibly.measures._deletions import Deletion, deletions, means_without
from plausibly.measures._intervals import Spread, limits, spread, unseen
from plausibly.measures._pairwise import PairMean
from plausibly.measures._sample import Number, Sample, Statistic
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.resampling import FEW_PEOPLE, Resampling

METHODS = {
    "items": "jackknife over items",
    "annotators": "jackknife over annotators",
    "both": "two-way jackknife",
}
EXACT = "exact limit over {}"
SHARE = (0.0, 1.0)
COEFFICIENT = -1.0
THESE_PEOPLE = "fewer than {} annotators: the interval covers these people, not others like them"
FEW_DRAWN = "fewer than {} annotators represent others poorly: the interval is wide"
ALL_ALIKE = "nothing varies over people: the limit covers these people, not others like them"
NO_CHANGE = "no interval: leaving out {} does not change the value; see that of percent_agreement"
OUT_OF_RANGE = "no interval: the value is not between {:.3g} and 1, which noise alone can cause"
NOTHING_LEFT = "no interval: without some {}, there is usually nothing left to compare"


def estimate(
    statistic: Statistic,
    coded: Coded,
    resampling: Resampling | None = None,
    *,
    least: float = COEFFICIENT,
) -> Measure:
    """Return one statistic as a measure; without `resampling` it has no interval."""
    plan = resampling or Resampling(resamples=0)
    return estimates({"": statistic}, Crossing(coded), plan, least={"": least})[""]


def estimates(
    statistics: Mapping[str, Statistic],
    crossing: Crossing,
    resampling: Resampling,
    *,
    least: Mapping[str, float],
) -> dict[str, Measure]:
    """Return each statistic as a measure, all from the same samples.

    Args:
        statistics: The statistics by name.
        crossing: The ratings.
        resampling: What to leave out in turn.
        least: The lower bound of each, if it is not -1; 0 for a share.
    """
    cost = crossing.cost if resampling.resamples != 0 else 0
    plan = resampling.planned(crossing.coded.n_annotators, cost)
    whole = Sample(crossing)
    numbers = {name: statistic(whole) for name, statistic in statistics.items()}
    defined = {name: statistics[name] for name in statistics if numbers[name].value is not None}
    spreads = _spreads(defined, crossing, plan) if plan.resamples else {}
    return {
        name: _measure(
            number, crossing, plan, spreads.get(name, {}), least=least.get(name, COEFFICIENT)
        )
        for name, number in numbers.items()
    }


def _spreads(
    statistics: Mapping[str, Statistic], crossing: Crossing, plan: Resampling
) -> dict[str, dict[str, Spread | None]]:
    """Return how much each statistic varies, by kind of unit."""
    spreads: dict[str, dict[str, Spread | None]] = {name: {} for name in statistics}
    for deletion in deletions(crossing, plan) if statistics else ():
        for name, values in _without_each(statistics, crossing, deletion).items():
            spreads[name][deletion.kind] = spread(values)
    return spreads


def _without_each(
    statistics: Mapping[str, Statistic], crossing: Crossing, deletion: Deletion
) -> dict[str, Floats]:
    means = {name: one for name, one in statistics.items() if isinstance(one, PairMean)}
    others = {name: one for name, one in statistics.items() if name not in means}
    rows = [
        [statistic(sample).value for statistic in others.values()]
        for sample in (deletion.samples(crossing) if others else ())
    ]
    table = np.array(rows, dtype=np.float64).reshape(-1, max(len(others), 1))
    return {
        **{name: table[:, place] for place, name in enumerate(others)},
        **means_without(means, crossing, deletion),
    }


def _measure(
    number: Number,
    crossing: Crossing,
    plan: Resampling,
    spreads: Mapping[str, Spread | None],
    *,
    least: float,
) -> Measure:
    n, people = crossing.paired_items, crossing.coded.n_annotators
    if number.value is None or not plan.resamples:
        return Measure(number.value, n, reason=number.reason, counts=number.counts)
    share = least == SHARE[0]
    lost = next((kind for kind, one in spreads.items() if one is None), None)
    known = {kind: one for kind, one in spreads.items() if one is not None}
    interval = None if lost else limits(number.value, known, least=least)
    if share and (number.value in SHARE or (interval is None and not lost)):
        return _at_the_end(number, crossing, plan)
    if interval is None:
        units = "annotators" if plan.units == "annotators" else "items"
        reason = NOTHING_LEFT.format(lost) if lost else NO_CHANGE.format(units)
        if not least <= number.value <= 1:
            reason = OUT_OF_RANGE.format(least)
        return Measure(number.value, n, reason=reason, counts=number.counts)
    return Measure(
        number.value,
        n,
        *interval,
        method=METHODS[plan.units or "both"],
        annotators=None if plan.units == "items" else people,
        warning=_warning(plan, people),
        counts=number.counts,
    )


def _at_the_end(number: Number, crossing: Crossing, plan: Resampling) -> Measure:
    """Return a share that does not vary, with a limit that allows for unlike units not yet seen."""
    n, people = crossing.paired_items, crossing.coded.n_annotators
    drawn = plan.units == "annotators"
    low, high = unseen(float(number.value or 0), SHARE, units=people if drawn else n)
    return Measure(
        number.value,
        n,
        low,
        high,
        method=EXACT.format("annotators" if drawn else "items"),
        annotators=people if drawn else None,
        warning=ALL_ALIKE if plan.units == "both" else _warning(plan, people),
        counts=number.counts,
    )


def _warning(plan: Resampling, people: int) -> str | None:
    if people >= FEW_PEOPLE:
        return None
    return (THESE_PEOPLE if plan.units == "items" else FEW_DRAWN).format(FEW_PEOPLE)
