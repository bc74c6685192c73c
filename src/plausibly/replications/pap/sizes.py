"""PAP sections 4.3 and 5.1: how many triples and ratings there are, and of which kind."""

from __future__ import annotations

import polars as pl

from plausibly.analysis.events import CONSTITUENTS
from plausibly.datasets.pap import MIN_RATINGS
from plausibly.replications.claims import Claims
from plausibly.replications.pap.release import CONDITIONS, PapRelease
from plausibly.replications.printed import Value

# Section 3: 40 triples for each of 27 combinations, attested and perturbed.
SAMPLED = 2160
COMBINATIONS = 27
SECOND_ROUND = 5  # ratings collected anew for each triple that had too few


def sizes(release: PapRelease, claims: Claims) -> dict[str, Value]:
    """Return the numbers of triples and ratings, and what the printed design adds up to."""
    return {
        **_design(claims),
        **_triples(release),
        **_ratings(release),
        **_smallest(release, claims),
        **_examples(release, claims),
    }


def _design(claims: Claims) -> dict[str, Value]:
    """Return what follows from printed numbers alone."""
    drawn, each, again = (
        int(claims.number(f"pap.design.{name}")) for name in ("per_combination", "ratings", "again")
    )
    sampled = 2 * COMBINATIONS * drawn
    return {
        "pap.design.sampled": sampled,
        "pap.design.sampled.attested": sampled // 2,
        "pap.design.sampled.perturbed": sampled // 2,
        "pap.design.ratings.raw": each * sampled + SECOND_ROUND * again,
    }


def _triples(release: PapRelease) -> dict[str, Value]:
    events, counts = release.events, release.events["ratings"]
    per_triple = counts.value_counts().sort("ratings").rows()
    return {
        "pap.triples.total": events.height,
        **{f"pap.triples.{name}": release.of(name).height for name in CONDITIONS},
        "pap.triples.distinct": events["item"].n_unique(),
        "pap.triples.share_kept": events.height / SAMPLED,
        "pap.ratings_per_triple.minimum": min(counts),
        "pap.ratings_per_triple.maximum": max(counts),
        "pap.ratings_per_triple.at_least_8": int((counts >= MIN_RATINGS).sum()),
        "pap.ratings_per_triple.more_than_8": int((counts > MIN_RATINGS).sum()),
        "pap.ratings_per_triple.counts": {str(number): triples for number, triples in per_triple},
        "pap.mean_ratings": release.ratings.height / events.height,
        **{f"pap.words.{name}s": release.of("attested")[name].n_unique() for name in CONSTITUENTS},
    }


def _ratings(release: PapRelease) -> dict[str, Value]:
    pooled = [_share(release.of(condition)) for condition in CONDITIONS]
    shares = release.events.select((pl.col("plausible") / pl.col("ratings")).alias("share"))
    return {
        "pap.ratings.total": release.ratings.height,
        "pap.ratings.plausible": int(release.events["plausible"].sum()),
        "pap.ratings.share_plausible": _share(release.events),
        "pap.ratings.share_plausible.mean_over_triples": sum(shares["share"]) / shares.height,
        "pap.ratings.share_plausible.mean_of_conditions": sum(pooled) / len(pooled),
    }


def _share(events: pl.DataFrame) -> float:
    return int(events["plausible"].sum()) / max(int(events["ratings"].sum()), 1)


def _smallest(release: PapRelease, claims: Claims) -> dict[str, Value]:
    numbers: dict[str, Value] = {}
    for condition in CONDITIONS:
        events = release.of(condition)
        triples: dict[str, int] = dict(events["combination"].value_counts().rows())
        fewest = min(triples.values(), default=0)
        names: list[Value] = [name for name in sorted(triples) if triples[name] == fewest]
        smallest = "pap.combination.smallest"
        numbers[f"pap.combination.mean.{condition}"] = events.height / COMBINATIONS
        numbers[f"{smallest}.size.{condition}"] = fewest
        numbers[f"{smallest}.names.{condition}"] = names
        printed = claims.printed(f"{smallest}.names.{condition}")
        named = str(printed[0]) if isinstance(printed, list) else ""
        numbers[f"{smallest}.printed_name.{condition}"] = triples.get(named, 0)
    return numbers


def _examples(release: PapRelease, claims: Claims) -> dict[str, Value]:
    """Return whether each printed example is attested or perturbed; None if it is not there."""
    conditions = dict(release.events.select("item", "condition").iter_rows())
    return {
        f"pap.figure1.{name}": conditions.get(name.replace("-", " "))
        for name in claims.under("pap.figure1")
    }
