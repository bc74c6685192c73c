"""`plausibly winograd`: questions answered by the higher of two scores."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.show import json_option, print_json, print_table
from plausibly.cli.source import FILE


@click.command("winograd")
@click.argument("scores", type=FILE)
@click.option(
    "--no-answer",
    type=click.Choice(["equal", "either-missing"]),
    default="equal",
    show_default=True,
    help="When a question has no answer: equal scores, or also when a pair is missing (0).",
)
@json_option
def command(scores: Path, no_answer: str, as_json: bool) -> None:
    """Count right, wrong and unanswered questions of SCORES.

    Columns go by position: question, score of A, score of B, a label that is ignored, and the
    right answer. A_p leaves unanswered questions out, A_o counts each as a coin flip.
    """
    from typing import cast

    from plausibly.datasets.winograd import read_scores
    from plausibly.evaluation.winograd import NoAnswer, winograd

    result = winograd(read_scores(scores), no_answer=cast(NoAnswer, no_answer))
    if as_json:
        print_json(result.as_json())
    else:
        print_table(tuple(result.as_json()), [tuple(result.as_json().values())])
