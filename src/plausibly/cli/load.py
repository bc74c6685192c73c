"""`plausibly load`: a published set, a release or a file as tables."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.show import json_option, say, show
from plausibly.cli.source import parse_names


@click.command("load")
@click.argument("name", metavar="NAME|DIR|FILE")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--data",
    envvar="PLAUSIBLY_DATA",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder with the published datasets (default: $PLAUSIBLY_DATA).",
)
@click.option(
    "--columns",
    multiple=True,
    metavar="COLUMN=NAME",
    callback=parse_names,
    help="Our COLUMN is called NAME in FILE; may be repeated.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for one Parquet file a table, and the manifest.",
)
@json_option
def command(
    name: str,
    files: tuple[Path, ...],
    data: Path | None,
    columns: dict[str, str],
    output: Path | None,
    as_json: bool,
) -> None:
    """Load a dataset as tables, with its licence and what to cite.

    NAME is pap, adept, sp10k, gita, iks, norms, conceptnet, mace, pep3k or 20q, read from the data
    folder, or from FILES in the set's own form (for pep3k the plausible and the implausible
    events). DIR is a folder `plausibly release` wrote. FILE is any table: columns item, text (or
    subject, verb, object), condition, label, annotator and answer are taken by these names, or as
    --columns says.
    """
    from plausibly.io import sparing
    from plausibly.verbs.load import load

    loaded = load(name, *files, data=data, columns=columns)
    if output is not None:
        with sparing(path for path in (Path(name), *files) if path.is_file()):
            loaded.write(output)
        say(f"{output}: {', '.join(f'{table}.parquet' for table in loaded.tables)}.")
    show(loaded, as_json=as_json)
