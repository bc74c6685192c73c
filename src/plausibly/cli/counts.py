"""`plausibly counts`: what to do with counts once they are extracted."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.show import json_option, show


@click.group("counts")
def command() -> None:
    """Work with counts that were extracted."""


@command.command("merge")
@click.argument("folders", nargs=-1, required=True, metavar="DIR|NAME=DIR...")
@click.option("--memory", metavar="SIZE", help="The most a statement may hold, such as 2GB.")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write into.",
)
@json_option
def merge(folders: tuple[str, ...], *, memory: str | None, output: Path, as_json: bool) -> None:
    r"""Merge the counts in folders; the column corpus holds the name of the folder or NAME.

    \b
    plausibly counts merge wikipedia/ news=corpora/news-2020 -o both
    """
    from plausibly.verbs.counts_merge import counts_merge

    show(counts_merge(folders, output=output, memory=memory), as_json=as_json)
