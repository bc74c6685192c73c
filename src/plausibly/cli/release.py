"""`plausibly release`: the folder others download."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.show import json_option, say, show
from plausibly.cli.source import STUDY


@click.command("release")
@click.argument("study", metavar="DIR", type=STUDY)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write; files of an older release in it are replaced.",
)
@click.option("--splits", metavar="NAME=SHARE,…", help="Splits, such as train=0.8,test=0.2.")
@click.option(
    "--split-by",
    metavar="COLUMN,…",
    help="Columns whose values must not be on two sides (default: the protocol's).",
)
@click.option("--since", type=STUDY, help="A release before this one, to say what has changed.")
@click.option(
    "--seed", type=click.IntRange(min=0), help="Seed of the splits (default: the study's)."
)
@json_option
def command(
    study: Path,
    *,
    output: Path,
    splits: str | None,
    split_by: str | None,
    since: Path | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Write the study in DIR as a dataset: tables, the paper's own forms, card, datasheet, licence.

    What only an author can say stands in DIR/release.toml. A cell that leads to a person, or
    sources whose licences cannot be joined, stop it.
    """
    from plausibly.verbs.release import release

    made = release(study, splits=splits, split_by=split_by, since=since, seed=seed)
    made.write(output)
    say(f"{output}: {len(made.as_json()['files'])} files. Read it back: plausibly load {output}")
    show(made, as_json=as_json)
