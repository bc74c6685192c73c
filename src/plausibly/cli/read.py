"""`plausibly read`: ratings of any format as our table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.show import say
from plausibly.cli.source import FILE, key_options, ratings_source

OUT = click.Path(path_type=Path, dir_okay=False)


@click.command("read")
@ratings_source
@click.option("-o", "--output", type=OUT, required=True, help="Ratings table to write.")
@click.option("--write-items", type=OUT, help="Write the items the file describes here.")
@click.option("--write-annotators", type=OUT, help="Write facts about people here.")
@click.option(
    "--annotators", type=FILE, help="Prolific export or table of facts to join by annotator."
)
@key_options
def command(
    ratings: Path,
    *,
    output: Path,
    write_items: Path | None,
    write_annotators: Path | None,
    **options: Any,
) -> None:
    """Read ratings from FILE and write them as our table.

    Ids of people that look like those of a platform or like a mail address are replaced by
    pseudonyms. Their secret is kept in OUTPUT.key, readable by you alone, and is used again the
    next time you write to the same OUTPUT; --key sets your own.
    """
    from plausibly.errors import StudyError
    from plausibly.io import write_json, write_tables
    from plausibly.ratings.people import key_file
    from plausibly.tables import TABLES
    from plausibly.verbs.read import read

    result = read(ratings, **options).as_written(output)
    if result.ratings.is_empty() and write_annotators is None:
        raise StudyError(
            f"{ratings}: no answers, only facts about people. Keep them with --write-annotators "
            "FILE, or pass this file as --annotators together with a file of ratings."
        )
    wanted = {"ratings": output, "items": write_items, "annotators": write_annotators}
    for name, path in wanted.items():
        if path is not None and name not in result.tables:
            raise StudyError(f"the {options['format']} format has no {name}. Drop --write-{name}.")
    with result.keeping_secret(output):
        tables = {name: path for name, path in wanted.items() if path is not None}
        write_tables(*((getattr(result, n), path, TABLES[n]) for n, path in tables.items()))
    write_json(output.with_name(f"{output.name}.manifest.json"), result.manifest)
    for sentence in result.notes:
        say(sentence)
    if result.secret:
        say(f"{key_file(output)}: the secret of the pseudonyms. Keep it, and show it to nobody.")
    say(f"{output}: {result.talk[-1]} Next: plausibly agree {output}")
