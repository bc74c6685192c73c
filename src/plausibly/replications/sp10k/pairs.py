"""SP-10K sections 1, 2 and 3: pairs, heads, vocabulary, scores and groups."""

from __future__ import annotations

from math import isclose

import polars as pl

from plausibly.datasets.sp10k import PER_HEAD, RELATIONS, TWO_HOP, VERB_RELATIONS
from plausibly.evaluation.sp10k import GROUPS, plausibility_group
from plausibly.replications.claims import Claims
from plausibly.replications.printed import Value
from plausibly.replications.sp10k.release import Sp10kRelease

NOUN_DEPENDENTS = ("dobj", "nsubj")
ADJECTIVE_DEPENDENTS = ("amod", "dobj_amod", "nsubj_amod")
HALVES = {"frequent": (0, 1), "random": (2, 3)}
# How many ratings a mean may come from, the commonest first.
RATERS = (10, 9, 8, 11, 12)


def pairs(release: Sp10kRelease, claims: Claims) -> dict[str, Value]:
    """Return the numbers of pairs, words, scores and groups."""
    numbers: dict[str, Value] = {
        "sp10k.relations": len(RELATIONS) - len(release.missing),
        **_of_surveys(claims),
    }
    for relation in RELATIONS:
        if release.has(relation):
            numbers |= _of_relation(release.of(relation), relation)
    if release.has(*VERB_RELATIONS):
        numbers |= _of_verbs(release)
    if not release.missing:
        numbers |= _of_all(release)
    if release.has(*TWO_HOP):
        numbers["sp10k.pairs.two_hop"] = release.of(*TWO_HOP).height
    return numbers


def _of_surveys(claims: Claims) -> dict[str, Value]:
    """Return what the printed design of the surveys adds up to."""
    design = claims.numbers("sp10k.surveys")
    asked = design["number"] * design["questions"]
    words = claims.numbers("sp10k.vocabulary")
    return {
        "sp10k.surveys.pairs": int(asked - design["number"] * design["checkpoints"]),
        "sp10k.ratings.mean": claims.number("sp10k.ratings.total") / asked,
        "sp10k.ratings.needed": int(design["annotators"] * asked),
        "sp10k.vocabulary.added_up": int(words["verbs"] + words["nouns"] + words["adjectives"]),
    }


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


def _mean(scores: pl.Series) -> float | None:
    return float(scores.sum()) / scores.len() if scores.len() else None


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


def _of_verbs(release: Sp10kRelease) -> dict[str, Value]:
    heads = [set(release.of(relation)["head"]) for relation in VERB_RELATIONS]
    return {
        "sp10k.heads.shared_verbs": len(set.intersection(*heads)),
        "sp10k.vocabulary.verbs": len(set.union(*heads)),
    }


def _of_all(release: Sp10kRelease) -> dict[str, Value]:
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
