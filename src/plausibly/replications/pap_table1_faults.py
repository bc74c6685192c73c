"""What is wrong with PAP Table 1, shown by computing the printed cells from the data.

The explanations are inferred from matching digits; the authors have not confirmed them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations

import polars as pl

from plausibly.analysis.events import CONSTITUENTS, UNDECIDED
from plausibly.replications.claims import Claim
from plausibly.replications.pap_release import CONDITIONS
from plausibly.replications.pap_table1_printed import CELLS, DIGITS, LEVELS, Shares
from plausibly.replications.record import Value, verdict_of

LETTERS = tuple(LEVELS.values())
EXCHANGED = {"subject": "verb", "verb": "subject", "object": "object"}
MAJORITY_CELLS = sum(column != UNDECIDED for _, column, _, _ in CELLS)

FAULTS = (
    Claim(
        "pap.table1.as_printed",
        36,
        "cells of the four majority columns that agree to 3 decimals under their printed names",
        "The cells that do not agree are in the rows of subjects and verbs.",
    ),
    Claim(
        "pap.table1.exchanged_rows",
        36,
        "cells of the four majority columns that agree once subjects and verbs are exchanged",
        "The printed rows of subjects hold verbs and those of verbs subjects.",
    ),
    Claim(
        "pap.table1.permutations.complete",
        None,
        "of the 36 ways to reorder places and levels, those that reproduce all 36 cells",
        "The exchange of subjects and verbs is the only reading that fits.",
    ),
    Claim(
        "pap.table1.permutations.next_best",
        None,
        "cells reproduced by the next best way to reorder places and levels",
        "No other reading comes near.",
    ),
    Claim(
        "pap.table1.published_rule",
        18,
        "cells of the two columns without a majority that agree under published_rule",
        "All printed cells follow from one faulty rule, inferred from the digits.",
    ),
    *(
        Claim(
            f"pap.table1.published_rule.denominator.{condition}",
            None,
            "constituents counted under published_rule, beside 3 x triples",
            "The printed fractions rest on too few constituents.",
        )
        for condition in CONDITIONS
    ),
    Claim(
        "pap.table1.reading",
        ["abstract verbs", "concrete objects", "concrete subjects"],
        "cells larger among implausible than among plausible majorities in both conditions",
        "The text should say concrete verbs and objects, and abstract subjects.",
    ),
)


def published_rule(
    events: pl.DataFrame, *, mid_range_exchanged: bool
) -> dict[tuple[str, str], float]:
    """Return the shares the two columns without a majority were printed with; they are wrong.

    Subjects and verbs are counted always and under each other's name, objects only where they
    have the subject's level, and the sum of what was counted is the whole. In the attested
    column the cells of mid-range verbs and mid-range objects are exchanged on top of it.

    Args:
        events: The triples of one column.
        mid_range_exchanged: Exchange the two mid-range cells, as in the attested column.
    """
    counted = _counted(events)
    total = sum(counted.values())
    if mid_range_exchanged:
        verbs, objects = ("verb", "m"), ("object", "m")
        counted[verbs], counted[objects] = counted[objects], counted[verbs]
    return {cell: count / total for cell, count in counted.items()} if total else {}


def _counted(events: pl.DataFrame) -> dict[tuple[str, str], int]:
    counted = {(place, letter): 0 for place in CONSTITUENTS for letter in LETTERS}
    for combination in events["combination"]:
        subject, verb, thing = combination.split("-")
        counted["verb", subject] += 1
        counted["subject", verb] += 1
        counted["object", thing] += thing == subject
    return counted


def faults(right: Shares, undecided: Mapping[str, pl.DataFrame]) -> dict[str, Value]:
    """Return the numbers that show what is wrong.

    Args:
        right: The right shares.
        undecided: By condition, the triples without a majority.
    """
    every = sorted(
        _matches(right, dict(zip(CONSTITUENTS, places, strict=True)), letters)
        for places in permutations(CONSTITUENTS)
        for letters in permutations(LETTERS)
    )
    same = dict(zip(CONSTITUENTS, CONSTITUENTS, strict=True))
    return {
        "pap.table1.as_printed": _matches(right, same, LETTERS),
        "pap.table1.exchanged_rows": _matches(right, EXCHANGED, LETTERS),
        "pap.table1.permutations.complete": every.count(MAJORITY_CELLS),
        "pap.table1.permutations.next_best": every[-2],
        "pap.table1.published_rule": sum(_follows_rule(undecided)),
        **{
            f"pap.table1.published_rule.denominator.{condition}": {
                "counted": sum(_counted(events).values()),
                "constituents": 3 * events.height,
            }
            for condition, events in undecided.items()
        },
        "pap.table1.reading": list(_rises(right)),
    }


def _matches(right: Shares, places: Mapping[str, str], letters: tuple[str, ...]) -> int:
    """Return how many cells of the majority columns agree after reordering places and levels."""
    level = dict(zip(LETTERS, letters, strict=True))
    return sum(
        _agrees(printed, right.get((condition, column, places[constituent], level[letter])))
        for (condition, column, constituent, letter), printed in CELLS.items()
        if column != UNDECIDED
    )


def _follows_rule(undecided: Mapping[str, pl.DataFrame]) -> Iterator[bool]:
    for condition, events in undecided.items():
        shares = published_rule(events, mid_range_exchanged=condition == "attested")
        for (constituent, letter), share in shares.items():
            yield _agrees(CELLS[condition, UNDECIDED, constituent, letter], share)


def _agrees(printed: float, share: float | None) -> bool:
    return verdict_of(printed, share, DIGITS) == "exact"


def _rises(right: Shares) -> Iterator[Value]:
    """Yield the cells with a larger share among implausible majorities in both conditions."""
    for level, letter in sorted(LEVELS.items()):
        for constituent in sorted(CONSTITUENTS):
            rises = [
                right.get((condition, "implausible", constituent, letter), 0.0)
                > right.get((condition, "plausible", constituent, letter), 0.0)
                for condition in CONDITIONS
            ]
            if all(rises):
                yield f"{level} {constituent}s"
