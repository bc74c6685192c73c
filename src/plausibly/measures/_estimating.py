"""From statistics of a sample to measures with n and interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from plausibly.domain import Measure
from plausibly.measures._crossing import Crossing
from plausibly.measures._sample import Number, Sample, Statistic
from plausibly.measures.coded import Coded
from plausibly.measures.resampling import Resampling, drawn, with_interval


def estimate(statistic: Statistic, coded: Coded, resampling: Resampling | None = None) -> Measure:
    """Return one statistic as a measure; without `resampling` it has no interval."""
    return estimates({"": statistic}, Crossing(coded), resampling)[""]


def estimates(
    statistics: Mapping[str, Statistic], crossing: Crossing, resampling: Resampling | None = None
) -> dict[str, Measure]:
    """Return each statistic as a measure; all of them see the same resamples."""
    whole = Sample(crossing)
    outcomes = {name: statistic(whole) for name, statistic in statistics.items()}
    defined = {name: statistics[name] for name in statistics if outcomes[name].value is not None}
    plan = resampling or Resampling(resamples=0)
    asked = plan.affordable(crossing.coded.n_ratings + crossing.n_coratings)
    resampled: dict[str, list[float]] = {name: [] for name in defined}
    for sample in _samples(crossing, plan, asked) if defined else ():
        for name, statistic in defined.items():
            value = statistic(sample).value
            if value is not None:
                resampled[name].append(value)
    n = crossing.paired_annotators if plan.units == "annotators" else crossing.paired_items
    return {
        name: _measure(outcome, n, resampled.get(name, []), asked)
        for name, outcome in outcomes.items()
    }


def _measure(outcome: Number, n: int, resampled: list[float], asked: int) -> Measure:
    if outcome.value is None:
        measure = Measure(None, n, reason=outcome.reason)
    else:
        within = (min([0.0, *resampled]), 1.0)  # below 0 only if a resample was
        measure = with_interval(outcome.value, n, resampled, asked=asked, within=within)
    return replace(measure, counts=outcome.counts)


def _samples(crossing: Crossing, plan: Resampling, resamples: int) -> Iterator[Sample]:
    generator = np.random.default_rng(plan.seed)
    for _ in range(resamples):
        item = drawn(generator, crossing.coded.n_items) if plan.units != "annotators" else None
        annotator = drawn(generator, crossing.coded.n_annotators) if plan.units != "items" else None
        yield Sample(crossing, item, annotator)
