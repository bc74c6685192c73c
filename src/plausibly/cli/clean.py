"""`plausibly clean`: rules in order, a ledger of what was set aside, and the cascade."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import options_of
from plausibly.cli.progress import progress
from plausibly.cli.show import json_option, show
from plausibly.cli.source import key_options, ratings_source
from plausibly.errors import StudyError
from plausibly.verbs.clean import clean

MANY = 50  # ways to clean from which on progress is said


@click.command("clean")
@ratings_source
@click.option("--preset", required=True, metavar="NAME|RULES.toml", help="Rules to apply.")
@options_of(clean, without=("watch",))
@key_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder to write into.",
)
@json_option
@click.option("--strict", is_flag=True, help="Exit 1 if a step has a note.")
def command(
    ratings: Path, *, preset: str, output: Path, as_json: bool, strict: bool, **options: Any
) -> None:
    """Clean the ratings in FILE and write what is kept, what is not, and why.

    NAME is pap, pap-text, adept, sp10k, recommended or recommended-competence. Ratings of
    checks, gold and attention items are set aside before the first rule: they are no part of
    the data.
    """
    with progress(lines=MANY) as watch:
        cleaned = clean(ratings, preset, watch=watch, **options)
    cleaned.write(output)
    show(cleaned, as_json=as_json, where=output)
    notes = [str(step["note"]) for step in cleaned.cascade if step["note"]]
    if strict and notes:
        raise StudyError(f"{output}: {len(notes)} steps have a note (first: {notes[0]})")
