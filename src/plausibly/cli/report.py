"""`plausibly report`: write the report of a study."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.derived import FORCE
from plausibly.cli.guard import WrittenCommand
from plausibly.cli.progress import progress
from plausibly.cli.show import say
from plausibly.cli.source import STUDY


@click.command("report", cls=WrittenCommand)
@click.argument("folder", type=STUDY)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the page, its figures (SVG, PNG, PDF) and tables (CSV, Markdown, LaTeX).",
)
@FORCE
def command(folder: Path, output: Path | None, force: bool) -> None:
    """Write report.html of the study FOLDER, after running the steps it needs that are not done."""
    from plausibly.study import Study
    from plausibly.verbs.report import report

    with progress() as watch:
        states = Study(folder).run(to="report", announce=lambda name: say(f"{name} …"), watch=watch)
    last = states[-1]
    if last.state == "waiting":
        say(last.reason)
    elif output is None:
        click.echo(folder / "report.html")
    else:
        report(folder).write(output, force=force)
        click.echo(output / "report.html")
