"""`plausibly analyse`: reports on ratings of one protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import options_of
from plausibly.cli.show import json_option, show
from plausibly.cli.source import ratings_source
from plausibly.verbs.analyse import analyse


@click.group("analyse")
def command() -> None:
    """Say what ratings of one protocol show."""


@command.command("iks")
@ratings_source
@options_of(analyse)
@json_option
def iks(ratings: Path, *, as_json: bool, **options: Any) -> None:
    """Say how systems that write implicit knowledge fare, from the ratings in FILE.

    FILE is our ratings table, or the annotation sheet with --format iks. Slices by relation
    (support, attack, contradict) and genre come from the sheet or from --items.
    """
    show(analyse("iks", ratings, **options), as_json=as_json)
