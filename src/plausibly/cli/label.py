"""`plausibly label`: from ratings to labels, by the method of your choice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.names import Name
from plausibly.cli.options import options_of, usage
from plausibly.cli.show import json_option, show, write_file
from plausibly.cli.source import ratings_source
from plausibly.datasets.schemes import SCHEMES
from plausibly.labels import METHODS
from plausibly.verbs.label import check_request, label, options_of_methods

OPTIONS = options_of_methods()


@click.command("label")
@ratings_source
@options_of(label, more=OPTIONS, names={"method": METHODS, "scheme": Name(SCHEMES, unless="=")})
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Labels table to write."
)
@json_option
def command(ratings: Path, *, output: Path | None, as_json: bool, **options: Any) -> None:
    """Label the items in FILE from their ratings.

    Ties go to the smallest label and are listed. Items without a clear label keep their row.
    """
    chosen = {name: options[name] for name in (*OPTIONS, "rescale", "seed")}
    with usage():
        check_request(options["method"], chosen)
    labelled = label(ratings, **options)
    write_file(labelled, "labels", output)
    show(labelled, as_json=as_json)
