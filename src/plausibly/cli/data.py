"""`plausibly data list|get|verify`: the published datasets and what is in the data folder."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.guard import WrittenCommand, WrittenGroup
from plausibly.cli.progress import progress
from plausibly.cli.show import json_option, show
from plausibly.cli.source import data_option


@click.group("data", cls=WrittenGroup)
def command() -> None:
    """List, fetch and verify the published datasets."""


@command.command("list", cls=WrittenCommand)
@click.argument("name", required=False)
@click.option(
    "--data",
    envvar="PLAUSIBLY_DATA",
    type=click.Path(path_type=Path, file_okay=False),
    help="Report for every file whether it is in this folder (default: $PLAUSIBLY_DATA).",
)
@json_option
def list_(name: str | None, data: Path | None, as_json: bool) -> None:
    """Show files, sizes, checksums, licence, citation and source of all datasets, or of NAME."""
    from plausibly.verbs.data import data_list

    show(data_list(name, data=data), as_json=as_json)


@command.command("get", cls=WrittenCommand)
@click.argument("name", required=False)
@click.option(
    "--data",
    envvar="PLAUSIBLY_DATA",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder to fill (default: $PLAUSIBLY_DATA).",
)
@click.option("--mirror", help="Address of a mirror of raw.githubusercontent.com to fetch from.")
@json_option
def get(name: str | None, data: Path, mirror: str | None, as_json: bool) -> None:
    """Fetch what is missing of NAME, or of every dataset, and check it."""
    from plausibly.verbs.data import data_get

    with progress() as watch:
        result = data_get(name, data=data, mirror=mirror, watch=watch)
    show(result, as_json=as_json)


@command.command("verify", cls=WrittenCommand)
@click.argument("name", required=False)
@data_option
@json_option
@click.option("--strict", is_flag=True, help="Exit with 1 if a file is missing or different.")
def verify(name: str | None, data: Path, as_json: bool, strict: bool) -> None:
    """Check NAME, or every dataset, against the known checksums."""
    from plausibly.errors import StudyError
    from plausibly.verbs.data import data_verify

    result = data_verify(name, data=data)
    show(result, as_json=as_json)
    if strict and result.noted:
        counted = f"{len(result.noted)} of {result.files.height} files are missing or different"
        raise StudyError(f"{data}: {counted} (first: {result.noted[0]}).")
