"""PAP section 5.2: which majorities abstract and concrete triples get."""

from __future__ import annotations

import polars as pl

from plausibly.replications.claims import Claims
from plausibly.replications.pap.faults import LEVELS
from plausibly.replications.pap.release import CONDITIONS, PapRelease
from plausibly.replications.printed import Value

SIDES = ("plausible", "implausible")
KINDS = {"abstract": "a", "concrete": "c"}
MOSTLY = 2  # of three words
EXAMPLES = ("a-a-a", "m-a-a")


def abstractness(release: PapRelease, claims: Claims) -> dict[str, Value]:
    """Return what the section concludes about levels of words, from the data."""
    del claims
    numbers: dict[str, Value] = {}
    for condition in CONDITIONS:
        events = release.of(condition)
        for side in SIDES:
            shares = {kind: _share(_mostly(events, kind), side) for kind in KINDS}
            numbers[f"pap.abstractness.{side}.{condition}"] = max(shares, key=lambda k: shares[k])
            numbers[f"pap.abstractness.{side}.{condition}.shares"] = {**shares}
    levels = _levels(release.of("perturbed").filter(pl.col("side") == "plausible"))
    numbers["pap.levels.perturbed.plausible"] = [*sorted(n for n, s in levels.items() if s > 1 / 3)]
    numbers["pap.levels.perturbed.plausible.shares"] = {**levels}
    return {**numbers, **_examples(release.of("attested"))}


def _mostly(events: pl.DataFrame, kind: str) -> pl.DataFrame:
    words = pl.col("combination").str.count_matches(KINDS[kind])
    return events.filter(words >= MOSTLY)


def _share(events: pl.DataFrame, side: str) -> float:
    return events.filter(pl.col("side") == side).height / max(events.height, 1)


def _levels(events: pl.DataFrame) -> dict[str, float]:
    """Return the share of words of each level, at whatever place."""
    words = 3 * max(events.height, 1)
    return {
        level: int(events["combination"].str.count_matches(letter).sum()) / words
        for level, letter in LEVELS.items()
    }


def _examples(events: pl.DataFrame) -> dict[str, Value]:
    """Return which of the named combinations have more plausible majorities than the mean one."""
    shares = events.group_by("combination").agg(
        share=(pl.col("side") == "plausible").cast(pl.Float64).mean()
    )
    above = shares.filter(pl.col("share") > pl.col("share").mean())["combination"].to_list()
    return {"pap.figure5a.higher": [name for name in EXAMPLES if name in above]}
