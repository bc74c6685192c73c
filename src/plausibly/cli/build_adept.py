"""`plausibly build adept`: sentence pairs that differ by one adjective."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plausibly.cli.balanced import write_balance
from plausibly.cli.counted import register_counts
from plausibly.cli.show import say
from plausibly.cli.source import FILE

if TYPE_CHECKING:
    from plausibly.stimuli.adept import Built

FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command("adept")
@click.option("--counts", type=FILE, required=True, help="Counts, or the folder extract wrote.")
@click.option(
    "--conceptnet", type=FILE, required=True, help="Assertions: ConceptNet's, or a table."
)
@click.option("--nonsubsective", type=FILE, required=True, help="Non-subsective adjectives.")
@click.option("--listed-only", is_flag=True, help="Without the extras of the list, such as 'dead'.")
@click.option("--omcs", is_flag=True, help="Only assertions of Open Mind Common Sense.")
@click.option("--profanity", type=FILE, help="Words to leave out (default: our list).")
@click.option("--min-count", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--lang", default="en", show_default=True, help="Language: en.")
@click.option("--engine", default="duckdb", show_default=True, help="duckdb, spark, spark://H:P.")
@click.option("--seed", type=click.IntRange(min=0), required=True)
@click.option("-o", "--output", type=FOLDER, required=True, help="Folder to write.")
def command(
    counts: Path,
    *,
    conceptnet: Path,
    nonsubsective: Path,
    listed_only: bool,
    omcs: bool,
    profanity: Path | None,
    min_count: int,
    lang: str,
    engine: str,
    seed: int,
    output: Path,
) -> None:
    """Put adjectives before the nouns of plain statements.

    Writes items.parquet, pairs.json (all), train.json, val.json and test.json (no sentence or
    noun in two of them; recommended), random_train.json and so on (as published), trace.jsonl,
    ledger.parquet, funnel.json and balance.json.
    """
    import tempfile

    from plausibly.backends.engines import engine_named
    from plausibly.datasets.adept.nonsubsective import read_nonsubsective
    from plausibly.datasets.conceptnet import OMCS, read_assertions
    from plausibly.io import filling
    from plausibly.stimuli.adept import build_adept
    from plausibly.stimuli.adept_candidates import AMOD, adjectives_of
    from plausibly.stimuli.adept_words import lexicon
    from plausibly.stimuli.lexica.language import require
    from plausibly.stimuli.lexica.profanity import own_list, read_profanity
    from plausibly.stimuli.sp10k import CONSIDERED, PAIR_COUNTS, WORD_COUNTS, Store
    from plausibly.stimuli.sp10k_statements import WORDS, filled

    language = require(lang, "adept")
    listed = read_nonsubsective(nonsubsective, listed_only=listed_only)
    profane = (read_profanity(profanity) if profanity else own_list()).words
    assertions = read_assertions(conceptnet, lang=lang, dataset=OMCS if omcs else None)
    with filling(output) as folder, tempfile.TemporaryDirectory() as scratch:
        running = engine_named(engine, scratch=Path(scratch))
        try:
            register_counts(counts, running, Path(scratch))
            store = Store(running, Path(scratch))
            pairs = store.ask(filled(AMOD, min_count=min_count), PAIR_COUNTS)
            words = store.ask(filled(WORDS, at_most=CONSIDERED), WORD_COUNTS)
        finally:
            running.close()
        known = lexicon(words, assertions["end"].to_list(), language=language, **_dictionary())
        adjectives = adjectives_of(
            pairs,
            nouns=assertions["start"].str.to_lowercase().unique().to_list(),
            non_subsective=listed,
            profane=profane,
            lexicon=known,
        )
        built = build_adept(assertions, adjectives, known, profane=profane, seed=seed)
        _write(built, folder)
        write_balance(built.items, folder, lang=lang, seed=seed)
    for step in built.funnel:
        say(f"{step['step']}: {step['rows']}")


def _dictionary() -> dict[str, Any]:
    """Return what knows plurals and adjectives, if it is installed; rules do without it."""
    from plausibly.errors import MissingExtra

    try:
        from plausibly.backends.english import LemminflectNouns, is_adjective

        return {"nouns": LemminflectNouns(), "is_adjective": is_adjective}
    except MissingExtra:
        say("plurals by rule: pip install 'plausibly[parse]' brings a dictionary.")
        return {}


def _write(built: Built, folder: Path) -> None:
    import json

    from plausibly.io import write_json, write_table, write_text
    from plausibly.stimuli.adept import split_pairs
    from plausibly.stimuli.ledger import LEDGER
    from plausibly.tables import ITEMS

    write_table(built.items, folder / "items.parquet", ITEMS)
    write_table(built.ledger, folder / "ledger.parquet", LEDGER)
    write_json(folder / "funnel.json", built.funnel)
    write_json(folder / "pairs.json", built.pairs)
    for column, start in (("split", ""), ("random_split", "random_")):
        for split, pairs in split_pairs(built, column).items():
            write_json(folder / f"{start}{split}.json", pairs)
    lines = (json.dumps(one, ensure_ascii=False) + "\n" for one in built.trace)
    write_text(folder / "trace.jsonl", "".join(lines))
