"""PAP Figures 3 and 4: which ratings were given, their medians and their spread."""

from __future__ import annotations

from itertools import pairwise

import polars as pl

from plausibly.analysis.events import bins, item_values
from plausibly.datasets.pap import ANSWERS
from plausibly.replications.claims import Claims
from plausibly.replications.pap.release import CONDITIONS, PapRelease
from plausibly.replications.printed import Value

EDGES = (1, 2, 3, 4, 5)
MIDDLE = 3
AVERAGES = ("median", "mean")
DEVIATIONS = {"population": "sd", "sample": "sample_sd"}


def figures(release: PapRelease, claims: Claims) -> dict[str, Value]:
    """Return the numbers behind Figures 3 and 4."""
    del claims
    events = events_with_values(release)
    parts = {name: events.filter(pl.col("condition") == name) for name in CONDITIONS}
    numbers = {**_answers(release), **_medians(parts), **_deviations(parts)}
    for average in AVERAGES:
        numbers |= _bins(parts, average)
    return numbers


def events_with_values(release: PapRelease) -> pl.DataFrame:
    """Return the events with median, mean and deviation of their ratings."""
    return release.events.drop("ratings").join(item_values(release.ratings), on="item")


def _answers(release: PapRelease) -> dict[str, Value]:
    parts = {**{name: release.of(name) for name in CONDITIONS}, "total": release.events}
    counts: dict[str, Value] = {
        f"pap.figure3.a.{name}": {answer: int(events[f"n{answer}"].sum()) for answer in ANSWERS}
        for name, events in parts.items()
    }
    for name in CONDITIONS:
        given = int(parts[name]["ratings"].sum())
        share = int(parts[name]["plausible"].sum()) / given if given else None
        counts[f"pap.figure3.a.share_plausible.{name}"] = share
    return counts


def _bins(parts: dict[str, pl.DataFrame], average: str) -> dict[str, Value]:
    figure = f"pap.figure3.b.{average}"
    filled = {name: bins(part[average], edges=EDGES) for name, part in parts.items()}
    numbers: dict[str, Value] = {
        f"{figure}.more_weakly_implausible": _larger(
            {name: found["(2;3]"] for name, found in filled.items()}
        ),
        f"{figure}.more_highly_plausible": _larger(
            {name: found["(4;5]"] for name, found in filled.items()}
        ),
    }
    for name, found in filled.items():
        numbers[f"{figure}.{name}"] = dict(found)
        numbers[f"{figure}.peak.{name}"] = _larger(found)
        numbers[f"{figure}.mean.{name}"] = _mean(parts[name], average)
    return numbers


def _medians(parts: dict[str, pl.DataFrame]) -> dict[str, Value]:
    numbers: dict[str, Value] = {}
    for name, part in parts.items():
        median = part["median"]
        found = {
            "above": int((median > MIDDLE).sum()),
            "below": int((median < MIDDLE).sum()),
            "on": int((median == MIDDLE).sum()),
        }
        numbers[f"pap.figure4.medians.{name}"] = dict(found)
        numbers[f"pap.figure4.mostly.{name}"] = _larger(found)
    return numbers


def _deviations(parts: dict[str, pl.DataFrame]) -> dict[str, Value]:
    numbers: dict[str, Value] = {}
    for kind, column in DEVIATIONS.items():
        means = {name: _mean(part, column) for name, part in parts.items()}
        for name, mean in means.items():
            numbers[f"pap.figure4.deviation.{kind}.{name}"] = mean
        numbers[f"pap.figure4.deviation.{kind}.larger"] = _larger(
            {name: mean or 0.0 for name, mean in means.items()}
        )
    for name, part in parts.items():
        by_bin = _by_bin(part, "median")
        numbers[f"pap.figure4.deviation.by_median.{name}"] = by_bin
        numbers[f"pap.figure4.deviation.falls_towards.{name}"] = _falling(by_bin)
    by_mean = _falling(_by_bin(parts["perturbed"], "mean"))
    numbers["pap.figure4.deviation.falls_towards.by_mean"] = by_mean
    return numbers


def _by_bin(part: pl.DataFrame, average: str) -> dict[str, Value]:
    """Return the mean deviation of the triples whose average rating is in each bin."""
    place = pl.col(average)
    return {
        f"{'[' if low == 1 else '('}{low};{high}]": _mean(
            part.filter((place > low - (low == 1)) & (place <= high)), "sd"
        )
        for low, high in pairwise(EDGES)
    }


def _falling(by_bin: dict[str, Value]) -> list[Value]:
    """Return the ends of the scale towards which the deviation falls from the middle."""
    lowest, low, high, highest = (
        value if isinstance(value, float) else 0.0 for value in by_bin.values()
    )
    falls = {"implausible": lowest < low, "plausible": highest < high}
    return [end for end, holds in falls.items() if holds]


def _mean(events: pl.DataFrame, column: str) -> float | None:
    values = events[column].drop_nulls().to_list()
    return sum(values) / len(values) if values else None


def _larger(found: dict[str, int] | dict[str, float]) -> str:
    """Return the name with the largest number, the first of them at a tie."""
    return max(found, key=lambda name: found[name])
