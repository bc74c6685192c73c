"""What commands share in talking: JSON and tables on stdout, everything else on stderr."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

    from plausibly.study.results import Result

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document on stdout."
)


def print_json(document: object) -> None:
    """Print exactly one JSON document on stdout; what is not a number is null."""
    from plausibly.study.results import finite

    click.echo(json.dumps(finite(document), ensure_ascii=False, allow_nan=False, indent=2))


def show(result: Result, *, as_json: bool, where: Path | None = None) -> None:
    """Print what a verb returned: its JSON or its text on stdout, its talk on stderr."""
    if as_json:
        print_json(result.as_json())
    else:
        click.echo(result.text(), nl=False)
    for sentence in result.talk:
        say(f"{where}: {sentence}" if where and sentence is result.talk[-1] else sentence)


def write_file(result: Result, name: str, output: Path | None) -> None:
    """Write one table of a result to the file `-o` names, and the manifest beside it."""
    from plausibly.io import write_json
    from plausibly.study.results import put_table

    if output is None:
        return
    table = result.tables[name]
    put_table(name, table, output)
    write_json(output.with_name(f"{output.name}.manifest.json"), result.manifest)
    say(f"{output}: {result.manifest['rows'][name]} {name}.")


def say(text: str) -> None:
    """Say something to the person at the terminal; stdout stays free for data."""
    click.echo(text, err=True)


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table for people: padded columns on stdout, numbers to the right."""
    from plausibly.study.results import text_table

    click.echo(text_table(header, rows), nl=False)
