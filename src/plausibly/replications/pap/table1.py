"""PAP Table 1: strict majorities, and which constituents the triples behind them have.

The numbers are the right ones. The printed table differs from them in two ways, which `faults`
looks into: the rows of subjects and verbs are exchanged throughout, and the two columns without a
majority follow another rule than the rest.
"""

from __future__ import annotations

import polars as pl

from plausibly.analysis.events import UNDECIDED, constituent_proportions, label_shares
from plausibly.replications.claims import Claims
from plausibly.replications.grim import by_chance, passed, resolves
from plausibly.replications.pap.faults import LEVELS, Shares, faults
from plausibly.replications.pap.release import COLUMNS, CONDITIONS, PapRelease, more_than
from plausibly.replications.printed import Value

HEADS = tuple(f"{condition}.{column}" for condition in CONDITIONS for column in COLUMNS)
UNIT = 0.001


def table1(release: PapRelease, claims: Claims) -> dict[str, Value]:
    """Return the numbers of Table 1."""
    right = _right(release.events)
    printed = claims.numbers("pap.table1.proportion")
    undecided = {name: release.of(name).filter(pl.col("side") == UNDECIDED) for name in CONDITIONS}
    shares: dict[str, Value] = {
        f"pap.table1.proportion.{cell}": right.get(cell) for cell in printed
    }
    return {
        **_counts(release),
        **shares,
        **faults(printed, right, undecided),
        **_consistency(printed, claims),
    }


def _right(events: pl.DataFrame) -> Shares:
    names = {letter: level for level, letter in LEVELS.items()}
    shares = constituent_proportions(events, by=["condition", "side"])
    cells = shares.select("condition", "side", "constituent", "level", "share").rows()
    return {
        f"{condition}.{side}.{name}.{names[letter]}": share
        for condition, side, name, letter, share in cells
    }


def _counts(release: PapRelease) -> dict[str, Value]:
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
    triples = dict.fromkeys(HEADS, 0)
    shares = label_shares(events, labels, by=["condition"])
    for condition, side, number in shares.select("condition", "label", "items").iter_rows():
        triples[f"{condition}.{side}"] = number
    return triples


def _consistency(printed: Shares, claims: Claims) -> dict[str, Value]:
    """Return what the printed cells say about themselves: column sums, and GRIM."""
    whole = sum(printed.values()) / len(HEADS)
    numbers: dict[str, Value] = {"pap.table1.unit": "fraction" if whole < 2 else "percent"}
    for head in HEADS:
        column = [share for cell, share in printed.items() if cell.startswith(f"{head}.")]
        numbers[f"pap.table1.sums.{head}"] = round(sum(column), 3)
        n = 3 * int(claims.number(f"pap.table1.count.{head}"))
        if resolves(n, unit=UNIT):
            numbers[f"pap.table1.grim.{head}"] = {
                "cells": len(column),
                "achievable": passed(((share, n) for share in column), unit=UNIT),
                "of": n,
                "by_chance": round(by_chance(n, unit=UNIT), 3),
            }
    return numbers
