"""PAP's events: attested and perturbed triples, sampled by abstractness (sections 3.2 and 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import polars as pl

from plausibly.datasets.lexica.frequency import BILLION, FrequencyList
from plausibly.datasets.lexica.norms import LEAST_KNOWN, Filtered
from plausibly.datasets.lexica.profanity import Profanity
from plausibly.errors import StudyError, option
from plausibly.stimuli.built import Built
from plausibly.stimuli.frames import of_another_class
from plausibly.stimuli.ledger import LEDGER, Sieve, sieve
from plausibly.stimuli.matching import columns_of, match, why_unmatched
from plausibly.stimuli.pap._drawing import drawn
from plausibly.stimuli.pap._items import items_of
from plausibly.stimuli.pap.bins import DegreeBins, combination, separated_bins
from plausibly.stimuli.pap.cells import PapPlan, cell_counts, require_full
from plausibly.stimuli.pap.checks import check_items, matched_checks, with_seen
from plausibly.stimuli.pap.perturb import NAME, ROLES, Exchange, perturbed
from plausibly.stimuli.pap.svo import checked_svo, left_out
from plausibly.stimuli.realise import Realiser


def word_zipf(
    triples: pl.DataFrame, frequency: FrequencyList | None
) -> dict[str, dict[str, float]]:
    """Return from function to word (case-folded and as spelt) to its Zipf value.

    A word the list does not know has Zipf 0. A list that knows fewer than half of the words is not
    a list of these words; then, and without a list, words are as frequent as in the triples.
    """
    totals = _totals(triples)
    values = None if frequency is None else frequency.zipf(totals["word"])
    if values is None or not _is_of(values):
        share = totals["count"].cast(pl.Float64) / max(totals["count"].sum(), 1)
        values = (share * BILLION).log10()
    known = dict(zip(totals["word"], values.fill_null(0.0), strict=True))
    return {
        role: {word: known[word.lower()] for word in _spellings(triples[role])} for role in ROLES
    }


def _totals(triples: pl.DataFrame) -> pl.DataFrame:
    """Return how often each word, case-folded, is in the triples."""
    tokens = pl.concat(
        triples.select(word=pl.col(role).str.to_lowercase(), count=pl.col("count"))
        for role in ROLES
    )
    return tokens.group_by("word").agg(pl.col("count").sum()).sort("word")


def _is_of(values: pl.Series) -> bool:
    """Return whether a frequency list knows enough of some words to be a list of them."""
    return values.count() >= LEAST_KNOWN * values.len()


def _spellings(words: pl.Series) -> list[str]:
    return pl.concat([words, words.str.to_lowercase()]).unique().to_list()


POS = {"subject": "noun", "verb": "verb", "object": "noun"}
CONDITIONS = ("attested", "perturbed")
# Rows left after each step as the paper prints them (sections 3.1 to 3.3).
PUBLISHED = {
    "attested": {"read": 62843, "profane": 62473, "no_rating": 35602, "not_sampled": 1080},
    "perturbed": {"read": 35602, "repeated": 35600, "profane": 35447, "not_sampled": 1080},
}

# Two draws may give one triple, so a perturbed candidate is the triple with what it was made from.
_DRAW = pl.format("{} (from {})", NAME, "source")
_LOWER = [pl.col(role).str.to_lowercase().alias(f"{role}_key") for role in ROLES]
_KEYS = [f"{role}_key" for role in ROLES]


@dataclass(frozen=True, eq=False)
class PapLexica:
    """The lexica PAP is built with.

    Args:
        ratings: Concreteness of nouns and verbs, filtered as in appendix A.1.
        profanity: What no event may contain.
        realiser: Puts triples into words.
        frequency: How frequent words are; without a list, as frequent as in the triples.
        measures: Units and times, which are not agents.
        bare: Verbs that hardly ever have an object.
        known: Concreteness of every word of the norms, whether the triples have it or not.
        is_of: Per part of speech, whether a dictionary has a word as one; empty judges no word.
    """

    ratings: Filtered
    profanity: Profanity
    realiser: Realiser
    frequency: FrequencyList | None = None
    measures: frozenset[str] = frozenset()
    bare: frozenset[str] = frozenset()
    known: Mapping[str, float] = field(default_factory=dict)
    is_of: Mapping[str, Callable[[str], bool]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _Placed:
    """Rated candidates of one condition with their bins; those outside are in the ledger."""

    sieve: Sieve
    bins: dict[str, DegreeBins] = field(default_factory=dict)


def build_pap(svo: pl.DataFrame, lexica: PapLexica, *, plan: PapPlan) -> Built:
    """Return attested and perturbed events, `per_cell` for each of 27 combinations of bins.

    Args:
        svo: The triples of a corpus; other columns may be named in `plan.without`.
        lexica: Ratings, profanity, realisation.
        plan: How many per cell, from which seed, and what happens when a cell is short.

    Returns:
        A perturbed candidate of the ledger is one draw, as in `dog eat idea (from dog see cat)`.
        The table `cells` has condition, combination, available and taken (the paper's Figure 6);
        `bins.json` the bins by condition and constituent, `triple` for the mean of all three;
        `words.json` the words above `per_word`, with the fewest items they could fill.

    Raises:
        StudyError: With the table of short cells, unless the plan takes what there is.
    """
    spoken = lexica.realiser.language
    if plan.as_sentence and spoken.lang not in ("en", "it"):
        raise StudyError(
            f"sentences with articles are made in English and Italian, not in {spoken.name}. "
            f"Omit {option('sentences')}: texts are then the bare words."
        )
    placed = placed_sets(svo, lexica, plan=plan)
    sieves, matching = _matched({name: one.sieve for name, one in placed.items()}, plan=plan)
    cells = cell_counts({name: one.kept for name, one in sieves.items()}, plan=plan)
    require_full(cells, plan=plan)
    final = drawn(sieves, plan=plan)
    norms = pl.lit(lexica.ratings.kind, dtype=pl.String)
    ledgers = [
        one.ledger.with_columns(condition=pl.lit(name, dtype=pl.String), norms=norms)
        for name, one in final.sieves.items()
    ]
    kept = {name: one.kept.with_columns(norms=norms) for name, one in final.sieves.items()}
    funnel = {name: one.as_json() for name, one in final.sieves.items()}
    published = PUBLISHED if spoken.lang == "en" else None
    return Built(
        items=items_of(
            kept,
            lexica.realiser,
            checks=_checks(svo, kept, lexica, plan=plan),
            as_sentence=plan.as_sentence,
        ),
        ledger=LEDGER.sort(LEDGER.arrange(pl.concat(ledgers))),
        funnel=funnel,
        tables={"cells": cells},
        documents={
            "funnel.json": {**funnel, "published": published},
            "bins.json": {
                name: {role: found.as_json() for role, found in one.bins.items()}
                for name, one in placed.items()
            },
            "cells.json": cells.with_columns(norms=norms).to_dicts(),
            "words.json": final.crowded,
            **({"matching.json": matching} if matching else {}),
        },
    )


def _checks(
    svo: pl.DataFrame, kept: Mapping[str, pl.DataFrame], lexica: PapLexica, *, plan: PapPlan
) -> pl.DataFrame:
    """Return check items that look like the items; frequencies count if the items have them."""
    lists = lexica.frequency
    listed = lists is not None and _is_of(lists.zipf(_totals(svo)["word"]))
    pool = check_items(
        lexica.realiser,
        as_sentence=plan.as_sentence,
        concreteness=lexica.known,
        frequency=lists if listed else None,
    )
    rows = {name: with_seen(one, svo) for name, one in kept.items()}
    return matched_checks(with_seen(pool, svo), rows, seed=plan.seed)


def _matched(
    sieves: Mapping[str, Sieve], *, plan: PapPlan
) -> tuple[Mapping[str, Sieve], dict[str, Any]]:
    """Return the sieves with pairs of triples alone where that was asked for, and how near."""
    if not plan.match:
        return sieves, {}
    rows = {name: one.kept for name, one in sieves.items()}
    asked = columns_of(plan.match, rows["attested"].columns)
    names = {
        name: frame.select(pl.concat_str(_KEYS, separator="|").alias("name"))["name"]
        for name, frame in rows.items()
    }
    found = match(rows, asked, names=names, within="combination", seed=plan.seed)
    left = {}
    for name, one in sieves.items():
        paired = one.with_columns(one.kept.with_columns(found.numbers[name]))
        left[name] = paired.drop(
            "unmatched",
            where=pl.col("match").is_null(),
            reason=why_unmatched("triple of the other condition", asked),
        )
    return left, found.report


def placed_sets(svo: pl.DataFrame, lexica: PapLexica, *, plan: PapPlan) -> dict[str, _Placed]:
    """Return the candidates of both conditions in their bins, before any is sampled."""
    triples = checked_svo(svo, marks=plan.without)
    zipf = word_zipf(triples, lexica.frequency)
    rated = _attested(triples, lexica, plan=plan)
    if rated.kept.is_empty():
        raise StudyError(f"{plan.source}: no triple to perturb. {_nothing_left(rated, lexica)}")
    exchange = Exchange(seed=plan.seed, draw=plan.draw, words=plan.exchanged, zipf=zipf)
    made = _perturbed(rated.kept, triples, lexica, exchange=exchange)
    return {
        name: _placed(_measured(one, zipf), f"{name} triples")
        for name, one in zip(CONDITIONS, (rated, made), strict=True)
    }


def _measured(found: Sieve, zipf: Mapping[str, Mapping[str, float]]) -> Sieve:
    """Return the sieve with frequency and length of every word."""
    columns = [
        pl.col(f"{role}_key")
        .replace_strict(dict(zipf[role]), default=None, return_dtype=pl.Float64)
        .alias(f"{role}_zipf")
        for role in ROLES
    ]
    columns += [pl.col(r).str.len_chars().cast(pl.Int64).alias(f"{r}_length") for r in ROLES]
    return found.with_columns(found.kept.with_columns(columns))


def _attested(triples: pl.DataFrame, lexica: PapLexica, *, plan: PapPlan) -> Sieve:
    """Return attested triples without profanity, each word with its rating."""
    found = sieve(triples.with_columns(_LOWER), candidate=NAME)
    found = _one_case(found)
    for column in plan.without:
        reason = f"the corpus marks it as {column}"
        found = found.split(column, goes=left_out(found.kept, column), reason=reason)
    found = _in_frame(found, lexica)
    return _rated(_clean(found, lexica.profanity), lexica.ratings)


def _in_frame(found: Sieve, lexica: PapLexica) -> Sieve:
    """Return the sieve without units and times that act, and verbs that have no object."""
    if lexica.measures:
        acts = pl.col("subject_key").is_in(lexica.measures)
        found = found.drop("unit_or_time", where=acts, reason="a unit or a time does not act")
    if lexica.bare:
        odd = pl.col("verb_key").is_in(lexica.bare)
        reason = "the counts hardly ever show the verb with an object"
        found = found.drop("outside_frame", where=odd, reason=reason)
    for pos, is_of in lexica.is_of.items():
        found = _of_class(found, pos, is_of)
    return found


def _of_class(found: Sieve, pos: str, is_of: Callable[[str], bool]) -> Sieve:
    """Return the sieve without rare words that the dictionary has as other words only."""
    roles = [f"{role}_key" for role, its in POS.items() if its == pos]
    words = pl.concat(found.kept.select("count", word=role) for role in roles)
    seen = words.group_by("word").agg(pl.col("count").sum())
    other = seen.filter(of_another_class(seen["word"], seen["count"], is_of))["word"].to_list()
    odd = pl.any_horizontal(pl.col(role).is_in(other) for role in roles)
    reason = f"the dictionary does not list it as a {pos}, and it is rare in these triples"
    return found.drop(f"no_{pos}", where=odd, reason=reason)


def _nothing_left(found: Sieve, lexica: PapLexica) -> str:
    """Return which step dropped the last triples, for what reason, and what to do about it."""
    if not found.funnel[0].rows:
        return "There are no rows in it."
    before, last = next(pair for pair in pairwise(found.funnel) if not pair[1].rows)
    first = found.ledger.filter(pl.col("rule") == last.step).row(0, named=True)
    more = lexica.ratings.shortage() if last.step == "no_rating" else "Take a larger corpus sample."
    return (
        f"All {before.rows} that came to the step {last.step!r} were dropped there "
        f"(first: {first['candidate']!r}: {first['reason']}). {more}"
    )


def _one_case(found: Sieve) -> Sieve:
    """Return the sieve with one spelling of each triple, the most frequent one."""
    order = found.kept.sort(
        *_KEYS, pl.col("count"), *ROLES, descending=[False] * 3 + [True] + [False] * 3
    )
    again = ~order.select(pl.struct(_KEYS).is_first_distinct().alias("first"))["first"]
    reason = "another spelling of the same triple is more frequent"
    return found.with_columns(order).split("same_but_case", goes=again, reason=reason)


def _clean(found: Sieve, profanity: Profanity) -> Sieve:
    reasons = profanity.reasons(found.kept, ROLES).alias("__why")
    marked = found.with_columns(found.kept.with_columns(reasons))
    clean = marked.drop("profane", where=pl.col("__why").is_not_null(), reason=pl.col("__why"))
    return clean.with_columns(clean.kept.drop("__why"))


def _rated(found: Sieve, ratings: Filtered) -> Sieve:
    """Return the sieve with the rating of every word; triples with an unrated word are dropped."""
    rated = found.kept
    for role, pos in POS.items():
        words = ratings.of(pos).rename(
            {"word": f"{role}_key", "concreteness": f"{role}_concreteness"}
        )
        rated = rated.join(words, on=f"{role}_key", how="left", maintain_order="left")
    missing = pl.coalesce(
        *(
            pl.when(pl.col(f"{role}_concreteness").is_null()).then(
                pl.format(f"no rating for the {pos} '{{}}' ({role})", pl.col(role))
            )
            for role, pos in POS.items()
        )
    )
    return found.with_columns(rated).drop("no_rating", where=missing.is_not_null(), reason=missing)


def _perturbed(
    rated: pl.DataFrame, attested: pl.DataFrame, lexica: PapLexica, *, exchange: Exchange
) -> Sieve:
    """Return perturbations that are not attested anywhere in the corpus and made only once."""
    # Sources are in the order of their keys, so of several that give one triple the first is kept.
    made = perturbed(rated.select(ROLES), exchange=exchange)
    found = sieve(made.with_columns(_LOWER), candidate=_DRAW)
    known = attested.select(_LOWER).unique().with_columns(known=pl.lit(True))
    marked = found.kept.join(known, on=_KEYS, how="left", maintain_order="left")
    found = found.with_columns(marked).drop(
        "attested", where=pl.col("known"), reason="the corpus attests it"
    )
    again = ~found.kept.select(pl.struct(_KEYS).is_first_distinct().alias("first"))["first"]
    found = found.with_columns(found.kept.drop("known"))
    found = found.split("repeated", goes=again, reason="an earlier draw gave the same triple")
    return _rated(_clean(found, lexica.profanity), lexica.ratings)


def _placed(found: Sieve, what: str) -> _Placed:
    """Return the candidates with the letters of their bins; those outside are dropped."""
    kept, bins = found.kept, {}
    for role in ROLES:
        values = kept[f"{role}_concreteness"]
        bins[role] = separated_bins(values, what=f"concreteness of the {role}s of {what}")
        kept = kept.with_columns(
            bins[role].letters(values).alias(f"{role}_letter"),
            bins[role].degrees(values).alias(f"{role}_degree"),
        )
    mean = pl.sum_horizontal(f"{role}_concreteness" for role in ROLES) / len(ROLES)
    kept = kept.with_columns(concreteness=mean.round(6))
    bins["triple"] = separated_bins(kept["concreteness"], what=f"mean concreteness of {what}")
    kept = kept.with_columns(
        degree=bins["triple"].degrees(kept["concreteness"]),
        combination=combination([pl.col(f"{role}_letter") for role in ROLES]),
    )
    outside = pl.coalesce(
        *(
            pl.when(pl.col(f"{role}_letter").is_null()).then(
                pl.format(f"{role} '{{}}' is in the bin {{}}", role, f"{role}_degree")
            )
            for role in ROLES
        )
    )
    placed = found.with_columns(kept).drop(
        "outside_bins", where=pl.col("combination").is_null(), reason=outside
    )
    return _Placed(placed, bins)
