"""`plausibly restore`: a study from a backup, without the people erased since."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.show import json_option, print_json, say
from plausibly.cli.source import FILE


@click.command("restore")
@click.argument("file", type=FILE)
@click.argument("study", type=click.Path(path_type=Path, file_okay=False))
@click.option("--check", is_flag=True, help="Only check the backup; nothing is written.")
@click.option(
    "--erasures",
    type=click.Path(path_type=Path, exists=True),
    help="People erased since: answers.erased.json of the study, or its folder.",
)
@json_option
def command(file: Path, study: Path, *, check: bool, erasures: Path | None, as_json: bool) -> None:
    """Restore the backup FILE into the new folder STUDY, without the people erased since."""
    from plausibly.web.restore import restore

    result = restore(file, study, check=check, erasures=erasures)
    if as_json:
        print_json(result.as_json())
        return
    counts = result.counts
    what = "restored" if result.done else "can be restored; nothing was written"
    say(
        f"{file}: {result.files} files with {counts.get('answers', 0)} answers by "
        f"{counts.get('people', 0)} people, as of {result.made}: {what}."
    )
    verb = "Erased again" if result.done else "Would be erased again"
    for one in result.erased:
        say(f"{verb}: {one.person} ({one.answers} answers, {one.comments} comments).")
    if result.left_out:
        say("\n  ".join(("Left out, with data of people who were erased:", *result.left_out)))
    if not result.compared:
        say(f"It may still contain people erased after {result.made}: name them with --erasures.")
    elif not result.erased:
        say("Nobody in it was erased later.")
