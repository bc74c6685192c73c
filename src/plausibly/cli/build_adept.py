"""`plausibly build adept`: sentence pairs that differ by one adjective."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.balanced import write_balance
from plausibly.cli.show import say
from plausibly.cli.source import FILE

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
    from plausibly.stimuli.adept.building import build_adept
    from plausibly.stimuli.adept.candidates import AMOD, PAIR_COUNTS, adjectives_of
    from plausibly.stimuli.adept.lexicon import lexicon
    from plausibly.stimuli.counts import open_counts
    from plausibly.stimuli.lexica.language import require
    from plausibly.stimuli.lexica.profanity import own_list, read_profanity

    language = require(lang, "adept")
    listed = read_nonsubsective(nonsubsective, listed_only=listed_only)
    profane = (read_profanity(profanity) if profanity else own_list()).words
    assertions = read_assertions(conceptnet, lang=lang, dataset=OMCS if omcs else None)
    with filling(output) as folder, tempfile.TemporaryDirectory() as scratch:
        running = engine_named(engine, scratch=Path(scratch))
        try:
            store = open_counts(counts, running, Path(scratch))
            pairs = store.ask(AMOD, PAIR_COUNTS, min_count=min_count)
            words = store.words()
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
        built.write(folder)
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
