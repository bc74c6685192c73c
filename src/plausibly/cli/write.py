"""`plausibly write`: ratings in another format."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.guard import WrittenCommand
from plausibly.cli.show import say
from plausibly.cli.source import FILE, output_option


@click.command("write", cls=WrittenCommand)
@click.argument("ratings", metavar="FILE", type=FILE)
@click.option("--format", required=True, help="Format to write.")
@output_option("File to write.", folder=False)
@click.option("--items", type=FILE, help="Items table, for formats that carry items.")
def command(ratings: Path, *, format: str, output: Path, items: Path | None) -> None:
    """Write the ratings table FILE in another format."""
    from plausibly.verbs.write import write

    write(ratings, output, format=format, items=items)
    say(f"{output}: written in the {format} format.")
