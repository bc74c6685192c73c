"""`plausibly backup`: a study in one file, while people answer."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.people import database_option
from plausibly.cli.show import json_option, print_json, say
from plausibly.cli.source import STUDY, output_option


@click.command("backup")
@click.argument("study", type=STUDY)
@output_option("The archive to write.", folder=False)
@database_option
@json_option
def command(study: Path, *, output: Path, database: str | None, as_json: bool) -> None:
    """Back up the study folder STUDY to one file, even while people answer.

    The archive contains personal data: the answers, the platform's ids and the keys.
    """
    from plausibly.web.backup import backup

    result = backup(study, output=output, database=database)
    if as_json:
        print_json(result.as_json())
        return
    counts = result.counts
    say(
        f"{result.file}: {len(result.files)} files, with {counts.get('answers', 0)} answers by "
        f"{counts.get('people', 0)} people, as of {result.made}. Keep it where only you can read."
    )
    if result.left_out:
        say(f"Too large, and not in it: {', '.join(result.left_out)}.")
