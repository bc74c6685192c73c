"""`plausibly export r`: ratings and a script that fits an ordinal mixed model in R."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import options_of
from plausibly.cli.show import json_option, say, show
from plausibly.cli.source import ratings_source
from plausibly.verbs.analyse import export_r


@click.command("r")
@ratings_source
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write.",
)
@options_of(export_r, without=("output",))
@json_option
def command(ratings: Path, *, output: Path, as_json: bool, **options: Any) -> None:
    """Write the ratings in FILE and a script that fits an ordinal mixed model to them in R.

    The script uses the package ordinal, and brms where it is installed and $BRMS is set.
    """
    result = export_r(ratings, output=output, **options)
    say(f"{output / 'model.R'}: run it there with Rscript model.R.")
    show(result, as_json=as_json)
