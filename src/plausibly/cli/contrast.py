"""`plausibly contrast`: models of a pair on the same stories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import options_of
from plausibly.cli.show import json_option, show, write_file
from plausibly.verbs.contrast import contrast


@click.command("contrast")
@click.argument(
    "folders",
    metavar="DIR DIR…",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
)
@options_of(contrast, without=("answers",))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Table to write."
)
@json_option
def command(
    folders: tuple[Path, ...], *, output: Path | None, as_json: bool, **options: Any
) -> None:
    """Contrast the models whose answers to GITA lie in DIR: base and instruct, small and large.

    Each DIR is what 'plausibly score gita' reads. Every tier is compared on the same stories, and
    how often a model gives an answer stands beside how often it is right to.
    """
    contrasted = contrast(list(folders), **options)
    write_file(contrasted, "contrasts", output)
    show(contrasted, as_json=as_json)
