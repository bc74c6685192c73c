"""PAP Figure 5: strict majorities in each of the 27 abstractness combinations."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from plausibly.analysis.events import UNDECIDED, label_shares
from plausibly.replications.claims import Claims
from plausibly.replications.pap.release import COLUMNS, CONDITIONS, PapRelease, more_than
from plausibly.replications.printed import Value

Counts = dict[str, int]
Bars = dict[str, Counts]  # combination -> column -> triples

FIGURES = dict(zip(CONDITIONS, ("pap.figure5a", "pap.figure5b"), strict=True))


def figure5(release: PapRelease, claims: Claims) -> dict[str, Value]:
    """Return the numbers behind Figure 5."""
    del claims
    bars = _bars(release.events, release.sides)
    stricter = _bars(release.events, more_than(release))
    numbers: dict[str, Value] = {
        f"{FIGURES[condition]}.combination.{name}": dict(counts)
        for condition, each in bars.items()
        for name, counts in each.items()
    }
    numbers |= _attested(bars["attested"], stricter["attested"])
    return {**numbers, **_perturbed(bars["perturbed"])}


def _bars(events: pl.DataFrame, labels: pl.DataFrame) -> dict[str, Bars]:
    found: dict[str, Bars] = {condition: {} for condition in CONDITIONS}
    shares = label_shares(events, labels, by=["condition", "combination"])
    for condition, name, side, triples in shares.select(
        "condition", "combination", "label", "items"
    ).iter_rows():
        empty = dict.fromkeys(COLUMNS, 0)
        found[condition].setdefault(name, empty)[side] = triples
    return found


def _attested(bars: Bars, stricter: Bars) -> dict[str, Value]:
    figure = FIGURES["attested"]
    total = sum(sum(counts.values()) for counts in bars.values())
    lowest = sorted(bars, key=lambda name: (_share(bars[name], "plausible"), name))[:4]
    return {
        **{f"{figure}.mean_share.{column}": _mean_share(bars, column) for column in COLUMNS},
        **{
            f"{figure}.pooled_share.{column}": sum(counts[column] for counts in bars.values())
            / total
            for column in COLUMNS[1:]
            if total
        },
        f"{figure}.below_half": _where(bars, lambda c: _share(c, "plausible") < 0.5),
        f"{figure}.below_half.more_than": _where(stricter, lambda c: _share(c, "plausible") < 0.5),
        f"{figure}.lowest": {name: _share(bars[name], "plausible") for name in lowest},
        f"{figure}.overlap": _number(bars, lambda c: c["plausible"] > c["implausible"]),
        f"{figure}.overlap.with_unsure": _number(
            bars, lambda c: c["plausible"] > max(c["implausible"], c[UNDECIDED])
        ),
    }


def _perturbed(bars: Bars) -> dict[str, Value]:
    figure = FIGURES["perturbed"]
    majority = f"{figure}.plausible_majority"
    no_majority = {
        "": _number(bars, lambda c: c[UNDECIDED] > max(c["plausible"], c["implausible"])),
        ".with_ties": _number(
            bars, lambda c: c[UNDECIDED] >= max(c["plausible"], c["implausible"])
        ),
        ".above_half": _number(bars, lambda c: _share(c, UNDECIDED) > 0.5),
    }
    return {
        f"{figure}.implausible_leads": _where(bars, lambda c: c["implausible"] > c["plausible"]),
        f"{majority}.count": _number(bars, lambda c: _share(c, "plausible") > 0.5),
        f"{majority}.names": _where(bars, lambda c: _share(c, "plausible") > 0.5),
        f"{majority}.exactly_half": _where(bars, lambda c: _share(c, "plausible") == 0.5),
        **{
            f"{figure}.no_majority{variant}": count / len(bars)
            for variant, count in no_majority.items()
            if bars
        },
    }


def _share(counts: Counts, column: str) -> float:
    return counts[column] / sum(counts.values())


def _mean_share(bars: Bars, column: str) -> float | None:
    return sum(_share(counts, column) for counts in bars.values()) / len(bars) if bars else None


def _where(bars: Bars, holds: Callable[[Counts], bool]) -> list[Value]:
    return [name for name in sorted(bars) if holds(bars[name])]


def _number(bars: Bars, holds: Callable[[Counts], bool]) -> int:
    return len(_where(bars, holds))
