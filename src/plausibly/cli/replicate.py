"""`plausibly replicate`: published numbers beside what the published data says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from plausibly.cli.show import json_option, print_json, print_table, say
from plausibly.cli.source import data_option


@click.command("replicate")
@click.argument("name")
@data_option
@json_option
@click.option("--strict", is_flag=True, help="Exit 1 if any number is an erratum.")
def command(name: str, data: Path, as_json: bool, strict: bool) -> None:
    """Recompute the numbers a publication prints; NAME is pap, adept, sp10k, gita or all."""
    from plausibly.errors import StudyError
    from plausibly.replications import REPLICATIONS

    names = list(REPLICATIONS) if name == "all" else [name]
    records = [record for known in names for record in REPLICATIONS[known](data)]
    if as_json:
        print_json([record.as_json() for record in records])
    else:
        rows = [(r.id, r.published, r.recomputed, r.verdict, r.note) for r in records]
        print_table(("id", "published", "recomputed", "verdict", "note"), rows)
    verdicts = Counter(record.verdict for record in records)
    say(", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common()))
    if strict and verdicts["erratum"]:
        raise StudyError(f"{name}: {verdicts['erratum']} published numbers do not follow.")
