"""ADEPT: sentence pairs that differ by one adjective."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from plausibly.backends.engines import engine_named
from plausibly.backends.english import LemminflectNouns, is_adjective
from plausibly.datasets.adept.nonsubsective import read_nonsubsective
from plausibly.datasets.conceptnet import OMCS, read_assertions
from plausibly.errors import MissingExtra
from plausibly.stimuli.adept.building import build_adept
from plausibly.stimuli.adept.candidates import AMOD, PAIR_COUNTS, adjectives_of
from plausibly.stimuli.adept.lexicon import lexicon
from plausibly.stimuli.counts import open_counts
from plausibly.stimuli.lexica.language import require
from plausibly.stimuli.lexica.profanity import profanity_for
from plausibly.verbs.build._items import ItemSet, frequencies_if_any, made_from, with_balance


def adept(
    *,
    counts: str | Path,
    conceptnet: str | Path,
    nonsubsective: str | Path,
    listed_only: bool = False,
    omcs: bool = False,
    profanity: str | Path | None = None,
    min_count: int = 10,
    lang: str = "en",
    engine: str = "duckdb",
    seed: int,
) -> ItemSet:
    """Put adjectives before the nouns of plain statements.

    Writes items.parquet, pairs.json (all), train.json, val.json and test.json (no sentence or
    noun in two of them; recommended), random_train.json and so on (as published), trace.jsonl,
    ledger.parquet, funnel.json and balance.json.

    Args:
        counts: Counts, or the folder extract wrote.
        conceptnet: Assertions: ConceptNet's, or a table.
        nonsubsective: Non-subsective adjectives.
        listed_only: Without the extras of the list, such as 'dead'.
        omcs: Only assertions of Open Mind Common Sense.
        profanity: Words to leave out (default: our list).
        min_count: How often a noun and an adjective must occur together.
        lang: Language: en.
        engine: duckdb, spark or spark://HOST:PORT.
        seed: Same seed, same items.
    """
    asked = dict(locals())
    language = require(lang, "adept")
    special = read_nonsubsective(Path(nonsubsective), listed_only=listed_only)
    profane = profanity_for(Path(profanity) if profanity else None, lang).words
    assertions = read_assertions(Path(conceptnet), lang=lang, dataset=OMCS if omcs else None)
    with tempfile.TemporaryDirectory() as scratch:
        running = engine_named(engine, scratch=Path(scratch))
        try:
            store = open_counts(Path(counts), running, Path(scratch))
            pairs = store.ask(AMOD, PAIR_COUNTS, min_count=min_count)
            words = store.words()
        finally:
            running.close()
    dictionary, notes = _dictionary()
    known = lexicon(words, assertions["end"].to_list(), language=language, **dictionary)
    adjectives = adjectives_of(
        pairs,
        nouns=assertions["start"].str.to_lowercase().unique().to_list(),
        non_subsective=special,
        profane=profane,
        lexicon=known,
    )
    built = build_adept(assertions, adjectives, known, profane=profane, seed=seed)
    built = with_balance(built, frequency=frequencies_if_any(None, lang), lang=lang, seed=seed)
    made = made_from("adept", asked, files=("counts", "conceptnet", "nonsubsective", "profanity"))
    return ItemSet(built.items, built.ledger, "adept", built, made, notes=notes)


def _dictionary() -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what knows plurals and adjectives, if it is installed; rules do without it."""
    try:
        return {"nouns": LemminflectNouns(), "is_adjective": is_adjective}, ()
    except MissingExtra:
        return {}, ("plurals by rule: pip install 'plausibly[parse]' brings a dictionary.",)
