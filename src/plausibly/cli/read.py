"""`plausibly read`: ratings of any format as our table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plausibly.cli.derived import FORCE
from plausibly.cli.guard import WrittenCommand
from plausibly.cli.show import json_option, print_json, say, show
from plausibly.cli.source import FILE, key_options, ratings_source

if TYPE_CHECKING:
    from plausibly.verbs.read import ReadRatings

OUT = click.Path(path_type=Path, dir_okay=False)


@click.command("read", cls=WrittenCommand)
@ratings_source
@click.option(
    "-o", "--output", type=OUT, help="Ratings table to write; without it, nothing is written."
)
@click.option("--write-items", type=OUT, help="File for the items that FILE describes.")
@click.option("--write-annotators", type=OUT, help="File for what FILE reports about people.")
@click.option(
    "--annotators",
    type=FILE,
    help="Prolific export or table about annotators, joined by annotator.",
)
@click.option(
    "--encoding",
    metavar="NAME",
    help="Encoding of a text file, such as cp1252. Default: its byte order mark, else UTF-8, "
    "else cp1252; a guess is reported.",
)
@click.option(
    "--duplicates",
    type=click.Choice(("stop", "first", "last", "mean")),
    default="stop",
    show_default=True,
    help="What to do with rows that repeat a rating and differ: stop, keep the first or the last, "
    "or store the mean of their answers. Exact copies are dropped and counted; unless you choose, "
    "a rating given again at another time is stored as a retest.",
)
@click.option(
    "--header-row",
    type=click.IntRange(min=1),
    help="Line of the header, counted from 1. Default: the first below any titles.",
)
@click.option(
    "--sheet",
    help="Name or number of the sheet of a workbook. Default: the first that holds ratings.",
)
@click.option(
    "--decimal",
    type=click.Choice((".", ",")),
    help="Decimal sign of numbers. Default: a point, or a comma where cells are not separated by "
    "commas.",
)
@key_options
@FORCE
@json_option
def command(
    ratings: Path,
    *,
    output: Path | None,
    write_items: Path | None,
    write_annotators: Path | None,
    force: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Look at the ratings in FILE, or store them as a ratings table with -o.

    Without -o, nothing is written: you see which program wrote the file, what each column is, what
    is missing, duplicate or dropped, the scale of each question, the first rows as they will be
    stored, and the command that stores them.

    Ids of people that look like those of a platform or like a mail address are replaced by
    pseudonyms. Their secret is kept in OUTPUT.key, which only you can read, and is used again
    the next time you write to the same OUTPUT; --key sets another secret.
    """
    from plausibly.errors import StudyError
    from plausibly.ratings.people import key_file
    from plausibly.verbs.read import read

    result = read(ratings, **options)
    if output is None:
        _look(result, {"items": write_items, "annotators": write_annotators}, as_json=as_json)
        return
    if result.ratings.is_empty() and write_annotators is None:
        raise StudyError(
            f"{ratings}: no answers, only facts about people. Keep them with --write-annotators "
            "FILE, or pass this file as --annotators together with a file of ratings."
        )
    wanted = {"ratings": output, "items": write_items, "annotators": write_annotators}
    places = {name: path for name, path in wanted.items() if path is not None}
    for name in places:
        if name not in result.tables:
            form = result.layout.form
            raise StudyError(f"the {form} format has no {name}. Drop --write-{name}.")
    written = result.write_files(places, force=force)
    if as_json:
        print_json(written.as_json())
    for sentence in written.notes:
        say(sentence)
    if written.secret:
        say(f"{key_file(output)}: the secret of the pseudonyms. Keep it, and show it to nobody.")
    say(f"{output}: {written.talk[-1]} Next: plausibly agree {output}")


def _look(result: ReadRatings, others: Mapping[str, Path | None], *, as_json: bool) -> None:
    """Print what would be stored."""
    for name, path in others.items():
        if path is not None:
            raise click.UsageError(f"--write-{name} needs -o, the file for the ratings.")
    show(result, as_json=as_json)
