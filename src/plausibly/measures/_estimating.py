"""From statistics of a sample to measures with n and interval."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from plausibly.domain import Measure
from plausibly.measures._crossing import Crossing
from plausibly.measures._grouping import Ints
from plausibly.measures._intervals import Spread, limits, spread
from plausibly.measures._sample import Number, Sample, Statistic
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.resampling import FEW_PEOPLE, Resampling

METHODS = {
    "items": "jackknife over items",
    "annotators": "jackknife over annotators",
    "both": "two-way jackknife",
}
PERFECT = 1 - 1e-12
THESE_PEOPLE = "fewer than {} annotators: the interval is about these people, not people like them"
FEW_DRAWN = "fewer than {} annotators say little about people like them: the interval is wide"


def estimate(
    statistic: Statistic,
    coded: Coded,
    resampling: Resampling | None = None,
    *,
    share: bool = False,
) -> Measure:
    """Return one statistic as a measure; without `resampling` it has no interval."""
    plan = resampling or Resampling(resamples=0)
    shares = {""} if share else set()
    return estimates({"": statistic}, Crossing(coded), plan, shares=shares)[""]


def estimates(
    statistics: Mapping[str, Statistic],
    crossing: Crossing,
    resampling: Resampling,
    *,
    shares: Collection[str] = (),
) -> dict[str, Measure]:
    """Return each statistic as a measure; all of them see the same samples.

    Args:
        statistics: By name.
        crossing: The ratings.
        resampling: What is left out in turn.
        shares: Names of those that cannot fall below 0.
    """
    whole = Sample(crossing)
    numbers = {name: statistic(whole) for name, statistic in statistics.items()}
    plan = resampling.planned(crossing.coded.n_annotators, crossing.cost)
    defined = {name: statistics[name] for name in statistics if numbers[name].value is not None}
    spreads: dict[str, dict[str, Spread | None]] = {name: {} for name in defined}
    for kind, samples in _samples(crossing, plan).items() if defined else ():
        left_out = _without_each(defined, samples)
        for name in defined:
            spreads[name][kind] = spread(left_out[name])
    return {
        name: _measure(number, crossing, plan, spreads.get(name, {}), share=name in shares)
        for name, number in numbers.items()
    }


def _without_each(
    statistics: Mapping[str, Statistic], samples: Iterator[Sample]
) -> dict[str, Floats]:
    rows = [[statistic(sample).value for statistic in statistics.values()] for sample in samples]
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(statistics))
    return {name: table[:, place] for place, name in enumerate(statistics)}


def _measure(
    number: Number,
    crossing: Crossing,
    plan: Resampling,
    spreads: Mapping[str, Spread | None],
    *,
    share: bool,
) -> Measure:
    n, people = crossing.paired_items, crossing.coded.n_annotators
    if number.value is None:
        return Measure(None, n, reason=number.reason, counts=number.counts)
    if not plan.resamples:
        return Measure(number.value, n, counts=number.counts)
    known = {kind: one for kind, one in spreads.items() if one is not None}
    if len(known) < len(spreads) and number.value < PERFECT:
        missing = next(kind for kind in spreads if kind not in known)
        reason = f"no interval: without some {missing}, most often nothing is left to compare"
        return Measure(number.value, n, reason=reason, counts=number.counts)
    units = people if plan.units == "annotators" else n
    low, high = limits(number.value, known, units=units, least=0.0 if share else -1.0)
    return Measure(
        number.value,
        n,
        min(number.value, low),
        max(number.value, high),
        method=METHODS[plan.units or "both"],
        annotators=None if plan.units == "items" else people,
        warning=_warning(plan, people),
        counts=number.counts,
    )


def _warning(plan: Resampling, people: int) -> str | None:
    if people >= FEW_PEOPLE:
        return None
    return (THESE_PEOPLE if plan.units == "items" else FEW_DRAWN).format(FEW_PEOPLE)


def _samples(crossing: Crossing, plan: Resampling) -> dict[str, Iterator[Sample]]:
    """Return, by kind of unit, the samples without each group of such units."""
    most = plan.resamples or 0
    if most == 0:
        return {}
    generator = np.random.default_rng(plan.seed)
    coded = crossing.coded
    kinds: dict[str, Iterator[Sample]] = {}
    if plan.units != "annotators":
        paired = np.flatnonzero(crossing.ratings > 1)
        kinds["items"] = _without(
            crossing, _grouped(paired, coded.n_items, most, generator)[coded.item]
        )
    if plan.units != "items":
        everybody = np.arange(coded.n_annotators)
        group = _grouped(everybody, coded.n_annotators, most, generator)
        kinds["annotators"] = _without(crossing, group[coded.annotator])
    if plan.units == "both":
        order = np.argsort(coded.item.astype(np.int64) * coded.n_annotators + coded.annotator)
        kinds["ratings"] = _without(crossing, _grouped(order, coded.n_ratings, most, generator))
    return kinds


def _grouped(members: Ints, size: int, most: int, generator: np.random.Generator) -> Ints:
    """Return the group of each unit, -1 for those that are no members: one each, or `most`."""
    group = np.full(size, -1, dtype=np.int64)
    even = np.arange(len(members)) % most
    group[members] = generator.permutation(even) if len(members) > most else even
    return group


def _without(crossing: Crossing, group: Ints) -> Iterator[Sample]:
    for one in range(int(group.max(initial=-1)) + 1):
        yield Sample(crossing, group != one)
