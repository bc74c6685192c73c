"""`plausibly ask`: what language models answer about datasets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.derived import texts_of
from plausibly.cli.options import options_of
from plausibly.cli.progress import progress
from plausibly.cli.show import json_option, say, show
from plausibly.cli.source import SPECIAL
from plausibly.errors import StudyError
from plausibly.study.verb import declared
from plausibly.verbs.ask import Asked, AskedTable, ask, several

OWN = ("dataset", "model", "data", "output", "watch")


@click.command("ask", **texts_of(declared(ask)))
@click.argument("dataset")
@click.option(
    "--model",
    required=True,
    multiple=True,
    metavar="MODEL",
    help="smollm2, gemma3-270m, hf:DIR|NAME, openai:URL[#NAME], anthropic:MODEL, replay:FILE, "
    "constant:ANSWER or mock:SEED; several give a table.",
)
@options_of(ask, without=OWN)
@SPECIAL["data"]
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for answers, predictions, samples and manifest; not needed for a forecast.",
)
@json_option
@click.option("--strict", is_flag=True, help="Exit with 1 if anything was not answered.")
def command(
    dataset: str,
    *,
    model: tuple[str, ...],
    output: Path | None,
    as_json: bool,
    strict: bool,
    **options: Any,
) -> None:
    """Ask; print before the first paid query what it will cost, and afterwards what was lost."""
    many = several(dataset, model)
    if output is None and (many or not (options["dry"] or options["forecast"])):
        raise click.UsageError("Missing option '-o' / '--output'.")
    with progress() as watch:
        result: Asked | AskedTable
        if many and output is not None:
            result = ask(dataset, model=model, output=output, watch=watch, **options)
        else:
            if options["price"] and not options["forecast"]:
                before = ask(
                    dataset, model=model[0], output=output, **{**options, "forecast": True}
                )
                _announce(before)
            result = ask(dataset, model=model[0], output=output, watch=watch, **options)
    show(result, as_json=as_json)
    if isinstance(result, Asked) and result.forecast is None:
        say(f"{output}: {len(result.samples)} samples.")
    lost = result.notes if isinstance(result, AskedTable) else result.lost
    if strict and lost:
        raise StudyError(f"{output}: {lost[0]}")


def _announce(before: Asked) -> None:
    """Say what is about to be paid, before the first call."""
    expected = before.forecast or {}
    say(
        f"Forecast: {expected['to_send_at_most']} queries at most, about "
        f"{expected['prompt_tokens_about']} tokens read and {expected['answer_tokens_about']} "
        f"written, about {expected['cost_about']:.4f}."
    )
