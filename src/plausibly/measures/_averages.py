"""Measures within each part of the ratings (each survey), averaged over the parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.special import stdtrit

from plausibly.domain import Measure
from plausibly.measures._crossing import Crossing
from plausibly.measures._intervals import LEVEL
from plausibly.measures._sample import Sample, Statistic
from plausibly.measures.coded import code_on_scale


@dataclass(frozen=True, slots=True)
class Average:
    """Measures averaged over parts.

    Args:
        parts: How many parts there are.
        measures: By name; `n` is the number of parts in which the measure has a value.
    """

    parts: int
    measures: Mapping[str, Measure]

    def as_json(self) -> dict[str, object]:
        """Return the averages in the form `plausibly agree --json` prints."""
        return {"parts": self.parts, **{name: m.as_json() for name, m in self.measures.items()}}


def averaged(
    ratings: pl.DataFrame,
    by: str,
    statistics: Callable[..., Mapping[str, Statistic]],
) -> Average:
    """Return each measure's mean over the parts of the ratings, every part counting once.

    The interval is Student's, from how the parts differ.

    Args:
        ratings: Ratings of one question.
        by: Column that says which part a rating belongs to; ratings without one are left out.
        statistics: From codes to the measures wanted, by name.
    """
    parts = ratings.drop_nulls(by).partition_by(by)
    values: dict[str, list[float]] = {}
    for part in parts:
        coded = code_on_scale(part)
        sample = Sample(Crossing(coded))
        for name, statistic in statistics(coded).items():
            value = statistic(sample).value
            values.setdefault(name, []).extend([] if value is None else [value])
    return Average(len(parts), {name: _mean(own) for name, own in values.items()})


def _mean(values: list[float]) -> Measure:
    n = len(values)
    if n == 0:
        return Measure(None, 0, reason="no part has a value")
    mean = float(np.mean(values))
    if n == 1:
        return Measure(mean, 1, reason="no interval: only one part has a value")
    half = float(stdtrit(n - 1, (1 + LEVEL) / 2)) * float(np.std(values, ddof=1)) / np.sqrt(n)
    return Measure(mean, n, mean - half, mean + half, method="Student's t over parts")
