"""`plausibly run`: run the steps of a study that are not done."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.guard import WrittenCommand
from plausibly.cli.progress import progress
from plausibly.cli.show import json_option, print_json, say
from plausibly.cli.source import STUDY


@click.command("run", cls=WrittenCommand)
@click.argument("folder", type=STUDY)
@click.option("--from", "first", metavar="STEP", help="Start with this step, even if it is done.")
@click.option("--to", metavar="STEP", help="Stop after this step.")
@click.option("--explain", is_flag=True, help="Show what would run and why; run nothing.")
@json_option
def command(
    folder: Path, *, first: str | None, to: str | None, explain: bool, as_json: bool
) -> None:
    """Run the steps of the study FOLDER that are not done; unchanged steps are skipped."""
    from dataclasses import asdict

    from plausibly.study.results import text_table
    from plausibly.verbs.run import run

    if explain:
        planned = run(folder, first=first, to=to, explain=True)
        if as_json:
            print_json([asdict(state) for state in planned])
        else:
            rows = [(state.step, state.state, state.reason) for state in planned]
            click.echo(text_table(("step", "state", "why"), rows), nl=False)
        return
    with progress() as watch:
        states = run(
            folder, first=first, to=to, announce=lambda name: say(f"{name} …"), watch=watch
        )
    if as_json:
        print_json([asdict(state) for state in states])
        return
    for state in states:
        say(f"{state.step}: {state.reason or state.state}")
        for note in state.notes:
            say(f"  {note}")
    if (folder / "report.html").is_file() and states and states[-1].step == "report":
        say(f"Report: {folder / 'report.html'}")
        say(f"Explorer: {folder / 'explorer.html'}")
