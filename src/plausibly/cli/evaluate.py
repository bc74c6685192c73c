"""`plausibly evaluate`: how well predictions go with what people say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import FILE, options_of, usage
from plausibly.cli.show import json_option, show, write_file
from plausibly.cli.source import reading_options
from plausibly.evaluation.truth import SCHEMES
from plausibly.verbs.evaluate import Evaluated, check_choice, evaluate


@click.command("evaluate")
@click.argument("predictions", type=FILE)
@options_of(evaluate, without=("ratings",), names={"scheme": SCHEMES})
@click.option(
    "--ratings", type=FILE, help="Ratings to put models next to, in place of --against, --scheme."
)
@reading_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Table to write: scores or, with --ratings, the test's numbers for each person.",
)
@json_option
def command(predictions: Path, *, output: Path | None, as_json: bool, **options: Any) -> None:
    """Evaluate PREDICTIONS against what people say.

    Each measure has its 95 % interval and n; one without a value says why. Items a model says
    nothing about are left out, and its coverage says how many those are. With --ratings, each
    model is put next to people, question by question: its agreement with them and theirs with each
    other, the alternative-annotator test, which leaves every person out in turn, and with --graded
    how many people's mean predicts one more person as well.
    """
    with usage():
        check_choice(options)
    evaluated = evaluate(predictions, **options)
    table = "scores" if isinstance(evaluated, Evaluated) else "people"
    write_file(evaluated, table, output)
    show(evaluated, as_json=as_json)
