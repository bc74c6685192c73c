"""`plausibly people`: who may take part in a study."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.show import say
from plausibly.cli.source import FILE, STUDY


@click.group("people")
def command() -> None:
    """Decide who takes part in a study."""


@command.command(
    "admit",
    epilog="\b\nExamples:\n  plausibly people admit my-study -n 50\n"
    "  plausibly people admit my-study numbers.txt",
)
@click.argument("study", type=STUDY)
@click.argument("file", type=FILE, required=False)
@click.option("-n", "number", type=int, default=0, help="Make so many personal links.")
@click.option("--database", help="Where answers are kept (default: STUDY/answers.sqlite).")
def admit(study: Path, file: Path | None, *, number: int, database: str | None) -> None:
    """Admit people to the study folder STUDY: personal links, listed numbers, a panel's people.

    FILE holds one participant number per line, or is the platform's export of submissions (CSV).
    """
    from plausibly.web.people import people_admit

    admitted = people_admit(study, file, number=number, database=database)
    for link in admitted.links:
        click.echo(link)
    known = f"; {admitted.known} others had been, or have not begun" if admitted.known else ""
    say(f"{admitted.people} people are admitted{known}.")
