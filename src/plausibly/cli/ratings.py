"""`plausibly ratings import` and `plausibly ratings export`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.show import say
from plausibly.cli.source import FILE, key_options, ratings_source

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
    ratings: Path,
    *,
    output: Path,
    items_out: Path | None,
    annotators_out: Path | None,
    **options: Any,
) -> None:
    """Read ratings from FILE and write them as our table.

    Ids of people that look like those of a platform or like a mail address are replaced by
    pseudonyms. The secret they are made with is kept in OUTPUT.key, for your eyes only, and used
    again by the next import to the same OUTPUT; --key names one of your own.
    """
    from contextlib import nullcontext

    from plausibly.errors import StudyError
    from plausibly.io import write_json, write_tables
    from plausibly.ratings.people import Naming, keeping_secret, key_file, secret_of
    from plausibly.tables import TABLES
    from plausibly.verbs.ratings import import_ratings

    given = options.pop("naming")
    imported = import_ratings(ratings, naming=given or Naming(secret_of(output)), **options)
    if imported.ratings.is_empty() and annotators_out is None:
        raise StudyError(
            f"{ratings}: no answers, it tells about people alone. Keep that with --annotators "
            "FILE, or pass it as --people beside a file of ratings."
        )
    wanted = {"ratings": output, "items": items_out, "annotators": annotators_out}
    for name, path in wanted.items():
        if path is not None and name not in imported.tables:
            form = options["format"]
            raise StudyError(f"the {form} form says nothing about {name}. Leave --{name} away.")
    secret = None if given else imported.secret
    with keeping_secret(output, secret) if secret else nullcontext():
        tables = {name: path for name, path in wanted.items() if path is not None}
        write_tables(*((getattr(imported, n), path, TABLES[n]) for n, path in tables.items()))
    write_json(output.with_name(f"{output.name}.manifest.json"), imported.manifest)
    for sentence in imported.notes:
        say(sentence)
    if secret:
        say(f"{key_file(output)}: the secret of the pseudonyms. Keep it, and show it to nobody.")
    say(f"{output}: {imported.talk[-1]} Next: plausibly agree {output}")


@command.command("export")
@click.argument("file", type=FILE)
@click.option("--format", "form", required=True, help="Form to write.")
@click.option("-o", "--output", type=OUT, required=True, help="File to write.")
@click.option("--items", "items_in", type=FILE, help="Items table, for forms that carry items.")
def export(file: Path, form: str, output: Path, items_in: Path | None) -> None:
    """Write the ratings table FILE in another form."""
    from plausibly.verbs.ratings import write_ratings

    write_ratings(file, output, format=form, items=items_in)
    say(f"{output}: written in the {form} form.")
