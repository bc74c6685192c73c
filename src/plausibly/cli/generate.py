"""`plausibly generate`: sentences that models write between two others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import options_of
from plausibly.cli.progress import progress
from plausibly.cli.show import json_option, show
from plausibly.cli.source import FILE
from plausibly.verbs.generate import generate


@click.command("generate")
@click.argument("sources", type=FILE)
@click.option(
    "--model",
    required=True,
    metavar="MODEL",
    help="smollm2, gemma3-270m, hf:DIR, openai:URL[#NAME], replay:FILE, constant:ANSWER or "
    "mock:SEED.",
)
@options_of(generate, without=("sources", "model", "output", "watch"))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for candidates.csv, answers and manifest.",
)
@json_option
def command(sources: Path, *, model: str, output: Path, as_json: bool, **options: Any) -> None:
    """Let a language model write what connects the two sentences of each row of SOURCES.

    SOURCES has item, source_1, source_2 and, for --constraints concepts, concepts between
    semicolons. The same command again asks only what is missing; 'plausibly build iks' makes
    a sheet of the sentences, and 'plausibly score candidates' measures them.
    """
    with progress() as watch:
        result = generate(sources, model=model, output=output, watch=watch, **options)
    show(result, as_json=as_json)
