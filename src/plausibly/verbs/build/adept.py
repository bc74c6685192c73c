"""ADEPT: sentence pairs that differ by one adjective."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import polars as pl

from plausibly.backends.engines import engine_named
from plausibly.backends.english import LemminflectNouns, describes, is_word
from plausibly.backends.profanity import profanity_probabilities
from plausibly.datasets.adept.nonsubsective import (
    NON_SUBSECTIVE,
    read_nonsubsective,
    shipped_nonsubsective,
)
from plausibly.datasets.conceptnet import OMCS, read_assertions
from plausibly.datasets.lexica.identity import identity_terms as own_terms
from plausibly.datasets.lexica.identity import read_identity
from plausibly.datasets.lexica.language import require
from plausibly.datasets.lexica.profanity import profanity_for
from plausibly.errors import MissingExtra, StudyError, option
from plausibly.ports import SILENCE, Watch
from plausibly.stimuli.adept.building import MIN_COUNT, PAIRS, RATIO
from plausibly.stimuli.adept.building import build_adept as adept_items
from plausibly.stimuli.adept.candidates import (
    ALL_PAIRS,
    AMOD,
    PAIR_COUNTS,
    adjectives_of,
    candidates,
)
from plausibly.stimuli.adept.lexicon import lexicon
from plausibly.stimuli.built import Built
from plausibly.stimuli.counts import open_counts
from plausibly.stimuli.examples import examples_near
from plausibly.study.verb import verb
from plausibly.verbs.build._items import (
    NEW_FOLDER,
    ItemSet,
    frequencies_if_any,
    read_from,
    require_at_least,
    with_balance,
    with_sentences,
)
from plausibly.verbs.build._study import building


@verb(
    output=NEW_FOLDER,
    sources=read_from("counts"),
    study=building("adept", "counts", counted="counts"),
)
def build_adept(
    *,
    counts: str | Path,
    conceptnet: str | Path,
    nonsubsective: str | Path | None = None,
    listed_only: bool = False,
    omcs: bool = False,
    profanity: str | Path | None = None,
    profanity_classifier: float | None = None,
    min_count: int = MIN_COUNT,
    ratio: float = RATIO,
    identity: Literal["apart", "with", "only"] = "apart",
    identity_terms: str | Path | None = None,
    examples: str | Path | None = None,
    language: str = "en",
    engine: str = "duckdb",
    seed: int,
    watch: Watch = SILENCE,
) -> ItemSet:
    """Put adjectives before the nouns of plain statements.

    Writes items.parquet, pairs.json (all), train.json, val.json and test.json (no sentence or
    noun in two of them; recommended), random_train.json and so on (as published), trace.jsonl,
    ledger.parquet, funnel.json and balance.json.

    Args:
        counts: Counts, or the folder extract wrote.
        conceptnet: ConceptNet's file of assertions, or a table of assertions.
        nonsubsective: Non-subsective adjectives (default: the 60 of Nayak et al., 2014).
        listed_only: Leave out adjectives marked as additions to the list, such as 'dead'.
        omcs: Use only assertions of Open Mind Common Sense.
        profanity: Words to drop (default: our list).
        profanity_classifier: Also drop adjectives whose phrase with the noun scores at least this
            high in alt-profanity-check (default: off).
        min_count: How often a noun and an adjective must occur together, in one corpus.
        ratio: Pairs with other adjectives per pair with a non-subsective one; 0 for the ratio that
            the counts give.
        identity: Pairs whose adjective names a group of people: move them to the ledger, keep them,
            or keep only them.
        identity_terms: TOML with terms for groups and nouns for people (default: our list).
        examples: Sentences behind the counts (default: examples.parquet next to them, if any).
        language: Language: en.
        engine: duckdb, spark or spark://HOST:PORT.
        seed: Seed for everything drawn at random.
        watch: Receives the progress.

    Examples:
        plausibly build adept --counts counts --conceptnet assertions.csv.gz --seed 1 -o pairs
        plausibly build adept --counts counts --conceptnet table.csv --ratio 2 --seed 1 -o pairs

    >>> build_adept(counts="counts/", conceptnet="assertions.csv", min_count=0, seed=1)
    Traceback (most recent call last):
    plausibly.errors.StudyError: min_count= must be 1 or more; got 0.
    """
    examples = examples or examples_near(counts)
    require_at_least({"min_count": 1, "ratio": 0}, {"min_count": min_count, "ratio": ratio})
    profile = require(language, "adept")
    special = (
        read_nonsubsective(Path(nonsubsective), listed_only=listed_only)
        if nonsubsective
        else shipped_nonsubsective(listed_only=listed_only)
    )
    terms = read_identity(Path(identity_terms)) if identity_terms else own_terms()
    profane = profanity_for(Path(profanity) if profanity else None, language).words
    assertions = read_assertions(Path(conceptnet), lang=language, dataset=OMCS if omcs else None)
    with tempfile.TemporaryDirectory() as scratch:
        running = engine_named(engine, scratch=Path(scratch))
        try:
            store = open_counts(Path(counts), running, Path(scratch))
            pairs = store.ask(AMOD, PAIR_COUNTS, min_count=min_count)
            every = store.ask(ALL_PAIRS, {"pairs": pl.Int64()})["pairs"][0]
            words = store.words()
        finally:
            running.close()
    phrases = _profane_phrases(pairs, profanity_classifier)
    dictionary, notes = _dictionary()
    known = lexicon(words, assertions["end"].to_list(), language=profile, **dictionary)
    adjectives = adjectives_of(
        pairs,
        nouns=assertions["start"].str.to_lowercase().unique().to_list(),
        non_subsective=special,
        profane={**profane, **phrases},
        lexicon=known,
        people=(terms, identity),
    )
    found_pairs = candidates(assertions, adjectives, known, profane=profane, watch=watch)
    built = adept_items(found_pairs, adjectives, ratio=ratio, seed=seed)
    steps = [("counted", every), ("min_count", pairs.height)]
    first = [{"step": step, "rows": rows, "of": PAIRS} for step, rows in steps]
    built = replace(built, funnel=[*first, *built.funnel])
    built = with_balance(
        built, frequency=frequencies_if_any(None, language), lang=language, seed=seed
    )
    built, behind = with_sentences(built, _attested(built.items), examples)
    counts_of = _counted(built)
    return ItemSet(
        built.items,
        built.ledger,
        "adept",
        built,
        own=counts_of,
        notes=(*notes, *_said(counts_of, identity), *behind),
    )


def _profane_phrases(pairs: pl.DataFrame, at_least: float | None) -> dict[str, str]:
    """Return phrases of adjective and noun that the classifier finds profane, with the reason."""
    if at_least is None:
        return {}
    if not 0 < at_least <= 1:
        what = f"{option('profanity_classifier')} must be in (0, 1]; got {at_least}."
        raise StudyError(what, parameter="profanity_classifier")
    phrase = pl.concat_str(pl.col("adjective", "noun").str.to_lowercase(), separator=" ")
    texts = pairs.select(phrase.alias("text"))["text"].unique().sort().to_list()
    return {
        text: f"the classifier gives {share:.3f}, at least {at_least} was set"
        for text, share in zip(texts, profanity_probabilities(texts), strict=True)
        if share >= at_least
    }


def _attested(items: pl.DataFrame) -> pl.DataFrame:
    return items.filter(pl.col("kind") == "item").select(
        "item", relation=pl.lit("amod"), head="lemma", dependent="modifier"
    )


def _counted(built: Built) -> dict[str, Any]:
    """Return how many pairs are non-subsective, and how many group people or were set apart."""
    items = built.items.filter(pl.col("kind") == "item")
    special = items.filter(pl.col("condition") == NON_SUBSECTIVE).height
    return {
        "non_subsective": special,
        "subsective": items.height - special,
        "identity": items.filter(pl.col("stratum") == "identity").height,
        "identity_set_apart": built.ledger.filter(pl.col("rule") == "identity").height,
    }


def _said(counts: dict[str, Any], identity: str) -> tuple[str, ...]:
    special, other = counts["non_subsective"], counts["subsective"]
    ratio = f"1 : {other / special:.1f}" if special else "none"
    listing = f"non-subsective to other pairs: {special} to {other} ({ratio})."
    if identity == "apart":
        apart = counts["identity_set_apart"]
        return listing, f"{apart} pairs whose adjective names a group of people are in the ledger."
    return listing, f"{counts['identity']} pairs name a group of people (stratum identity)."


def _dictionary() -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what knows plurals and adjectives, if it is installed; rules do without it."""
    try:
        return {
            "nouns": LemminflectNouns(),
            "is_adjective": describes,
            "is_word": is_word,
        }, ()
    except MissingExtra:
        return {}, ("plurals by rule: pip install 'plausibly[parse]' brings a dictionary.",)
