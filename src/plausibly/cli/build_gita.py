"""`plausibly build gita`: variants of short stories."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.balanced import write_balance
from plausibly.cli.show import say
from plausibly.cli.source import FILE

if TYPE_CHECKING:
    from plausibly.stimuli.gita import Built

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
    from plausibly.stimuli.gita import build_gita

    table = _opposites(opposites) if opposites else None
    with filling(output) as folder:
        built = build_gita(read_stories(stories), lang=lang, swaps=swaps, opposites=table)
        _write(built, folder)
        write_balance(built.items, folder, lang=lang)
    for (condition, status), count in Counter(
        built.items.select("condition", "status").iter_rows()
    ).items():
        say(f"{condition}, {status}: {count}")
    for rule, count in sorted(Counter(built.ledger["rule"]).items()):
        say(f"left out, {rule}: {count}")
    say(f"findings: {len(built.findings)}")
    say(f"sentences to read alone: {built.reading.height}; proposals: {built.proposals.height}")


def _opposites(path: Path) -> dict[str, str]:
    from plausibly.errors import TableError
    from plausibly.io import read_rows

    rows = read_rows(path)
    if not {"verb", "opposite"} <= set(rows.frame.columns):
        found = ", ".join(rows.frame.columns)
        raise TableError(f"{path}: columns verb and opposite are needed. Columns found: {found}.")
    rows.reject([])
    return dict(rows.frame.select("verb", "opposite").drop_nulls().iter_rows())


def _write(built: Built, folder: Path) -> None:
    import json

    from plausibly.io import write_frame, write_json, write_table, write_text
    from plausibly.stimuli.ledger import LEDGER
    from plausibly.tables import ITEMS

    write_table(built.items, folder / "items.parquet", ITEMS)
    write_table(built.ledger, folder / "ledger.parquet", LEDGER)
    write_frame(built.states, folder / "states.parquet")
    write_frame(built.proposals, folder / "proposals.parquet")
    write_frame(built.reading, folder / "reading.parquet")
    write_json(folder / "funnel.json", built.funnel)
    write_json(folder / "findings.json", [finding.as_json() for finding in built.findings])
    write_json(folder / "first.json", {"test": built.first})
    lines = (json.dumps(story, ensure_ascii=False) + "\n" for story in built.revised)
    write_text(folder / "revised.jsonl", "".join(lines))
