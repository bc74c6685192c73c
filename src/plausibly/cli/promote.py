"""`plausibly promote`: pilot items that everyone answers alike become gold items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import options_of
from plausibly.cli.show import json_option, show, write_file
from plausibly.cli.source import ratings_source
from plausibly.verbs.promote import promote


@click.command("promote")
@ratings_source
@options_of(promote)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Items table to write."
)
@json_option
def command(ratings: Path, *, output: Path | None, as_json: bool, **options: Any) -> None:
    """Make gold items of those in FILE that everyone answered alike.

    With enough people, all of one answer, an item expects that answer from now on; the other
    items stay as they are.
    """
    promoted = promote(ratings, **options)
    write_file(promoted, "items", output)
    show(promoted, as_json=as_json)
