"""`plausibly replicate`: published numbers beside what the published data says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.show import json_option, print_json, say
from plausibly.cli.source import data_option

if TYPE_CHECKING:
    from plausibly.replications import Replicated, Verdict

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
    if as_json:
        print_json(result.as_json())
    else:
        every = statements or bool(only)
        _show(result, form=form, every=every, lead=not only, command=_command(name, only))
    _summarise(result, name, data)
    errata = result.counts.get("erratum", 0)
    if strict and errata:
        raise StudyError(f"{name}: {errata} printed statements do not follow.")


def _command(name: str, only: tuple[str, ...]) -> str:
    chosen = "".join(f" --only '{verdict}'" for verdict in only)
    return f"plausibly replicate {name}{chosen}"


def _show(result: Replicated, *, form: str, every: bool, lead: bool, command: str) -> None:
    from plausibly.replications.showing import as_page, as_text

    if form == "text":
        for line in as_text(result, every=every, lead=lead):
            click.echo(line)
    else:
        suffix = {"markdown": "md", "html": "html"}[form]
        click.echo(as_page(result, form=suffix, every=every, lead=lead, command=command), nl=False)


def _summarise(result: Replicated, name: str, data: Path) -> None:
    """Say how many statements got each verdict, and which datasets were left out."""
    from plausibly.replications import ALL, PAPERS

    counts = dict(result.counts)
    unprinted = counts.pop("unprinted", 0)
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    say(f"{sum(counts.values())} printed statements: {told or 'none'}.")
    say(f"{unprinted} groups of numbers more follow from the data and were not printed.")
    for paper in PAPERS if name == ALL else ():
        if not (data / paper).is_dir():
            say(f"{data / paper}: no such folder, left out. Get it: plausibly data get {paper}")
