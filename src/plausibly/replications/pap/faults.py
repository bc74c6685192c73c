"""The faults of PAP Table 1, inferred from its digits.

The explanations are inferred from matching digits; the authors have not confirmed them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from operator import gt, lt

import polars as pl

from plausibly.analysis.events import CONSTITUENTS, UNDECIDED
from plausibly.replications.pap.release import CONDITIONS
from plausibly.replications.printed import Value

Shares = dict[str, float]  # "attested.plausible.subject.concrete" -> share of the column

LEVELS = {"concrete": "c", "mid-range": "m", "abstract": "a"}
NAMES = {letter: level for level, letter in LEVELS.items()}
HALF_A_DIGIT = 0.0005 + 1e-9
EXCHANGED = {"subject": "verb", "verb": "subject", "object": "object"}
MAJORITY_CELLS = 36


def inferred_rule(events: pl.DataFrame) -> Shares:
    """Return the shares that seem to be printed in the two columns without a majority.

    Subjects and verbs are always counted, under each other's name; objects only if they have the
    subject's level; the shares are of everything counted.
    """
    counted = counted_cells(events)
    total = sum(counted.values())
    return {cell: count / total for cell, count in counted.items()} if total else {}


def counted_cells(events: pl.DataFrame) -> dict[str, int]:
    """Return how often the inferred rule counts each constituent and level."""
    counted = {f"{place}.{level}": 0 for place in CONSTITUENTS for level in LEVELS}
    for combination in events["combination"]:
        subject, verb, thing = (NAMES[letter] for letter in combination.split("-"))
        counted[f"verb.{subject}"] += 1
        counted[f"subject.{verb}"] += 1
        counted[f"object.{thing}"] += thing == subject
    return counted


def faults(
    printed: Shares, right: Shares, undecided: Mapping[str, pl.DataFrame]
) -> dict[str, Value]:
    """Return the numbers that show the faults."""
    every = sorted(
        _matches(printed, right, dict(zip(CONSTITUENTS, places, strict=True)), levels)
        for places in permutations(CONSTITUENTS)
        for levels in permutations(LEVELS)
    )
    same = {place: place for place in CONSTITUENTS}
    return {
        "pap.table1.as_printed": _matches(printed, right, same, tuple(LEVELS)),
        "pap.table1.exchanged_rows": _matches(printed, right, EXCHANGED, tuple(LEVELS)),
        "pap.table1.permutations.complete": every.count(MAJORITY_CELLS),
        "pap.table1.permutations.next_best": every[-2],
        **_rule(printed, undecided),
        "pap.table1.reading": list(_moving(right, CONDITIONS, rising=True)),
        **_falls("data", right, CONDITIONS),
        **_falls("printed", printed, CONDITIONS),
        **_falls("attested", printed, CONDITIONS[:1]),
    }


def _matches(
    printed: Shares, right: Shares, places: Mapping[str, str], levels: tuple[str, ...]
) -> int:
    """Return how many cells of the majority columns agree after reordering places and levels."""
    level_of = dict(zip(LEVELS, levels, strict=True))
    matches = 0
    for cell, share in printed.items():
        condition, column, place, level = cell.split(".")
        other = right.get(f"{condition}.{column}.{places[place]}.{level_of[level]}")
        matches += column != UNDECIDED and _agrees(share, other)
    return matches


def _rule(printed: Shares, undecided: Mapping[str, pl.DataFrame]) -> dict[str, Value]:
    """Return how many printed cells the inferred rule reproduces, and which it does not."""
    missed: list[Value] = []
    cells = 0
    for condition, events in undecided.items():
        for cell, share in inferred_rule(events).items():
            name = f"{condition}.{UNDECIDED}.{cell}"
            cells += 1
            if not _agrees(printed[name], share):
                missed.append(name)
    return {
        "pap.table1.published_rule": cells - len(missed),
        "pap.table1.published_rule.missed": missed,
        **{
            f"pap.table1.published_rule.denominator.{condition}": {
                "counted": sum(counted_cells(events).values()),
                "constituents": 3 * events.height,
            }
            for condition, events in undecided.items()
        },
    }


def _agrees(printed: float, share: float | None) -> bool:
    return share is not None and abs(printed - share) <= HALF_A_DIGIT


def _falls(name: str, shares: Shares, conditions: Sequence[str]) -> dict[str, Value]:
    """Return what falls in each of the conditions, verbs and nouns separately."""
    falling = list(_moving(shares, conditions, rising=False))
    verbs = [one for one in falling if str(one).endswith("verbs")]
    return {
        f"pap.table1.falls.{name}.verbs": verbs,
        f"pap.table1.falls.{name}.nouns": [one for one in falling if one not in verbs],
    }


def _moving(shares: Shares, conditions: Sequence[str], *, rising: bool) -> Iterator[Value]:
    """Yield what is larger (or smaller) among implausible majorities in each condition."""
    moved = gt if rising else lt
    for level in sorted(LEVELS):
        for place in sorted(CONSTITUENTS):
            each = [
                moved(
                    shares.get(f"{condition}.implausible.{place}.{level}", 0.0),
                    shares.get(f"{condition}.plausible.{place}.{level}", 0.0),
                )
                for condition in conditions
            ]
            if all(each):
                yield f"{level} {place}s"
