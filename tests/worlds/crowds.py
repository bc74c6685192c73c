"""Small crowds written inline: what each person answered, and which items there are."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from plausibly.cleaning import Context
from plausibly.domain import as_number
from plausibly.measures.jaccard import parse_sides
from plausibly.tables import ANNOTATORS, ITEMS, RATINGS

SIDES = parse_sides("1,2|4,5")


def answers_of(
    people: Mapping[str, Mapping[str, str]], *, question: str = "plausible"
) -> pl.DataFrame:
    """Return the ratings: from person to item to answer."""
    rows = [
        {
            "item": item,
            "annotator": person,
            "question": question,
            "answer": answer,
            "value": as_number(answer),
        }
        for person, given in people.items()
        for item, answer in given.items()
    ]
    return RATINGS.check(pl.DataFrame(rows, schema={**RATINGS.schema}))


def items_of(**kinds: str) -> pl.DataFrame:
    """Return items: `t1="attested"`, `c1="check:plausible"`, `g1="gold:2"`."""
    rows = []
    for item, told in kinds.items():
        kind, colon, expected = told.partition(":")
        rows.append(
            {
                "item": item,
                "text": f"text of {item}",
                "condition": None if colon else (told or None),
                "kind": kind if colon else "item",
                "expected": expected if colon else None,
            }
        )
    return ITEMS.check(pl.DataFrame(rows, schema={**ITEMS.schema}))


def attested(count: int) -> dict[str, str]:
    """Return `count` attested items, t0, t1, …"""
    return {f"t{number}": "attested" for number in range(count)}


def approvals(**people: float | None) -> pl.DataFrame:
    """Return an annotators table with the approval of each person."""
    return ANNOTATORS.check(
        pl.DataFrame(
            {"annotator": list(people), "approval": list(people.values())},
            schema={"annotator": pl.String, "approval": pl.Float64},
        )
    )


def context(items: pl.DataFrame, annotators: pl.DataFrame | None = None) -> Context:
    """Return a context with the sides of PAP."""
    return Context(items=items, annotators=annotators, sides=SIDES)
