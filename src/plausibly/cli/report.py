"""`plausibly report`: write the report of a study."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.show import say
from plausibly.cli.source import STUDY


@click.command("report")
@click.argument("folder", type=STUDY)
def command(folder: Path) -> None:
    """Write report.html of the study FOLDER, running what it needs that is not done."""
    from plausibly.study import Study

    last = Study(folder).run(to="report", announce=lambda name: say(f"{name} …"))[-1]
    if last.state == "waiting":
        say(last.reason)
    else:
        click.echo(folder / "report.html")
