"""`plausibly status`: which steps of a study are done."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.guard import WrittenCommand
from plausibly.cli.show import json_option, print_json, print_table
from plausibly.cli.source import STUDY


@click.command("status", cls=WrittenCommand)
@click.argument("folder", type=STUDY)
@json_option
def command(folder: Path, as_json: bool) -> None:
    """Show which steps of the study FOLDER are done, and why others are not."""
    from dataclasses import asdict

    from plausibly.verbs.status import status

    states = status(folder)
    if as_json:
        print_json([asdict(state) for state in states])
        return
    print_table(("step", "state", "why"), [(one.step, one.state, one.reason) for one in states])
