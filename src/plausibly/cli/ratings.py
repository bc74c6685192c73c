"""`plausibly ratings import` and `plausibly ratings export`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.show import say
from plausibly.cli.source import FILE, key_options, ratings_source

if TYPE_CHECKING:
    from plausibly.ratings.people import Naming

OUT = click.Path(path_type=Path, dir_okay=False)


@click.group("ratings")
def command() -> None:
    """Import and export ratings."""


@command.command("import")
@ratings_source
@click.option("-o", "--output", type=OUT, required=True, help="Ratings table to write.")
@click.option("--items", "items_out", type=OUT, help="Write the items the file describes here.")
@click.option("--annotators", "annotators_out", type=OUT, help="Write facts about people here.")
@click.option("--people", type=FILE, help="Prolific export or table of facts to join by annotator.")
@key_options
def import_(
    file: Path,
    *,
    form: str,
    names: dict[str, str],
    output: Path,
    items_out: Path | None,
    annotators_out: Path | None,
    people: Path | None,
    naming: Naming,
) -> None:
    """Read ratings from FILE and write them as our table.

    The ids of people on Mechanical Turk and Prolific are replaced by pseudonyms: by numbers, or
    with --key by ones that are the same in every file read with that key.
    """
    from plausibly.errors import StudyError
    from plausibly.io import write_tables
    from plausibly.ratings import import_ratings
    from plausibly.ratings.prolific import join_people
    from plausibly.tables import ANNOTATORS, ITEMS, RATINGS

    imported = import_ratings(file, form=form, names=names, naming=naming)
    if people is not None:
        imported = join_people(imported, people, naming=naming)
    wanted = [
        (items_out, imported.items, ITEMS),
        (annotators_out, imported.annotators, ANNOTATORS),
    ]
    for path, frame, table in wanted:
        if path is not None and frame is None:
            raise StudyError(f"the {form} form says nothing about {table.name}. Leave it away.")
    told = [(frame, path, table) for path, frame, table in wanted if path and frame is not None]
    write_tables((imported.ratings, output, RATINGS), *told)
    ratings = imported.ratings
    say(
        f"{output}: {ratings.height} ratings of {ratings['item'].n_unique()} items "
        f"by {ratings['annotator'].n_unique()} annotators."
    )


@command.command("export")
@click.argument("file", type=FILE)
@click.option("--format", "form", required=True, help="Form to write.")
@click.option("-o", "--output", type=OUT, required=True, help="File to write.")
@click.option("--items", "items_in", type=FILE, help="Items table, for forms that carry items.")
def export(file: Path, form: str, output: Path, items_in: Path | None) -> None:
    """Write the ratings table FILE in another form."""
    from plausibly.io import read_table
    from plausibly.ratings import export_ratings, read_ratings
    from plausibly.tables import ITEMS

    items = read_table(items_in, ITEMS) if items_in else None
    export_ratings(read_ratings(file), output, form=form, items=items)
    say(f"{output}: written in the {form} form.")
