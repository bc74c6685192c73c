"""`plausibly score`: published scorers over a model's own answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import options_of
from plausibly.cli.show import json_option, show
from plausibly.cli.source import FILE
from plausibly.errors import StudyError
from plausibly.verbs.score import score


@click.group("score")
def command() -> None:
    """Score a model's answers by the published rules and by ours."""


@command.command("gita")
@click.argument(
    "folder", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@options_of(score)
@json_option
@click.option("--strict", is_flag=True, help="Exit 1 if anything is noted.")
def gita(folder: Path, *, as_json: bool, strict: bool, **options: Any) -> None:
    """Score the answers in DIR: accuracy, consistency, verifiability.

    DIR holds story_class, conflict_detec and physical_state as .jsonl or .jsonl.gz, the sample
    files of the lm-evaluation-harness, or what 'plausibly ask gita' wrote; with several ways of
    asking, scores are their mean. Intervals resample whole stories.
    """
    result = score("gita", folder, **options)
    show(result, as_json=as_json)
    notes = result.talk[1:]
    if strict and notes:
        raise StudyError(f"{folder}: {len(notes)} notes (first: {notes[0]})")


@command.command("gita-trip")
@click.argument("file", type=FILE)
@json_option
def gita_trip(file: Path, as_json: bool) -> None:
    """Count the story pairs of FILE that are accurate, consistent and verifiable."""
    show(score("gita-trip", file), as_json=as_json)
