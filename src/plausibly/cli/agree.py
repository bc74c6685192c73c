"""`plausibly agree`: how far annotators agree, every measure with its interval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import options_of, usage
from plausibly.cli.show import json_option, show
from plausibly.cli.source import ratings_source
from plausibly.verbs.agree import agree, check_drawing, check_request


@click.command("agree")
@ratings_source
@options_of(agree)
@json_option
def command(ratings: Path, *, as_json: bool, **options: Any) -> None:
    """Measure how far annotators agree on the ratings in FILE.

    Each measure has its 95 % interval and n, the items; one without a value says why.
    """
    with usage():
        check_request(sides=options["sides"], measures=options["measures"])
        drawing = {name: options[name] for name in ("resample", "resamples", "seed")}
        check_drawing(**drawing)
    show(agree(ratings, **options), as_json=as_json)
