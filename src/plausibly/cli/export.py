"""`plausibly export`: questions to language models for other harnesses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from plausibly.asking.subjects import SUBJECTS
from plausibly.cli.derived import command_of, declaration_at
from plausibly.cli.names import Name
from plausibly.cli.options import options_of
from plausibly.cli.show import json_option, say, show
from plausibly.verbs.export import Exported, export_inspect, export_lm_eval

F = TypeVar("F", bound=Callable[..., Any])


@click.group("export")
def command() -> None:
    """Write the questions of a dataset as tasks of another harness."""


command.add_command(command_of(declaration_at("plausibly.verbs.analyse:export_r")))


def _options(function: F) -> F:
    """Give a command the options both harnesses share."""
    for decorate in (
        json_option,
        click.option(
            "-o",
            "--output",
            required=True,
            type=click.Path(path_type=Path, file_okay=False),
            help="Folder to write.",
        ),
        click.option(
            "--data",
            envvar="PLAUSIBLY_DATA",
            type=click.Path(path_type=Path, file_okay=False, exists=True),
            help="Folder with the published datasets (default: $PLAUSIBLY_DATA).",
        ),
        options_of(export_lm_eval, without=("dataset", "output", "data")),
        click.argument("dataset", type=Name(SUBJECTS)),
    ):
        function = decorate(function)
    return function


@command.command("lm-eval")
@_options
def lm_eval(dataset: str, *, output: Path, as_json: bool, **options: Any) -> None:
    """Write DATASET as tasks of the lm-evaluation-harness.

    Run them there with: lm_eval --include_path DIR --tasks NAME --log_samples --output_path OUT;
    'plausibly score gita OUT' reads the samples.
    """
    _show(export_lm_eval(dataset, output=output, **options), output, as_json=as_json)


@command.command("inspect")
@_options
def inspect(dataset: str, *, output: Path, as_json: bool, **options: Any) -> None:
    """Write DATASET as tasks of inspect_ai.

    Run them there with: inspect eval DIR/tasks.py
    """
    _show(export_inspect(dataset, output=output, **options), output, as_json=as_json)


def _show(result: Exported, output: Path, *, as_json: bool) -> None:
    show(result, as_json=as_json)
    say(f"{output}: {len(result.sizes)} tasks.")
