"""Options that several commands share: how files are read, where data are, pseudonyms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from plausibly.cli.names import Name
from plausibly.registry import Registry

F = TypeVar("F", bound=Callable[..., Any])

FILE = click.Path(path_type=Path, exists=True)
RATINGS = click.Path(path_type=Path, exists=True, allow_dash=True)
AUTO = "auto"
FORMATS = (
    *("answers", "argilla", "crowdkit", "doccano", "iks", "jspsych", "labelstudio", "long", "mace"),
    *("mturk", "pap", "pcibex", "potato", "prodigy", "prolific", "wide"),
)
OPEN_FORMATS: Registry[object] = Registry(
    "format", dict.fromkeys((AUTO, *FORMATS), ""), group="plausibly.formats"
)


def output_option(
    help_text: str, *, folder: bool, required: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option that names the file or folder to write."""
    kind = click.Path(path_type=Path, file_okay=not folder, dir_okay=folder)
    return click.option("-o", "--output", type=kind, required=required, help=help_text)


def parse_names(
    ctx: click.Context, parameter: click.Parameter, pairs: tuple[str, ...]
) -> dict[str, str] | None:
    """Return {our column: their column} from repeated `column=name` options, None without any."""
    del ctx
    names: dict[str, str] = {}
    for pair in pairs:
        ours, equals, theirs = pair.partition("=")
        if not (ours and equals and theirs):
            raise click.BadParameter(f"expected column=name, got {pair!r}.", param=parameter)
        names[ours] = theirs
    return names or None


KEY: Mapping[str, Any] = {
    "envvar": "PLAUSIBLY_KEY",
    "metavar": "SECRET",
    "help": "Secret of the pseudonyms that replace ids of people (default: $PLAUSIBLY_KEY).",
}
DATA: Mapping[str, Any] = {
    "envvar": "PLAUSIBLY_DATA",
    "type": click.Path(path_type=Path, file_okay=False, exists=True),
    "help": "Folder with the published datasets (default: $PLAUSIBLY_DATA).",
}
SPECIAL: Mapping[str, Callable[[Any], Any]] = {
    "format": click.option(
        "--format",
        "format",
        default=AUTO,
        show_default=True,
        type=Name(OPEN_FORMATS, unless=":"),
        help="Format of the file; auto recognises it from what the file contains.",
    ),
    "columns": click.option(
        "--columns",
        multiple=True,
        metavar="COLUMN=NAME",
        callback=parse_names,
        help="Our COLUMN is called NAME in the file; may be repeated.",
    ),
    "missing": click.option(
        "--missing",
        metavar="A,B,…",
        help="Additional answers to treat as missing, besides NA, N/A, NaN, None, null, #N/A and "
        'blanks. Missing answers are dropped and counted. Pass "" to treat no answer as missing.',
    ),
    "key": click.option("--key", **KEY),
    "data": click.option("--data", **DATA),
}
"""Options whose form does not follow from their type."""


def reading_options(command: F) -> F:
    """Give a command the options of reading ratings: `format`, `columns`, `missing`."""
    for name in ("missing", "columns", "format"):
        command = SPECIAL[name](command)
    return command


def ratings_source(command: F) -> F:
    """Give a command what verbs read ratings with: `ratings`, `format`, `columns`, `missing`."""
    return click.argument("ratings", metavar="FILE", type=RATINGS)(reading_options(command))


def _keep_ids(ctx: click.Context, parameter: click.Parameter, keep: bool) -> bool:
    """Return whether ids are kept; a key of the environment gives way to that."""
    if keep and ctx.get_parameter_source("key") is click.core.ParameterSource.COMMANDLINE:
        raise click.BadParameter("a key for pseudonyms and --keep-ids exclude each other.", ctx)
    del parameter
    ctx.params["key"] = None if keep else ctx.params.get("key") or None
    return keep


def key_options(command: F) -> F:
    """Give a command `key` and `keep_ids`: what becomes of the ids of people."""
    command = click.option(
        "--keep-ids",
        is_flag=True,
        callback=_keep_ids,
        help="Keep the ids of people unchanged.",
    )(command)
    return click.option("--key", is_eager=True, **KEY)(command)


NO_FOLDER = (
    "no data folder named. Pass --data DIR or set PLAUSIBLY_DATA; "
    "'plausibly data list' shows what belongs in it."
)


def _folder(ctx: click.Context, parameter: click.Parameter, folder: Path | None) -> Path:
    del ctx
    if folder is None:
        raise click.BadParameter(NO_FOLDER, param=parameter)
    return folder


data_option = click.option("--data", callback=_folder, **DATA)

STUDY = click.Path(path_type=Path, exists=True, file_okay=False)
