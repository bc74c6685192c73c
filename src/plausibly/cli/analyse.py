"""`plausibly analyse`: what moves the answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import options_of
from plausibly.cli.show import json_option, show
from plausibly.cli.source import ratings_source
from plausibly.verbs.analyse import analyse


@click.command("analyse")
@ratings_source
@options_of(analyse)
@json_option
def command(ratings: Path, *, as_json: bool, **options: Any) -> None:
    """Report what moves the ordered answers in FILE: a cumulative-link mixed model.

    Fixed effects are columns of the ratings or of their items; items, people and words whose
    groups have several ratings vary at random. Fitted by the Laplace approximation.
    """
    show(analyse(ratings, **options), as_json=as_json)
