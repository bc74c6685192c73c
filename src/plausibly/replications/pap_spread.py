"""PAP Figures 3 and 4: which ratings were given, their medians and their spread."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from plausibly.analysis.events import bins, item_values
from plausibly.datasets.pap import ANSWERS
from plausibly.replications.claims import Claim, judge
from plausibly.replications.pap_release import CONDITIONS, Release
from plausibly.replications.record import Record, Value

EDGES = (1, 2, 3, 4, 5)
MIDDLE = 3
AVERAGES = ("median", "mean")
DEVIATIONS = {"population": "sd", "sample": "sample_sd"}
READING = "'Average median' can be read as the median or as the mean."


def _figure3() -> Iterator[Claim]:
    for name in (*CONDITIONS, "total"):
        yield Claim(
            f"pap.figure3.a.{name}", None, "ratings by answer", "The figure has no numbers."
        )
    for name in CONDITIONS:
        yield Claim(
            f"pap.figure3.a.share_plausible.{name}",
            None,
            "ratings of 4 or 5 / ratings of the condition",
            "Both conditions lean to plausible.",
        )
    for average in AVERAGES:
        rule = f"{average} of a triple's ratings, upper bound in the bin"
        for name in CONDITIONS:
            yield Claim(f"pap.figure3.b.{average}.{name}", None, rule, "The figure has no numbers.")
            yield Claim(
                f"pap.figure3.b.{average}.peak.{name}", "(3;4]", f"fullest bin: {rule}", READING
            )
            yield Claim(
                f"pap.figure3.b.{average}.mean.{name}",
                None,
                f"mean over triples of the {average}",
                "Perturbed triples are rated lower, yet above the middle.",
            )
        yield Claim(
            f"pap.figure3.b.{average}.more_weakly_implausible",
            "perturbed",
            f"condition with more triples in (2;3]: {rule}",
            READING,
        )
        yield Claim(
            f"pap.figure3.b.{average}.more_highly_plausible",
            "attested",
            f"condition with more triples in (4;5]: {rule}",
            READING,
        )


def _figure4() -> Iterator[Claim]:
    for name, printed in (("attested", "above"), ("perturbed", "below")):
        yield Claim(
            f"pap.figure4.medians.{name}",
            None,
            "triples with a median above, below and on 3",
            "The figure has no numbers.",
        )
        yield Claim(
            f"pap.figure4.mostly.{name}",
            printed,
            "the side of 3 most medians are on",
            "Section 5.1 says these medians are mostly above the line."
            if name == "attested"
            else "Above the line is what the text's own 'clash with the original label' implies.",
        )
    for kind in DEVIATIONS:
        for name in CONDITIONS:
            yield Claim(
                f"pap.figure4.deviation.{kind}.{name}",
                None,
                f"mean over triples of the {kind} standard deviation",
                "The figure has no numbers.",
            )
        yield Claim(
            f"pap.figure4.deviation.{kind}.larger",
            "perturbed",
            f"condition with the larger mean {kind} standard deviation",
            "Section 5.1 says perturbed triples deviate more.",
        )


CLAIMS = (*_figure3(), *_figure4())


def spread(release: Release) -> list[Record]:
    """Return the records on Figures 3 and 4."""
    events = release.events.drop("ratings").join(item_values(release.ratings), on="item")
    parts = {name: events.filter(pl.col("condition") == name) for name in CONDITIONS}
    numbers = {**_answers(release), **_medians(parts), **_deviations(parts)}
    for average in AVERAGES:
        numbers |= _bins(parts, average)
    return judge(CLAIMS, numbers)


def _answers(release: Release) -> dict[str, Value]:
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
    return numbers


def _mean(events: pl.DataFrame, column: str) -> float | None:
    values = events[column].drop_nulls().to_list()
    return sum(values) / len(values) if values else None


def _larger(found: dict[str, int] | dict[str, float]) -> str:
    """Return the name with the largest number, the first of them at a tie."""
    return max(found, key=lambda name: found[name])
