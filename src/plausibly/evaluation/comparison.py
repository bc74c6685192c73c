"""Two models on the same items: difference, interval, p, and p corrected for all pairs.

Only what both models judged counts. Clusters are drawn and exchanged whole: heads for SP-10K, the
pairs of one noun for ADEPT, the events of one verb for PAP, stories for GITA.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from plausibly.domain import Measure
from plausibly.errors import StudyError
from plausibly.measures.holm import holm
from plausibly.measures.mid_p import EXACT_MCNEMAR, EXACT_PERMUTATION, MCNEMAR, PERMUTATION
from plausibly.measures.ranking import Floats
from plausibly.measures.resampling import bounded_interval


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure of two models on the same items.

    Args:
        a: The first model.
        b: The second.
        metric: What is compared.
        slice: Where.
        difference: Value of a less value of b, with its interval and n.
        p: Two-sided p that there is no difference; None if it is not defined.
        p_holm: The same, corrected for all comparisons of this metric.
        test: Name of the test.
    """

    a: str
    b: str
    metric: str
    slice: str
    difference: Measure
    p: float | None
    test: str
    p_holm: float | None = None

    def as_json(self) -> dict[str, object]:
        """Return the comparison as `compare --json` prints it."""
        return {
            "a": self.a,
            "b": self.b,
            "metric": self.metric,
            "slice": self.slice,
            "difference": self.difference.value,
            "low": self.difference.low,
            "high": self.difference.high,
            "n": self.difference.n,
            "p": self.p,
            "p_holm": self.p_holm,
            "test": self.test,
            **({"reason": self.difference.reason} if self.difference.reason else {}),
            **self.difference.counts,
        }


@dataclass(frozen=True, slots=True)
class Chance:
    """How much is drawn, from which seed.

    Args:
        resamples: Draws for the interval.
        permutations: Arrangements for the test.
        seed: Random seed; the same seed gives the same result.
        exact: Count ties with the observed difference in full (exact test) instead of half (mid-p).
    """

    resamples: int = 1000
    permutations: int = 10_000
    seed: int = 0
    exact: bool = False

    @property
    def permutation(self) -> str:
        """Name of the permutation test."""
        return EXACT_PERMUTATION if self.exact else PERMUTATION

    @property
    def mcnemar(self) -> str:
        """Name of McNemar's test."""
        return EXACT_MCNEMAR if self.exact else MCNEMAR

    @property
    def drawn(self) -> dict[str, Any]:
        """What a permutation test needs to know."""
        return {"permutations": self.permutations, "seed": self.seed, "exact": self.exact}


Pairing = Callable[[str, str], Sequence[Comparison]]


def compare_all(models: Sequence[str], pairing: Pairing) -> list[Comparison]:
    """Return all comparisons of every two models, each p corrected within its metric."""
    if len(models) < 2:
        raise StudyError(
            f"comparing needs two models; got {len(models)}. Name a second predictions file."
        )
    rows = [row for a, b in combinations(models, 2) for row in pairing(a, b)]
    return with_holm(rows)


def with_holm(rows: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons with p corrected for their number, metric by metric."""
    corrected: dict[int, float] = {}
    for metric in dict.fromkeys(row.metric for row in rows):
        tested = [n for n, row in enumerate(rows) if row.metric == metric and row.p is not None]
        values = holm([rows[n].p or 0.0 for n in tested])
        corrected.update(zip(tested, values, strict=True))
    return [replace(row, p_holm=corrected.get(number)) for number, row in enumerate(rows)]


class Basis(NamedTuple):
    """How many items two models are compared on, and how many clusters these belong to."""

    items: int
    clusters: int


def difference(
    values: tuple[float, float],
    drawn: Floats,
    basis: Basis,
    *,
    asked: int,
    reason: str,
    most: float | None = 1.0,
) -> Measure:
    """Return the difference of two values with the interval of its draws.

    Args:
        values: Of the first and of the second model.
        drawn: The two values in every draw, one row each.
        basis: How many items and clusters entered.
        asked: How many draws were asked for.
        reason: Why there is no difference where a value is not defined.
        most: The largest difference there can be; None if there is no such bound.
    """
    value = values[0] - values[1]
    if np.isnan(value):
        return Measure(None, basis.items, reason=reason)
    gaps = drawn[:, 0] - drawn[:, 1]
    gap = bounded_interval(
        float(value), basis.clusters, gaps[~np.isnan(gaps)].tolist(), asked=asked, most=most
    )
    return replace(gap, n=basis.items)


def as_table(rows: Sequence[Comparison]) -> pl.DataFrame:
    """Return the comparisons as a frame, one row each."""
    schema: Mapping[str, type[pl.DataType]] = {
        "a": pl.String,
        "b": pl.String,
        "metric": pl.String,
        "slice": pl.String,
        "difference": pl.Float64,
        "low": pl.Float64,
        "high": pl.Float64,
        "n": pl.Int64,
        "p": pl.Float64,
        "p_holm": pl.Float64,
        "test": pl.String,
    }
    documents = [row.as_json() for row in rows]
    return pl.DataFrame([{c: d[c] for c in schema} for d in documents], schema=dict(schema))
