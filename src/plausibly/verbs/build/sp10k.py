"""SP-10K: word pairs of five relations, laid out in surveys."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import polars as pl

from plausibly.backends.engines import engine_named
from plausibly.backends.english import LemminflectWords, is_adjective, is_noun
from plausibly.datasets.lexica.language import language as profile
from plausibly.datasets.lexica.profanity import profanity_for
from plausibly.datasets.sp10k import RELATIONS
from plausibly.errors import MissingExtra, option
from plausibly.stimuli.built import Built
from plausibly.stimuli.counts import open_counts
from plausibly.stimuli.examples import examples_near
from plausibly.stimuli.sp10k.building import PairDesign
from plausibly.stimuli.sp10k.building import build_sp10k as sp10k_items
from plausibly.stimuli.sp10k.judging import WordJudges
from plausibly.stimuli.sp10k.surveys import wording
from plausibly.stimuli.sp10k.vocabulary import read_frequency
from plausibly.study.verb import verb
from plausibly.verbs.build._items import (
    NEW_FOLDER,
    ItemSet,
    frequencies_if_any,
    in_dictionary,
    read_from,
    require_at_least,
    with_balance,
    with_sentences,
)
from plausibly.verbs.build._study import building

# Words this frequent are words, though they be in no dictionary; abbreviations and slips are rarer.
KNOWN_ZIPF = 3.0
SHOWN = 5


@verb(
    output=NEW_FOLDER,
    sources=read_from("counts"),
    study=building("sp10k", "counts", counted="counts", further=("surveys",)),
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
        heads: Number of heads per relation.
        min_frequent: Minimum count of a frequent pair.
        per_survey: Number of pairs per survey.
        short_heads: What to do if a relation has too few heads.
        examples: Sentences behind the counts (default: examples.parquet next to them, if any).
        language: Language: en or it.
        engine: duckdb, spark or spark://HOST:PORT.
        seed: Seed for everything drawn at random.

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
    judges = WordJudges(
        is_adjective=in_dictionary(language, is_adjective),
        is_noun=in_dictionary(language, is_noun),
        are_known=_known_words(language),
        measures=profile(language).measures,
    )
    with tempfile.TemporaryDirectory() as scratch:
        running = engine_named(engine, scratch=Path(scratch))
        try:
            built = sp10k_items(
                open_counts(Path(counts), running, Path(scratch)),
                design=design,
                wording=words,
                frequency=read_frequency(Path(frequency)) if frequency else None,
                profane=profanity_for(Path(profanity) if profanity else None, language).words,
                judges=judges,
            )
        finally:
            running.close()
    # The checks come back from the instructions, so they are not compared with the items.
    built = with_balance(
        built,
        frequency=frequencies_if_any(None, language),
        lang=language,
        seed=seed,
        compared=built.items.filter(pl.col("kind") == "item"),
    )
    built, behind = with_sentences(built, _attested(built.items), examples)
    short = built.items.filter(pl.col("source") == "frequent").group_by("relation").len("pairs")
    notes = [
        f"{relation}: {pairs} of {2 * heads} frequent pairs seen {min_frequent} times or more."
        for relation, pairs in short.sort("relation").rows()
        if pairs < 2 * heads
    ]
    if not frequency:
        notes += _unsupported(built, judges)
    return ItemSet(built.items, built.ledger, "sp10k", built, notes=(*notes, *behind))


def _unsupported(built: Built, judges: WordJudges) -> list[str]:
    """Return what is to be known about words that no dictionary or frequency list knows."""
    if judges.are_known is None:
        return [
            "Words were not looked up: without a dictionary or a frequency list, random dependents "
            f"may be misspelt or abbreviated. Pass {option('frequency')}."
        ]
    dropped = built.ledger.filter(pl.col("rule") == "unsupported")["candidate"].to_list()
    notes = []
    if dropped:
        named = ", ".join(one.rpartition(" ")[2] for one in dropped[:SHOWN])
        notes.append(f"{len(dropped)} words were dropped as unsupported, such as {named}.")
    drawn = built.items.filter(pl.col("source") == "random")["dependent"].unique().sort().to_list()
    known = judges.are_known([word.lower() for word in drawn])
    rare = [word for word, one in zip(drawn, known, strict=True) if not one]
    if rare:
        notes.append(
            f"{len(rare)} random dependents are in no dictionary and in no frequency list: "
            f"{', '.join(rare[:SHOWN])}. Read their items, or pass {option('frequency')}."
        )
    return notes


def _attested(items: pl.DataFrame) -> pl.DataFrame:
    seen = (pl.col("kind") == "item") & (pl.col("count") > 0)
    return items.filter(seen).select("item", "relation", "head", "dependent")


def _known_words(lang: str) -> Callable[[Sequence[str]], Sequence[bool]] | None:
    """Return what looks words up, in a dictionary and among frequent words, as installed."""
    listed = frequencies_if_any(None, lang)
    in_dictionary = _dictionary(lang)
    if listed is None and in_dictionary is None:
        return None

    def are_known(words: Sequence[str]) -> list[bool]:
        texts = pl.Series(list(words), dtype=pl.String)
        zipf = [None] * len(texts) if listed is None else listed.zipf(texts).to_list()
        return [
            (value or 0.0) >= KNOWN_ZIPF or (in_dictionary is not None and in_dictionary(word))
            for word, value in zip(words, zipf, strict=True)
        ]

    return are_known


def _dictionary(lang: str) -> Callable[[str], bool] | None:
    if lang != "en":
        return None
    try:
        return LemminflectWords().is_used
    except MissingExtra:
        return None
