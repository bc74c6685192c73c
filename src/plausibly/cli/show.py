"""What commands share in talking: JSON and tables on stdout, everything else on stderr."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from plausibly.errors import flag, shown, spelled

if TYPE_CHECKING:
    from plausibly.study.results import Result

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document on stdout."
)


def print_json(document: object) -> None:
    """Print exactly one JSON document on stdout; what is not a number is null."""
    click.echo(spelled(_text(document), flag))


def _text(document: object) -> str:
    """Return a document as JSON, each of its parts on a line of its own.

    Indenting every level would take ten times as long on labels of many items.
    """
    if isinstance(document, Mapping) and document:
        parts = (f"  {_dumped(str(key))}: {_dumped(value)}" for key, value in document.items())
        return "{\n" + ",\n".join(parts) + "\n}"
    if isinstance(document, list) and document:
        return "[\n" + ",\n".join(f"  {_dumped(value)}" for value in document) + "\n]"
    return _dumped(document)


def _dumped(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):  # not a number, or a mapping that is no dict
        from plausibly.study.results import finite

        return json.dumps(finite(value), ensure_ascii=False, allow_nan=False)


def show(result: Result, *, as_json: bool) -> None:
    """Print what a verb returned: its JSON or its text on stdout, its talk on stderr."""
    if as_json:
        print_json(result.as_json())
    else:
        click.echo(spelled(result.text(), flag), nl=False)
    for sentence in result.made.guesses:
        say(sentence)
    for sentence in result.talk:
        say(sentence)


def say(text: str) -> None:
    """Say something to the person at the terminal; stdout stays free for data.

    A sentence may quote what a file holds, however long, so each line is cut and made printable.
    """
    click.echo("\n".join(map(shown, spelled(text, flag).split("\n"))), err=True)


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table for people: padded columns on stdout, numbers to the right."""
    from plausibly.study.text_tables import text_table

    click.echo(text_table(header, rows), nl=False)
