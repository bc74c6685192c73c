"""SP-10K sections 1, 2 and 3: pairs, heads, vocabulary, scores and groups."""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose

import polars as pl

from plausibly.datasets.sp10k import PER_HEAD, RELATIONS, VERB_RELATIONS
from plausibly.evaluation.sp10k import GROUPS, plausibility_group
from plausibly.replications.claims import Claim, judge
from plausibly.replications.record import Record, Value
from plausibly.replications.sp10k_release import Release

NOUN_DEPENDENTS = ("dobj", "nsubj")
ADJECTIVE_DEPENDENTS = ("amod", "dobj_amod", "nsubj_amod")
HALVES = {"frequent": (0, 1), "random": (2, 3)}
# How many ratings a mean may come from, the commonest first.
RATERS = (10, 9, 8, 11, 12)
SOME_MISSING = "A relation it needs is not in the data folder."
NOT_PRINTED = "Not printed in the paper; it follows from the released scores."


def _sizes() -> Iterator[Claim]:
    yield Claim("sp10k.relations", 5, "relation files", "All relations are there.")
    yield Claim("sp10k.pairs.total", 10000, "rows of the five files", "All pairs are there.")
    yield Claim("sp10k.pairs.distinct", 10000, "distinct pairs", "No pair stands twice.")
    for relation in RELATIONS:
        yield Claim(f"sp10k.pairs.{relation}", 2000, "rows of the file", "As printed.")
        yield Claim(f"sp10k.heads.{relation}", 500, "distinct heads", "As printed.")
        yield Claim(
            f"sp10k.dependents_per_head.{relation}",
            PER_HEAD,
            "pairs of a head, in consecutive rows",
            "Every head has four consecutive rows, the frequent half first.",
        )
    yield Claim(
        "sp10k.heads.shared_verbs",
        None,
        "heads the four verb relations share",
        "The four verb relations have the same 500 verbs.",
    )


def _vocabulary() -> Iterator[Claim]:
    yield Claim(
        "sp10k.vocabulary.verbs", 500, "distinct heads of the verb relations", "As printed."
    )
    more = "The release uses more words than the paper counts, and no half or relation gives it."
    yield Claim(
        "sp10k.vocabulary.nouns", 1343, "distinct dependents of dobj, nsubj and heads of amod", more
    )
    yield Claim(
        "sp10k.vocabulary.adjectives", 657, "distinct dependents of the three amod relations", more
    )
    yield Claim("sp10k.vocabulary.words", 2500, "verbs, nouns and adjectives added up", more)
    yield Claim(
        "sp10k.vocabulary.distinct_strings",
        None,
        "distinct strings over all words",
        "Some strings are a noun and a verb or an adjective.",
    )


def _scores() -> Iterator[Claim]:
    yield Claim("sp10k.score.minimum", 0, "lowest score", "As the scale says.")
    yield Claim("sp10k.score.maximum", 10, "highest score", "As the scale says.")
    for relation in RELATIONS:
        yield Claim(f"sp10k.score.mean.{relation}", None, "mean score", NOT_PRINTED)
        for half in HALVES:
            yield Claim(
                f"sp10k.score.mean.{relation}.{half}", None, f"mean score, {half} half", NOT_PRINTED
            )
        yield Claim(
            f"sp10k.ratings_per_pair.{relation}",
            None,
            "pairs by the first of 10, 9, 8, 11 and 12 ratings whose mean the score can be",
            "At least 11 annotators were invited, about 10 ratings a pair were kept.",
        )
    yield Claim(
        "sp10k.ratings.total",
        130575,
        "ratings collected",
        "The single ratings are not released; the scores come from about 10 ratings a pair.",
    )
    yield Claim("sp10k.annotators", 125, "annotators", "The release says nothing about annotators.")


def _groups() -> Iterator[Claim]:
    for group in GROUPS:
        yield Claim(
            f"sp10k.groups.all.{group}",
            None,
            f"scores from {GROUPS[group]:g} on, below the next group",
            "The text we have does not print the sizes; Table 7, by group, is lost from it.",
        )
    for relation in RELATIONS:
        yield Claim(
            f"sp10k.groups.{relation}", None, "pairs by group, lower bound included", NOT_PRINTED
        )
    yield Claim(
        "sp10k.groups.upper_inclusive",
        None,
        "pairs by group if the upper bound were included",
        "Tables 10 and 11 print 4.00 as Normal and 2.00 as Unusual, so this is not the rule.",
    )
    yield Claim(
        "sp10k.groups.on_bounds",
        None,
        "pairs whose score is 2, 4, 6 or 8",
        "One pair in ten lies on a bound, so the rule matters.",
    )


