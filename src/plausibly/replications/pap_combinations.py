"""PAP Figure 5: strict majorities in each of the 27 abstractness combinations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import polars as pl

from plausibly.analysis.events import UNDECIDED, label_shares
from plausibly.replications.claims import Claim, judge
from plausibly.replications.pap_release import COLUMNS, CONDITIONS, Release, more_than
from plausibly.replications.record import Record, Value

Counts = dict[str, int]
Bars = dict[str, Counts]  # combination -> column -> triples

FIGURES = dict(zip(CONDITIONS, ("pap.figure5a", "pap.figure5b"), strict=True))
COMBINATIONS = tuple("-".join(letters) for letters in product("amc", repeat=3))
MEAN_RULE = "mean over combinations of the share of triples"
POOLED_RULE = "triples / all attested triples"


def _counts() -> Iterator[Claim]:
    for condition, figure in FIGURES.items():
        for name in COMBINATIONS:
            yield Claim(
                f"{figure}.combination.{name}",
                None,
                f"{condition} triples of {name} by strict majority",
                "The figure has no numbers.",
            )


CLAIMS = (
    *_counts(),
    Claim(
        "pap.figure5a.mean_share.plausible", None, MEAN_RULE, "The paper prints the others only."
    ),
    Claim(
        "pap.figure5a.mean_share.implausible",
        0.013,
        MEAN_RULE,
        "Section 5.2 prints 1.3, in percent.",
        digits=3,
    ),
    Claim(
        "pap.figure5a.mean_share.unsure",
        0.262,
        MEAN_RULE,
        "The printed 26.2 comes out neither as a mean over combinations nor pooled.",
        digits=3,
    ),
    Claim(
        "pap.figure5a.pooled_share.implausible",
        0.013,
        POOLED_RULE,
        "Section 5.2 prints 1.3, in percent.",
        digits=3,
    ),
    Claim(
        "pap.figure5a.pooled_share.unsure",
        0.262,
        POOLED_RULE,
        "Pooling does not give the printed 26.2 either.",
        digits=3,
    ),
    Claim(
        "pap.figure5a.below_half",
        ["a-c-c", "a-c-m", "c-c-m"],
        "combinations with less than half plausible majorities",
        "Two of the three named combinations are above one half.",
    ),
    Claim(
        "pap.figure5a.below_half.more_than",
        ["a-c-c", "a-c-m", "c-c-m"],
        "the same with majorities of more than 70 %",
        "This reading gives three combinations, two of them as named, but breaks Table 1.",
    ),
    Claim(
        "pap.figure5a.lowest",
        None,
        "the four smallest shares of plausible majorities",
        "Only one of them is below one half.",
    ),
    Claim(
        "pap.figure5a.overlap",
        27,
        "combinations with more plausible than implausible majorities, unsure ignored",
        "'In all cases' can be meant in this sense only.",
    ),
    Claim(
        "pap.figure5a.overlap.with_unsure",
        27,
        "combinations in which plausible is the largest of the three groups",
        "In c-c-m the unsure triples are one more than the plausible ones.",
    ),
    Claim(
        "pap.figure5b.implausible_leads",
        ["a-c-c"],
        "combinations with more implausible than plausible majorities, unsure ignored",
        "In this sense only; most of its triples are unsure.",
    ),
    Claim(
        "pap.figure5b.plausible_majority.count",
        4,
        "combinations with more than half plausible majorities",
        "The text says four and names three.",
    ),
    Claim(
        "pap.figure5b.plausible_majority.names",
        ["a-m-a", "m-a-a", "m-m-a"],
        "combinations with more than half plausible majorities",
        "The one the text leaves out is m-a-m.",
    ),
    Claim(
        "pap.figure5b.plausible_majority.exactly_half",
        None,
        "combinations with exactly half plausible majorities",
        "There plausible is the largest group as well.",
    ),
    Claim(
        "pap.figure5b.no_majority",
        0.8,
        "share of combinations in which unsure is the largest group",
        "80 % is a round figure for 21 of 27.",
        digits=1,
        about=True,
    ),
    Claim(
        "pap.figure5b.no_majority.with_ties",
        0.8,
        "share of combinations in which no group is larger than unsure",
        "80 % is a round figure for 22 of 27.",
        digits=1,
        about=True,
    ),
    Claim(
        "pap.figure5b.no_majority.above_half",
        0.8,
        "share of combinations with more than half unsure",
        "80 % is a round figure for 21 of 27.",
        digits=1,
        about=True,
    ),
)


def combinations(release: Release) -> list[Record]:
    """Return the records on Figure 5."""
    bars = _bars(release.events, release.sides)
    stricter = _bars(release.events, more_than(release))
    numbers: dict[str, Value] = {
        f"{FIGURES[condition]}.combination.{name}": dict(counts)
        for condition, each in bars.items()
        for name, counts in each.items()
    }
    numbers |= _attested(bars["attested"], stricter["attested"])
    return judge(CLAIMS, {**numbers, **_perturbed(bars["perturbed"])})


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
