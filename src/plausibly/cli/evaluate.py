"""`plausibly evaluate`: how well predictions go with what people say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import FILE, options_of
from plausibly.cli.show import json_option, show, write_file
from plausibly.evaluation.truth import SCHEMES
from plausibly.verbs.evaluate import evaluate


@click.command("evaluate")
@click.argument("predictions", type=FILE)
@options_of(evaluate, names={"scheme": SCHEMES})
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Scores table to write."
)
@json_option
def command(predictions: Path, *, output: Path | None, as_json: bool, **options: Any) -> None:
    """Evaluate PREDICTIONS against what people say.

    Each measure has its 95 % interval and n; one without a value says why. Items a model says
    nothing about are left out, and its coverage says how many those are.
    """
    evaluated = evaluate(predictions, **options)
    write_file(evaluated, "scores", output)
    show(evaluated, as_json=as_json)
