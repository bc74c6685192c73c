"""`plausibly build iks`: candidates of models beside two source sentences, blinded."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.show import say
from plausibly.cli.source import FILE

SOURCES = (
    "item, source_1, source_2 and, if there are any, reference, relation (support, attack or "
    "contradict) and genre."
)
FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command("iks")
@click.option("--sources", type=FILE, required=True, help=SOURCES)
@click.option(
    "--candidates",
    "files",
    type=FILE,
    required=True,
    multiple=True,
    help="item, sentence[, system]; one file a model. More files may follow as arguments.",
)
@click.argument("more", type=FILE, nargs=-1, metavar="[FILES]...")
@click.option(
    "--key",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where the key goes, outside the folder (default: beside it, FOLDER-key.parquet).",
)
@click.option("--lang", default="en", show_default=True, help="Language, for the balance report.")
@click.option("--seed", type=click.IntRange(min=0), required=True)
@click.option("-o", "--output", type=FOLDER, required=True, help="Folder to write.")
def command(
    sources: Path,
    *,
    files: tuple[Path, ...],
    more: tuple[Path, ...],
    key: Path | None,
    lang: str,
    seed: int,
    output: Path,
) -> None:
    """Number the candidates of each item anew, so that nothing tells which model wrote which.

    Writes items.parquet, sheet.csv (nine questions, the reference not shown), references.csv (for
    the second step), ledger.parquet, funnel.json and balance.json, none of which names a model.
    The key, which annotators must not see, lies outside the folder.
    """
    from dataclasses import replace

    import polars as pl

    from plausibly.cli.balanced import write_balance
    from plausibly.datasets.iks import QUESTIONS
    from plausibly.datasets.iks.sheet import roman
    from plausibly.io import filling, write_frame
    from plausibly.stimuli.iks import build_iks, check_key, read_candidates, read_sources

    whole = output.resolve()
    key = key or whole.with_name(f"{whole.name}-key.parquet")
    check_key(key, output, inputs=[sources, *files, *more])
    built, systems = build_iks(
        read_sources(sources), read_candidates([*files, *more]), number=roman, seed=seed
    )
    columns = [pl.lit(None, dtype=pl.String).alias(title) for title in QUESTIONS.values()]
    sheet = built.documents["sheet.csv"].with_columns(*columns)
    with filling(output) as folder:
        replace(built, documents={**built.documents, "sheet.csv": sheet}).write(folder)
        candidates = built.items.filter(pl.col("candidate").is_not_null())
        write_balance(candidates, folder, lang=lang, seed=seed)
        write_frame(systems, key)
    say(f"items: {built.documents['references.csv'].height}; candidates: {sheet.height}")
    say(f"missing or empty: {built.ledger.height}")
    say(f"keep the key from annotators: {key}")
