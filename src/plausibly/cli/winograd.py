"""`plausibly winograd`: questions answered by the higher of two scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import options_of
from plausibly.cli.show import json_option, show
from plausibly.cli.source import FILE
from plausibly.verbs.winograd import winograd


@click.command("winograd")
@click.argument("scores", type=FILE)
@options_of(winograd)
@json_option
def command(scores: Path, *, as_json: bool, **options: Any) -> None:
    """Count right, wrong and unanswered questions of SCORES.

    Columns go by position: question, score of A, score of B, a label that is ignored, and the
    right answer. A_p leaves unanswered questions out, A_o counts each as a coin flip.
    """
    show(winograd(scores, **options), as_json=as_json)
