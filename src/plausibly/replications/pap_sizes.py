"""PAP sections 4.3 and 5.1: how many triples and ratings there are, and of which kind."""

from __future__ import annotations

import polars as pl

from plausibly.datasets.pap import MIN_RATINGS
from plausibly.replications.claims import Claim, judge
from plausibly.replications.pap_release import CONDITIONS, Release
from plausibly.replications.record import Record, Value

# Section 3: 40 triples for each of 27 combinations, attested and perturbed.
SAMPLED = 2160
COMBINATIONS = 27
PRINTED_SHARE = 0.6898
PRINTED_RATINGS = 15571
FEWEST = {"attested": "a-a-m", "perturbed": "m-c-c"}

CLAIMS = (
    Claim("pap.triples.total", 1733, "rows of the release", "One row is one triple."),
    Claim(
        "pap.triples.attested", None, "rows labelled plausible", "The paper prints the sum only."
    ),
    Claim(
        "pap.triples.perturbed", None, "rows labelled implausible", "The paper prints the sum only."
    ),
    Claim("pap.triples.distinct", 1733, "distinct events", "A triple is its three words."),
    Claim(
        "pap.triples.share_kept",
        0.80,
        "triples / 2,160 sampled",
        "40 triples were sampled for each of 27 combinations and two conditions.",
        digits=2,
    ),
    Claim(
        "pap.ratings.total", 15571, "ratings of all triples", "The lists of all triples together."
    ),
    Claim(
        "pap.ratings.plausible",
        round(PRINTED_SHARE * PRINTED_RATINGS),
        "ratings of 4 or 5, pooled",
        "The printed 68.98 % of 15,571 ratings would be nine ratings fewer than there are.",
    ),
    Claim(
        "pap.ratings.share_plausible",
        PRINTED_SHARE,
        "ratings of 4 or 5 / all ratings, pooled",
        "No way of averaging that was tried gives the printed 68.98 %.",
        digits=4,
    ),
    Claim(
        "pap.ratings.share_plausible.mean_over_triples",
        PRINTED_SHARE,
        "mean over triples of the share of ratings of 4 or 5",
        "Averaging over triples does not give the printed share either.",
        digits=4,
    ),
    Claim(
        "pap.ratings.share_plausible.mean_of_conditions",
        PRINTED_SHARE,
        "mean of the two conditions' pooled shares",
        "Averaging over the two conditions does not give the printed share either.",
        digits=4,
    ),
    Claim(
        "pap.ratings_per_triple.minimum",
        8,
        "fewest ratings of a triple",
        "Section 4.3 says between 8 and 12.",
    ),
    Claim(
        "pap.ratings_per_triple.maximum",
        12,
        "most ratings of a triple",
        "Section 4.3 says between 8 and 12.",
    ),
    Claim(
        "pap.ratings_per_triple.at_least_8",
        1733,
        "triples with 8 ratings or more",
        "Section 4.2 keeps triples with at least 8 ratings.",
    ),
    Claim(
        "pap.ratings_per_triple.more_than_8",
        1733,
        "triples with more than 8 ratings",
        "The caption of Table 3 says more than 8, which leaves out every triple with exactly 8.",
    ),
    Claim(
        "pap.ratings_per_triple.counts",
        None,
        "triples by number of ratings",
        "The paper prints the range and the mean only.",
    ),
    Claim(
        "pap.mean_ratings",
        8.9,
        "ratings / triples",
        "Cut after one decimal; rounded it is 9.0.",
        digits=1,
    ),
    *(
        Claim(
            f"pap.combination.mean.{condition}",
            32,
            "triples / 27 combinations",
            "Section 4.3 gives 32 for both conditions.",
            digits=0,
        )
        for condition in CONDITIONS
    ),
    *(
        Claim(
            f"pap.combination.smallest.size.{condition}",
            27,
            "fewest triples of a combination",
            "Section 4.3 gives 27 for both conditions, at combinations that have more.",
        )
        for condition in CONDITIONS
    ),
    *(
        Claim(
            f"pap.combination.smallest.names.{condition}",
            [printed],
            "combinations with the fewest triples, subject-verb-object",
            "No reordering of positions turns the smallest combinations into the printed ones.",
        )
        for condition, printed in FEWEST.items()
    ),
    *(
        Claim(
            f"pap.combination.smallest.printed_name.{condition}",
            27,
            f"triples of {printed}",
            "The combination named as the smallest has more triples than the smallest.",
        )
        for condition, printed in FEWEST.items()
    ),
)


def sizes(release: Release) -> list[Record]:
    """Return the records on the number of triples and ratings."""
    return judge(CLAIMS, {**_triples(release), **_ratings(release), **_smallest(release)})


def _triples(release: Release) -> dict[str, Value]:
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
    }


def _ratings(release: Release) -> dict[str, Value]:
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


def _smallest(release: Release) -> dict[str, Value]:
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
        numbers[f"{smallest}.printed_name.{condition}"] = triples.get(FEWEST[condition], 0)
    return numbers
