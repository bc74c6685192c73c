"""PAP section 4.3: agreement, which needs to know who gave a rating, and what comes near it."""

from __future__ import annotations

import polars as pl

from plausibly.analysis.events import side_agreement
from plausibly.datasets.pap import BINARY
from plausibly.replications.claims import Claims
from plausibly.replications.pap.release import CONDITIONS, PapRelease
from plausibly.replications.printed import Value


def agreement(release: PapRelease, claims: Claims) -> dict[str, Value]:
    """Return how often two ratings of a triple are on the same side."""
    del claims
    pairs = side_agreement(release.ratings, scheme=BINARY).join(
        release.events.select("item", "condition"), on="item"
    )
    numbers: dict[str, Value] = {
        "pap.iaa.same_side": int(pairs["same"].sum()) / max(int(pairs["pairs"].sum()), 1),
        "pap.iaa.same_side.mean_over_triples": _mean(pairs),
    }
    for name in CONDITIONS:
        numbers[f"pap.iaa.same_side.{name}"] = _mean(pairs.filter(pl.col("condition") == name))
    return numbers


def _mean(pairs: pl.DataFrame) -> float | None:
    shares = pairs["share"].drop_nulls().to_list()
    return sum(shares) / len(shares) if shares else None
