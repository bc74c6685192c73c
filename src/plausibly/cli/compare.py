"""`plausibly compare`: models on the same items, with paired tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import FILE, options_of, usage
from plausibly.cli.show import json_option, show, write_file
from plausibly.evaluation.truth import SCHEMES
from plausibly.verbs.compare import check_scheme, compare


@click.command("compare")
@click.argument("predictions", type=FILE, nargs=-1, required=True)
@options_of(compare, names={"scheme": (*SCHEMES, "gita")})
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Table to write."
)
@json_option
def command(
    predictions: tuple[Path, ...], *, output: Path | None, as_json: bool, **options: Any
) -> None:
    """Compare every two models in PREDICTIONS on the items both judged.

    Accuracies are compared by McNemar's exact test, everything else by exchanging the models unit
    by unit; p is corrected for all comparisons of a metric (Holm). A ratings table in place of
    predictions compares a person with the models. With --scheme gita, PREDICTIONS are folders that
    'plausibly score gita' reads: every tier is compared on the same stories, with how often a model
    gives an answer and how often it is right to.
    """
    with usage():
        check_scheme(options, options["rules"])
    compared = compare(predictions, **options)
    write_file(compared, "comparisons", output)
    show(compared, as_json=as_json)
