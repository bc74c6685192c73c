"""SP-10K Tables 2, 8, 10 and 11: the printed example pairs."""

from __future__ import annotations

import polars as pl

from plausibly.evaluation.sp10k import plausibility_group
from plausibly.replications.claims import Claims
from plausibly.replications.printed import Value
from plausibly.replications.sp10k.release import Sp10kRelease

HALVES = ("frequent", "frequent", "random", "random")
HALF_A_DIGIT = 0.005
EXAMPLES = ["group", "relation", "head", "dependent", "printed"]


def tables(release: Sp10kRelease, claims: Claims) -> dict[str, Value]:
    """Return the scores of printed examples, and the half of a head's block they are in."""
    rows = [
        (*name.replace("-", ".").split("."), score)
        for name, score in claims.numbers("sp10k.examples").items()
        if name.count(".") == 2
    ]
    scored = pl.DataFrame(rows, schema=EXAMPLES, orient="row").join(
        release.pairs, on=["relation", "head", "dependent"]
    )
    numbers: dict[str, Value] = {
        f"sp10k.examples.{group}.{relation}.{head}-{dependent}": score
        for group, relation, head, dependent, score in scored.select(
            *EXAMPLES[:4], "score"
        ).iter_rows()
    }
    numbers |= _halves(release, claims)
    if not release.missing:
        apart = (pl.col("score") - pl.col("printed")).abs()
        numbers["sp10k.examples.agree"] = scored.filter(apart < HALF_A_DIGIT).height
        numbers["sp10k.examples.in_group"] = scored.filter(
            plausibility_group(pl.col("score")) == pl.col("group")
        ).height
    return numbers


def _halves(release: Sp10kRelease, claims: Claims) -> dict[str, Value]:
    """Return the half of a head's block in which each example of Table 2 stands."""
    slots = {
        f"{relation}.{head}-{dependent}": HALVES[slot]
        for relation, head, dependent, slot in release.pairs.select(
            "relation", "head", "dependent", "slot"
        ).iter_rows()
    }
    printed = claims.under("sp10k.table2")
    numbers: dict[str, Value] = {
        f"sp10k.table2.{name}": slots.get(name) for name in printed if name != "in_place"
    }
    if not release.missing:
        numbers["sp10k.table2.in_place"] = sum(
            slots.get(name) == half for name, half in printed.items()
        )
    return numbers
