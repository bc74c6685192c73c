"""`plausibly read`: ratings of any format as our table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.derived import FORCE
from plausibly.cli.guard import WrittenCommand
from plausibly.cli.show import say
from plausibly.cli.source import FILE, key_options, ratings_source

OUT = click.Path(path_type=Path, dir_okay=False)


@click.command("read", cls=WrittenCommand)
@ratings_source
@click.option("-o", "--output", type=OUT, required=True, help="Ratings table to write.")
@click.option("--write-items", type=OUT, help="Write the items the file describes here.")
@click.option("--write-annotators", type=OUT, help="Write facts about people here.")
@click.option(
    "--annotators", type=FILE, help="Prolific export or table of facts to join by annotator."
)
@click.option(
    "--encoding",
    metavar="NAME",
    help="Encoding of a text file, such as cp1252. Default: the mark at its beginning, else UTF-8, "
    "else cp1252; a guess is reported.",
)
@click.option(
    "--duplicates",
    type=click.Choice(("stop", "first", "last", "mean")),
    default="stop",
    show_default=True,
    help="What to do with rows that repeat a rating and differ: stop, keep the first or the last, "
    "or store the mean of their answers. Exact copies are dropped and counted.",
)
@key_options
@FORCE
def command(
    ratings: Path,
    *,
    output: Path,
    write_items: Path | None,
    write_annotators: Path | None,
    force: bool,
    **options: Any,
) -> None:
    """Read ratings from FILE and write them as our table.

    Ids of people that look like those of a platform or like a mail address are replaced by
    pseudonyms. Their secret is kept in OUTPUT.key, readable by you alone, and is used again the
    next time you write to the same OUTPUT; --key sets your own.
    """
    from plausibly.errors import StudyError
    from plausibly.ratings.people import key_file
    from plausibly.verbs.read import read

    result = read(ratings, **options)
    if result.ratings.is_empty() and write_annotators is None:
        raise StudyError(
            f"{ratings}: no answers, only facts about people. Keep them with --write-annotators "
            "FILE, or pass this file as --annotators together with a file of ratings."
        )
    wanted = {"ratings": output, "items": write_items, "annotators": write_annotators}
    places = {name: path for name, path in wanted.items() if path is not None}
    for name in places:
        if name not in result.tables:
            raise StudyError(f"the {options['format']} format has no {name}. Drop --write-{name}.")
    written = result.write_files(places, force=force)
    for sentence in written.notes:
        say(sentence)
    if written.secret:
        say(f"{key_file(output)}: the secret of the pseudonyms. Keep it, and show it to nobody.")
    say(f"{output}: {written.talk[-1]} Next: plausibly agree {output}")
