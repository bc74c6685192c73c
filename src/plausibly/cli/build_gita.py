"""`plausibly build gita`: variants of short stories."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from plausibly.cli.balanced import write_balance
from plausibly.cli.show import say
from plausibly.cli.source import FILE

FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command("gita")
@click.argument("stories", type=FILE)
@click.option("--lang", default="it", show_default=True, help="Language of the stories: it or en.")
@click.option("--swaps", type=click.IntRange(min=0), help="Best exchanges a story (default: all).")
@click.option("--opposites", type=FILE, help="Table of verbs: verb, opposite; for proposals.")
@click.option("-o", "--output", type=FOLDER, required=True, help="Folder to write.")
def command(
    stories: Path, *, lang: str, swaps: int | None, opposites: Path | None, output: Path
) -> None:
    """Exchange sentences of STORIES, keep what authors wrote, and say what to read.

    Writes items.parquet, states.parquet, proposals.parquet, reading.parquet, findings.json,
    ledger.parquet, funnel.json, balance.json, and the stories in both released forms
    (revised.jsonl and first.json). What a form cannot say it carries in a field named after the
    other one, so that each can be built from the other again.
    """
    from plausibly.datasets.gita.stories import read_stories
    from plausibly.io import filling
    from plausibly.stimuli.gita.building import build_gita

    table = _opposites(opposites) if opposites else None
    with filling(output) as folder:
        built = build_gita(read_stories(stories), lang=lang, swaps=swaps, opposites=table)
        built.write(folder)
        write_balance(built.items, folder, lang=lang)
    for (condition, status), count in Counter(
        built.items.select("condition", "status").iter_rows()
    ).items():
        say(f"{condition}, {status}: {count}")
    for rule, count in sorted(Counter(built.ledger["rule"]).items()):
        say(f"left out, {rule}: {count}")
    notes = len(built.documents["findings.json"])
    alone, proposals = (built.tables[name].height for name in ("reading", "proposals"))
    say(f"findings: {notes}")
    say(f"sentences to read alone: {alone}; proposals: {proposals}")


def _opposites(path: Path) -> dict[str, str]:
    from plausibly.errors import TableError
    from plausibly.io import read_rows

    rows = read_rows(path)
    if not {"verb", "opposite"} <= set(rows.frame.columns):
        found = ", ".join(rows.frame.columns)
        raise TableError(f"{path}: columns verb and opposite are needed. Columns found: {found}.")
    rows.reject([])
    return dict(rows.frame.select("verb", "opposite").drop_nulls().iter_rows())
