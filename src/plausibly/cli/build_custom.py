"""`plausibly build custom`: any table and templates to items."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.show import json_option, print_json, print_table, say
from plausibly.cli.source import FILE

OUT = click.Path(path_type=Path, file_okay=False)


@click.command("custom")
@click.argument("table", type=FILE)
@click.option("--templates", type=FILE, required=True, help="TOML with [[template]] entries.")
@click.option("--name", metavar="COLUMN", help="Column that names a row (default: its number).")
@click.option("-o", "--output", type=OUT, required=True, help="Folder to write.")
@click.option("--frequency", type=FILE, help="Frequency list for the balance report.")
@click.option("--lang", default="en", show_default=True, help="Language of the words: en, it.")
@json_option
def command(
    table: Path,
    *,
    templates: Path,
    name: str | None,
    output: Path,
    frequency: Path | None,
    lang: str,
    as_json: bool,
) -> None:
    """Put every row of TABLE into every template.

    Writes items.parquet, ledger.parquet, funnel.json and balance.json. A template's text has
    places such as {noun}, {noun:a}, {noun:plural}, {verb:s} or {verb:s(noun)}.
    """
    from plausibly.cli.lexica import realiser_for
    from plausibly.io import filling, read_rows, write_json
    from plausibly.stimuli.balance.report import balance, norm_problems
    from plausibly.stimuli.custom import build_custom, check_table, read_templates
    from plausibly.stimuli.lexica.frequency import read_frequencies

    rows, told = read_rows(table), read_templates(templates)
    check_table(rows, told, name=name)
    rows.reject(norm_problems(rows.frame))
    realiser = realiser_for(lang, as_sentence=True)
    built = build_custom(rows.frame, told, realiser, name=name)
    frequencies = read_frequencies(frequency) if frequency else None
    funnel = built.funnel
    with filling(output) as folder:
        built.write(folder)
        write_json(folder / "balance.json", balance(built.items, frequency=frequencies).as_json())
    if as_json:
        print_json({"funnel": funnel})
    else:
        print_table(("step", "rows"), [tuple(step.values()) for step in funnel])
    say(f"{output}: {built.items.height} items.")
