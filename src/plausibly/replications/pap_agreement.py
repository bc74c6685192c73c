"""PAP section 4.3: agreement, which needs to know who gave a rating, and what comes near it."""

from __future__ import annotations

import polars as pl

from plausibly.analysis.events import side_agreement
from plausibly.datasets.pap import BINARY
from plausibly.replications.claims import Claim, judge
from plausibly.replications.pap_release import CONDITIONS, Release
from plausibly.replications.record import Record, Value

PAIRS = "pairs of ratings of a triple on the same side / all pairs of ratings of a triple"
INSTEAD = "Not the published measure: it pairs ratings, not people."

CLAIMS = (
    Claim(
        "pap.iaa.soft_jaccard",
        0.64,
        "mean over pairs of annotators of the share of shared triples rated on the same side",
        "The release does not say who gave a rating; see pap.iaa.same_side for what comes near.",
    ),
    Claim("pap.iaa.same_side", None, f"{PAIRS}, pooled", INSTEAD),
    Claim("pap.iaa.same_side.mean_over_triples", None, f"mean over triples of {PAIRS}", INSTEAD),
    *(
        Claim(f"pap.iaa.same_side.{name}", None, f"mean over {name} triples of {PAIRS}", INSTEAD)
        for name in CONDITIONS
    ),
)


def agreement(release: Release) -> list[Record]:
    """Return the records on agreement."""
    pairs = side_agreement(release.ratings, scheme=BINARY).join(
        release.events.select("item", "condition"), on="item"
    )
    numbers: dict[str, Value] = {
        "pap.iaa.same_side": int(pairs["same"].sum()) / max(int(pairs["pairs"].sum()), 1),
        "pap.iaa.same_side.mean_over_triples": _mean(pairs),
    }
    for name in CONDITIONS:
        numbers[f"pap.iaa.same_side.{name}"] = _mean(pairs.filter(pl.col("condition") == name))
    return judge(CLAIMS, numbers)


def _mean(pairs: pl.DataFrame) -> float | None:
    shares = pairs["share"].drop_nulls().to_list()
    return sum(shares) / len(shares) if shares else None
