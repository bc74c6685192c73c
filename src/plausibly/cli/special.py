"""Options whose form does not follow from their type: how files are read, where data lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from plausibly.cli.names import Name
from plausibly.cli.source import AUTO, FORMATS, parse_names

SPECIAL: Mapping[str, Callable[[Any], Any]] = {
    "format": click.option(
        "--format",
        "format",
        default=AUTO,
        show_default=True,
        type=Name((AUTO, *FORMATS)),
        help="Format of the file; auto recognises it from what the file contains.",
    ),
    "columns": click.option(
        "--columns",
        "columns",
        multiple=True,
        metavar="COLUMN=NAME",
        callback=parse_names,
        help="Our COLUMN is called NAME in the file; may be repeated.",
    ),
    "missing": click.option(
        "--missing",
        metavar="A,B,…",
        help="Additional answers to treat as missing, besides NA, N/A, NaN, None, null, #N/A and "
        'blanks. Missing answers are dropped and counted. "" for none at all.',
    ),
    "key": click.option(
        "--key",
        envvar="PLAUSIBLY_KEY",
        metavar="SECRET",
        help="Secret of the pseudonyms that replace ids of people (default: $PLAUSIBLY_KEY).",
    ),
    "data": click.option(
        "--data",
        envvar="PLAUSIBLY_DATA",
        type=click.Path(path_type=Path, file_okay=False, exists=True),
        help="Folder with the published datasets (default: $PLAUSIBLY_DATA).",
    ),
}
