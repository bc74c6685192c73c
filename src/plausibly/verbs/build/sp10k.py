"""SP-10K: word pairs of five relations, laid out in surveys."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import polars as pl

from plausibly.backends.engines import engine_named
from plausibly.backends.english import is_adjective
from plausibly.datasets.lexica.profanity import profanity_for
from plausibly.datasets.sp10k import RELATIONS
from plausibly.errors import MissingExtra
from plausibly.stimuli.counts import open_counts
from plausibly.stimuli.examples import examples_near
from plausibly.stimuli.sp10k.building import PairDesign
from plausibly.stimuli.sp10k.building import build_sp10k as sp10k_items
from plausibly.stimuli.sp10k.surveys import wording
from plausibly.stimuli.sp10k.vocabulary import read_frequency
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
    study=building("sp10k", "counts", counted="counts", beside=("surveys",)),
)
def build_sp10k(
    *,
    counts: str | Path,
    frequency: str | Path | None = None,
    profanity: str | Path | None = None,
    relations: str | Sequence[str] = ",".join(RELATIONS),
    heads: int = 500,
    min_frequent: int = 5,
    per_survey: int = 100,
    short_heads: Literal["stop", "take-all"] = "stop",
    examples: str | Path | None = None,
    language: str = "en",
    engine: str = "duckdb",
    seed: int,
) -> ItemSet:
    """Pair frequent heads with two frequent and two random dependents each.

    Writes items.parquet, surveys.parquet (100 pairs and 3 checks each, one relation),
    ledger.parquet, funnel.json, balance.json and answers.json.

    Args:
        counts: Counts, or the folder extract wrote.
        frequency: Frequency list: word, pos, count or rank.
        profanity: Words to drop (default: our English list).
        relations: Relations, separated by commas.
        heads: Heads per relation.
        min_frequent: How often a frequent pair must have been seen.
        per_survey: Pairs per survey.
        short_heads: What to do if a relation has too few heads.
        examples: Sentences behind the counts (default: examples.parquet next to them, if any).
        language: Language: en or it.
        engine: duckdb, spark or spark://HOST:PORT.
        seed: Same seed, same items.

    Examples:
        plausibly build sp10k --counts counts --seed 1 -o surveys
        plausibly build sp10k --counts counts --relations dobj,nsubj --seed 1 -o surveys

    >>> build_sp10k(counts="counts/", per_survey=0, seed=1)
    Traceback (most recent call last):
    plausibly.errors.StudyError: per_survey= must be 1 or more; got 0.
    """
    examples = examples or examples_near(counts)
    asked = {"min_frequent": min_frequent, "per_survey": per_survey}
    require_at_least({"min_frequent": 1, "per_survey": 1}, asked)
    named = relations.split(",") if isinstance(relations, str) else relations
    design = PairDesign(
        seed=seed,
        relations=tuple(name.strip() for name in named),
        heads=heads,
        min_frequent=min_frequent,
        per_survey=per_survey,
        short=short_heads,
    )
    words = wording(language)
    with tempfile.TemporaryDirectory() as scratch:
        running = engine_named(engine, scratch=Path(scratch))
        try:
            built = sp10k_items(
                open_counts(Path(counts), running, Path(scratch)),
                design=design,
                wording=words,
                frequency=read_frequency(Path(frequency)) if frequency else None,
                profane=profanity_for(Path(profanity) if profanity else None, language).words,
                is_adjective=_adjectives(language),
            )
        finally:
            running.close()
    built = with_balance(
        built, frequency=frequencies_if_any(None, language), lang=language, seed=seed
    )
    built, behind = with_sentences(built, _attested(built.items), examples)
    short = built.items.filter(pl.col("source") == "frequent").group_by("relation").len("pairs")
    notes = [
        f"{relation}: {pairs} of {2 * heads} frequent pairs seen {min_frequent} times or more."
        for relation, pairs in short.sort("relation").rows()
        if pairs < 2 * heads
    ]
    return ItemSet(built.items, built.ledger, "sp10k", built, notes=(*notes, *behind))


def _attested(items: pl.DataFrame) -> pl.DataFrame:
    seen = (pl.col("kind") == "item") & (pl.col("count") > 0)
    return items.filter(seen).select("item", "relation", "head", "dependent")


def _adjectives(lang: str) -> Callable[[str], bool] | None:
    """Return what tells English adjectives from other words, if it is installed."""
    if lang != "en":
        return None
    try:
        is_adjective("old")
    except MissingExtra:
        return None
    return is_adjective
