"""`plausibly beside`: models' answers beside people's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import options_of
from plausibly.cli.show import json_option, show, write_file
from plausibly.cli.source import FILE, ratings_source
from plausibly.verbs.beside import beside


@click.command("beside")
@ratings_source
@click.argument("predictions", type=FILE)
@options_of(beside, without=("predictions",))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Table of the test's numbers for each person to write.",
)
@json_option
def command(
    ratings: Path, predictions: Path, *, output: Path | None, as_json: bool, **options: Any
) -> None:
    """Put the models of PREDICTIONS beside the people of FILE, question by question.

    Agreement of each model with people stands beside people's own; the alternative-annotator test
    leaves every person out in turn; with --graded, a model is also weighed by how many people's
    mean predicts one more person as well. FILE needs annotators.
    """
    result = beside(ratings, predictions, **options)
    write_file(result, "people", output)
    show(result, as_json=as_json)
