"""`plausibly replicate`: published numbers beside what the published data says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.show import json_option, say, show
from plausibly.cli.source import NO_FOLDER

if TYPE_CHECKING:
    from plausibly.replications import Verdict

VERDICTS = (
    *("exact", "rounding", "erratum", "ambiguous", "side unknown"),
    *("release fault", "not computable", "unprinted"),
)


@click.command("replicate")
@click.argument("name")
@click.option(
    "--data",
    envvar="PLAUSIBLY_DATA",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder with the published datasets (default: $PLAUSIBLY_DATA).",
)
@json_option
@click.option("--statements", is_flag=True, help="Show every printed statement with one verdict.")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice(VERDICTS),
    help="Show what has this verdict; may be repeated.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "markdown", "html")),
    default="text",
    help="Form of the output without --json; html is one page that needs nothing else.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for records and pages; of a release also its report, figures and tables.",
)
@click.option(
    "--figures",
    is_flag=True,
    help="Draw the figures and tables of pap, adept, sp10k or gita instead; -o writes them.",
)
@click.option("--strict", is_flag=True, help="Exit 1 if any statement is an erratum.")
def command(
    *,
    name: str,
    data: Path | None,
    as_json: bool,
    statements: bool,
    only: tuple[Verdict, ...],
    form: str,
    output: Path | None,
    figures: bool,
    strict: bool,
) -> None:
    """Recompute the numbers a publication prints; NAME is pap, adept, sp10k, gita or all.

    A folder that `plausibly release` wrote is done again: its steps on its own ratings, beside the
    labels, exclusions, agreement and tables of the report it holds; -o writes every table and
    figure anew.

    Without options: five lines on what to do, then errata and faults of released files.
    """
    from plausibly.datasets.own import is_release
    from plausibly.replications import replicate

    if data is None and not is_release(Path(name)):
        raise click.BadParameter(NO_FOLDER, param_hint="'--data'")
    if figures:
        if statements or only or form != "text":
            raise click.UsageError("--figures goes without --statements, --only and --format.")
        _draw(name, data, output, as_json=as_json, strict=strict)
        return
    result = replicate(name, data=data, statements=statements, only=only)
    if form == "text" or as_json:
        show(result, as_json=as_json)
    else:
        click.echo(result.page(form), nl=False)
        for sentence in result.talk:
            say(sentence)
    if output is not None:
        say(f"Written: {result.write(output)}")
    if strict:
        _refuse(name, result.counts.get("erratum", 0))


def _draw(
    name: str, data: Path | None, output: Path | None, *, as_json: bool, strict: bool
) -> None:
    """Draw the figures and tables of a publication."""
    from plausibly.replications import replicate

    drawn = replicate(name, data=data, figures=True)
    if output is not None:
        drawn.write(output)
        say(f"{output / 'report.html'}: with its figures and tables.")
    show(drawn, as_json=as_json)
    if strict:
        _refuse(name, sum(one.verdict == "erratum" for one in drawn.statements))


def _refuse(name: str, errata: int) -> None:
    from plausibly.errors import StudyError

    if errata:
        raise StudyError(f"{name}: {errata} printed statements do not follow.")
