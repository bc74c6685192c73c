"""`plausibly replicate`: published numbers beside what the published data says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.show import json_option, say, show
from plausibly.cli.source import data_option

if TYPE_CHECKING:
    from plausibly.replications import Verdict

VERDICTS = ("exact", "rounding", "erratum", "release fault", "not computable", "unprinted")


@click.command("replicate")
@click.argument("name")
@data_option
@json_option
@click.option("--statements", is_flag=True, help="Show every printed statement with one verdict.")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice(VERDICTS),
    help="Show the statements with this verdict; may be repeated.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "markdown", "html")),
    default="text",
    help="Form of the output without --json; html is one page that needs nothing else.",
)
@click.option("--strict", is_flag=True, help="Exit 1 if any statement is an erratum.")
def command(
    *,
    name: str,
    data: Path,
    as_json: bool,
    statements: bool,
    only: tuple[Verdict, ...],
    form: str,
    strict: bool,
) -> None:
    """Recompute the numbers a publication prints; NAME is pap, adept, sp10k, gita or all.

    Without options: five lines on what to do, then errata and faults of released files.
    """
    from plausibly.errors import StudyError
    from plausibly.replications import replicate

    result = replicate(name, data=data, statements=statements, only=only)
    if form == "text" or as_json:
        show(result, as_json=as_json)
    else:
        click.echo(result.page(form), nl=False)
        for sentence in result.talk:
            say(sentence)
    errata = result.counts.get("erratum", 0)
    if strict and errata:
        raise StudyError(f"{name}: {errata} printed statements do not follow.")
