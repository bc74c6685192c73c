"""PAP Table 1: strict majorities, and which constituents the triples behind them have.

The records give the right computation. The printed table differs from it in two ways, which
`pap_table1_faults` reproduces: the rows of subjects and verbs are exchanged throughout, and the
two columns without a majority follow another rule than the rest.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from plausibly.analysis.events import UNDECIDED, constituent_proportions, label_shares
from plausibly.replications.claims import Claim, judge
from plausibly.replications.pap_release import CONDITIONS, Release, more_than
from plausibly.replications.pap_table1_faults import FAULTS, faults
from plausibly.replications.pap_table1_printed import CELLS, COUNTS, DIGITS, HEADS, LEVELS, Shares
from plausibly.replications.record import Record, Value

COUNT_RULE = (
    "at least 70 % of all ratings in {4, 5}: plausible; in {1, 2}: implausible; else unsure"
)
SHARE_RULE = "constituents of that level at that place / (3 x triples of the column)"
NAMES = {letter: level for level, letter in LEVELS.items()}


def _claims() -> Iterator[Claim]:
    for head, triples in COUNTS.items():
        yield Claim(
            f"pap.table1.count.{'.'.join(head)}",
            triples,
            COUNT_RULE,
            "Exactly 70 % is a majority; all ratings of the triple are the whole.",
        )
    yield Claim(
        "pap.table1.count.on_the_boundary",
        None,
        "triples with exactly 70 % of their ratings on one side",
        "They decide between 'at least' and 'more than' 70 %.",
    )
    yield Claim(
        "pap.table1.count.more_than",
        None,
        "the six counts with more than 70 % instead of at least 70 %",
        "Read this way, the printed counts do not come out.",
    )
    for (condition, column, constituent, letter), share in CELLS.items():
        yield Claim(
            f"pap.table1.proportion.{condition}.{column}.{constituent}.{NAMES[letter]}",
            share,
            SHARE_RULE,
            _note(column, constituent),
            digits=DIGITS,
        )


def _note(column: str, constituent: str) -> str:
    if column == UNDECIDED:
        return "Printed after another rule than the rest, see pap.table1.published_rule."
    if constituent == "object":
        return "A fraction, although the table is headed percent."
    return "The rows of subjects and verbs are exchanged, see pap.table1.exchanged_rows."


CLAIMS = tuple(_claims())


def table1(release: Release) -> list[Record]:
    """Return the records on Table 1."""
    right = _right(release.events)
    undecided = {name: _undecided(release.of(name)) for name in CONDITIONS}
    shares: dict[str, Value] = {
        f"pap.table1.proportion.{condition}.{column}.{constituent}.{NAMES[letter]}": right.get(
            (condition, column, constituent, letter)
        )
        for condition, column, constituent, letter in CELLS
    }
    records = judge(CLAIMS, {**_counts(release), **shares})
    return [*records, *judge(FAULTS, faults(right, undecided))]


def _undecided(events: pl.DataFrame) -> pl.DataFrame:
    return events.filter(pl.col("side") == UNDECIDED)


def _right(events: pl.DataFrame) -> Shares:
    shares = constituent_proportions(events, by=["condition", "side"])
    cells = shares.select("condition", "side", "constituent", "level", "share").rows()
    return {
        (condition, side, name, letter): share for condition, side, name, letter, share in cells
    }


def _counts(release: Release) -> dict[str, Value]:
    most = pl.max_horizontal("plausible", "implausible")
    boundary = release.events.filter(10 * most == 7 * pl.col("ratings"))
    counts = _heads(release.events, release.sides)
    return {
        **{f"pap.table1.count.{head}": triples for head, triples in counts.items()},
        "pap.table1.count.on_the_boundary": boundary.height,
        "pap.table1.count.more_than": dict(_heads(release.events, more_than(release))),
    }


def _heads(events: pl.DataFrame, labels: pl.DataFrame) -> dict[str, int]:
    """Return the number of triples under each head of the table."""
    triples = {".".join(head): 0 for head in HEADS}
    shares = label_shares(events, labels, by=["condition"])
    for condition, side, number in shares.select("condition", "label", "items").iter_rows():
        triples[f"{condition}.{side}"] = number
    return triples
