"""`plausibly build sp10k`: word pairs of five relations, laid out in surveys."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.balanced import write_balance
from plausibly.cli.show import say
from plausibly.cli.source import FILE

FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command("sp10k")
@click.option("--counts", type=FILE, required=True, help="Counts, or the folder extract wrote.")
@click.option("--frequency", type=FILE, help="Frequency list: word, pos, count or rank.")
@click.option("--profanity", type=FILE, help="Words to leave out (default: our English list).")
@click.option("--relations", help="Relations between commas (default: all five).")
@click.option("--heads", type=click.IntRange(min=1), default=500, show_default=True)
@click.option("--per-survey", type=click.IntRange(min=1), default=100, show_default=True)
@click.option(
    "--short-heads",
    type=click.Choice(["stop", "take-all"]),
    default="stop",
    show_default=True,
    help="What to do if a relation has too few heads.",
)
@click.option("--lang", default="en", show_default=True, help="Language: en or it.")
@click.option("--engine", default="duckdb", show_default=True, help="duckdb, spark, spark://H:P.")
@click.option("--seed", type=click.IntRange(min=0), required=True)
@click.option("-o", "--output", type=FOLDER, required=True, help="Folder to write.")
def command(
    counts: Path,
    *,
    frequency: Path | None,
    profanity: Path | None,
    relations: str | None,
    heads: int,
    per_survey: int,
    short_heads: str,
    lang: str,
    engine: str,
    seed: int,
    output: Path,
) -> None:
    """Pair frequent heads with two frequent and two random dependents each.

    Writes items.parquet, surveys.parquet (100 pairs and 3 checks each, one relation),
    ledger.parquet, funnel.json, balance.json and answers.json.
    """
    import tempfile
    from typing import Literal, cast

    from plausibly.backends.engines import engine_named
    from plausibly.datasets.sp10k import RELATIONS
    from plausibly.io import filling
    from plausibly.stimuli.counts import open_counts
    from plausibly.stimuli.lexica.profanity import own_list, read_profanity
    from plausibly.stimuli.sp10k.building import PairDesign, build_sp10k
    from plausibly.stimuli.sp10k.surveys import wording
    from plausibly.stimuli.sp10k.vocabulary import read_frequency

    words = wording(lang)
    design = PairDesign(
        seed=seed,
        relations=tuple(r.strip() for r in relations.split(",")) if relations else RELATIONS,
        heads=heads,
        per_survey=per_survey,
        short=cast(Literal["stop", "take-all"], short_heads),
    )
    profane = read_profanity(profanity) if profanity else own_list() if lang == "en" else None
    with filling(output) as folder, tempfile.TemporaryDirectory() as scratch:
        running = engine_named(engine, scratch=Path(scratch))
        try:
            built = build_sp10k(
                open_counts(counts, running, Path(scratch)),
                design=design,
                wording=words,
                frequency=read_frequency(frequency) if frequency else None,
                profane=profane.words if profane else None,
            )
        finally:
            running.close()
        built.write(folder)
        write_balance(built.items, folder, lang=lang, seed=seed)
    for step in built.funnel:
        say(f"{step['step']}: {step['rows']}")
