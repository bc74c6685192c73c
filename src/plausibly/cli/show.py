"""What commands share in talking: JSON and tables on stdout, everything else on stderr."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence

import click

MISSING = "\N{EN DASH}"

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document on stdout."
)


def print_json(document: object) -> None:
    """Print exactly one JSON document on stdout; what is not a number is null."""
    click.echo(json.dumps(_finite(document), ensure_ascii=False, allow_nan=False, indent=2))


def _finite(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return value


def say(text: str) -> None:
    """Say something to the person at the terminal; stdout stays free for data."""
    click.echo(text, err=True)


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table for people: padded columns on stdout, numbers to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [
        max(len(name), *(len(row[column]) for row in cells)) if cells else len(name)
        for column, name in enumerate(header)
    ]
    right = [bool(cells) and all(_numeric(row[c]) for row in cells) for c in range(len(header))]
    for line in [list(header), ["-" * width for width in widths], *cells]:
        padded = [
            text.rjust(width) if numeric else text.ljust(width)
            for text, width, numeric in zip(line, widths, right, strict=True)
        ]
        click.echo("  ".join(padded).rstrip())


def _cell(value: object) -> str:
    if value is None:
        return MISSING
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _numeric(text: str) -> bool:
    return text == MISSING or text.replace(".", "", 1).replace("-", "", 1).isdecimal()
