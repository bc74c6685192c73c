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
    import polars as pl

    from plausibly.cli.balanced import write_balance
    from plausibly.datasets.iks import QUESTIONS
    from plausibly.datasets.iks.sheet import roman
    from plausibly.io import filling, write_frame, write_json, write_table
    from plausibly.stimuli.iks import build_iks, check_key, read_candidates, read_sources
    from plausibly.stimuli.ledger import LEDGER
    from plausibly.tables import ITEMS

    whole = output.resolve()
    key = key or whole.with_name(f"{whole.name}-key.parquet")
    check_key(key, output, inputs=[sources, *files, *more])
    built = build_iks(
        read_sources(sources), read_candidates([*files, *more]), number=roman, seed=seed
    )
    columns = [pl.lit(None, dtype=pl.String).alias(title) for title in QUESTIONS.values()]
    with filling(output) as folder:
        write_table(built.items, folder / "items.parquet", ITEMS)
        write_frame(built.sheet.with_columns(*columns), folder / "sheet.csv")
        write_frame(built.references, folder / "references.csv")
        write_table(built.ledger, folder / "ledger.parquet", LEDGER)
        steps = [{"step": one.step, "rows": one.rows} for one in built.funnel]
        write_json(folder / "funnel.json", steps)
        write_balance(built.candidates, folder, lang=lang, seed=seed)
        write_frame(built.key, key)
    say(f"items: {built.references.height}; candidates: {built.sheet.height}")
    say(f"missing or empty: {built.ledger.height}")
    say(f"keep the key from annotators: {key}")
