"""From statistics of a sample to measures with n and interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from plausibly.domain import Measure
from plausibly.measures.coded import Coded
from plausibly.measures.design import Design
from plausibly.measures.resampling import Resampling, drawn, with_interval
from plausibly.measures.sample import Outcome, Sample, Statistic


@dataclass(frozen=True, slots=True)
class MeanMeasure(Measure):
    """A measure that is a mean, with what it is a mean over and what had to be left out."""

    counts: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, float | int | str | None]:
        """Return the measure in the form every `--json` output uses, counts behind it."""
        return {**Measure.as_json(self), **self.counts}


def estimate(statistic: Statistic, coded: Coded, resampling: Resampling | None = None) -> Measure:
    """Return one statistic as a measure; without `resampling` it has no interval."""
    return estimates({"": statistic}, Design(coded), resampling)[""]


def estimates(
    statistics: Mapping[str, Statistic], design: Design, resampling: Resampling | None = None
) -> dict[str, Measure]:
    """Return each statistic as a measure; all of them see the same resamples."""
    whole = Sample(design)
    outcomes = {name: statistic(whole) for name, statistic in statistics.items()}
    defined = {name: statistics[name] for name in statistics if outcomes[name].value is not None}
    plan = resampling or Resampling(resamples=0)
    asked = plan.affordable(design.coded.n_ratings + design.n_coratings)
    resampled: dict[str, list[float]] = {name: [] for name in defined}
    for sample in _samples(design, plan, asked) if defined else ():
        for name, statistic in defined.items():
            value = statistic(sample).value
            if value is not None:
                resampled[name].append(value)
    n = design.paired_annotators if plan.units == "annotators" else design.paired_items
    return {
        name: _measure(outcome, n, resampled.get(name, []), asked)
        for name, outcome in outcomes.items()
    }


def _measure(outcome: Outcome, n: int, resampled: list[float], asked: int) -> Measure:
    if outcome.value is None:
        measure = Measure(None, n, reason=outcome.reason)
    else:
        within = (min([0.0, *resampled]), 1.0)  # below 0 only if a resample was
        measure = with_interval(outcome.value, n, resampled, asked=asked, within=within)
    if not outcome.counts:
        return measure
    return MeanMeasure(
        measure.value, measure.n, measure.low, measure.high, measure.reason, outcome.counts
    )


def _samples(design: Design, plan: Resampling, resamples: int) -> Iterator[Sample]:
    generator = np.random.default_rng(plan.seed)
    for _ in range(resamples):
        item = drawn(generator, design.coded.n_items) if plan.units != "annotators" else None
        annotator = drawn(generator, design.coded.n_annotators) if plan.units != "items" else None
        yield Sample(design, item, annotator)