CLAIMS = (*_sizes(), *_vocabulary(), *_scores(), *_groups())


def pairs(release: Release) -> list[Record]:
    """Return the records on pairs, words, scores and groups."""
    numbers: dict[str, Value] = {"sp10k.relations": len(RELATIONS) - len(release.missing)}
    for relation in RELATIONS:
        if release.has(relation):
            numbers |= _of_relation(release.of(relation), relation)
    if release.has(*VERB_RELATIONS):
        numbers |= _of_verbs(release)
    if not release.missing:
        numbers |= _of_all(release)
    return judge(CLAIMS, numbers, missing=SOME_MISSING if release.missing else None)


def _of_relation(own: pl.DataFrame, relation: str) -> dict[str, Value]:
    blocks = own.with_columns(block=pl.int_range(pl.len()) // PER_HEAD).group_by("block")
    heads = blocks.agg(pl.col("head").n_unique(), size=pl.len())
    whole = heads.height == own["head"].n_unique() and heads["head"].max() == 1
    sizes = heads["size"].unique().to_list() if whole else []
    halves = {
        half: own.filter(pl.col("slot").is_in(slots))["score"] for half, slots in HALVES.items()
    }
    return {
        f"sp10k.pairs.{relation}": own.height,
        f"sp10k.heads.{relation}": own["head"].n_unique(),
        f"sp10k.dependents_per_head.{relation}": sizes[0] if len(sizes) == 1 else 0,
        f"sp10k.score.mean.{relation}": _mean(own["score"]),
        **{f"sp10k.score.mean.{relation}.{half}": _mean(scores) for half, scores in halves.items()},
        f"sp10k.ratings_per_pair.{relation}": _raters(own["score"].to_list()),
        f"sp10k.groups.{relation}": _sizes_of_groups(own),
    }


def _mean(scores: pl.Series) -> float:
    return float(scores.sum()) / scores.len()


def _raters(scores: list[float]) -> dict[str, Value]:
    """Return how many scores each number of ratings explains."""
    counts = dict.fromkeys(RATERS, 0)
    for score in scores:
        mean = score / 2.5 + 1
        fitting = [n for n in RATERS if isclose(mean * n, round(mean * n), abs_tol=1e-6)]
        if fitting:
            counts[fitting[0]] += 1
    return {str(n): count for n, count in counts.items() if count}


def _sizes_of_groups(own: pl.DataFrame, *, upper_inclusive: bool = False) -> dict[str, Value]:
    group = plausibility_group(pl.col("score"), upper_inclusive=upper_inclusive)
    counts = dict(own.select(group.alias("group"))["group"].value_counts().rows())
    return {name: int(counts.get(name, 0)) for name in GROUPS}


def _of_verbs(release: Release) -> dict[str, Value]:
    heads = [set(release.of(relation)["head"]) for relation in VERB_RELATIONS]
    return {
        "sp10k.heads.shared_verbs": len(set.intersection(*heads)),
        "sp10k.vocabulary.verbs": len(set.union(*heads)),
    }


def _of_all(release: Release) -> dict[str, Value]:
    table = release.pairs
    nouns = {*release.of(*NOUN_DEPENDENTS)["dependent"], *release.of("amod")["head"]}
    adjectives = set(release.of(*ADJECTIVE_DEPENDENTS)["dependent"])
    verbs = set(release.of(*VERB_RELATIONS)["head"])
    groups = _sizes_of_groups(table)
    return {
        "sp10k.pairs.total": table.height,
        "sp10k.pairs.distinct": table.select("relation", "head", "dependent").n_unique(),
        "sp10k.vocabulary.nouns": len(nouns),
        "sp10k.vocabulary.adjectives": len(adjectives),
        "sp10k.vocabulary.words": len(nouns) + len(adjectives) + len(verbs),
        "sp10k.vocabulary.distinct_strings": len(nouns | adjectives | verbs),
        "sp10k.score.minimum": min(table["score"]),
        "sp10k.score.maximum": max(table["score"]),
        **{f"sp10k.groups.all.{group}": size for group, size in groups.items()},
        "sp10k.groups.upper_inclusive": _sizes_of_groups(table, upper_inclusive=True),
        "sp10k.groups.on_bounds": table.filter(pl.col("score").is_in([2.0, 4.0, 6.0, 8.0])).height,
    }
