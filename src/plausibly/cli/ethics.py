"""`plausibly ethics`: what an ethics committee asks for, from the study as it is set up."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.show import json_option, print_json, say
from plausibly.cli.source import STUDY, output_option


@click.command("ethics")
@click.argument("study", type=STUDY)
@output_option("Folder for the documents (Markdown).", folder=True)
@json_option
def command(study: Path, *, output: Path, as_json: bool) -> None:
    """Write information sheet, consent, privacy notice and record of processing of STUDY.

    What only you know is marked with «…».
    """
    from plausibly.web.ethics import ethics

    result = ethics(study, output=output)
    if as_json:
        print_json(result.as_json())
        return
    for file, blanks in zip(result.files, result.blanks.values(), strict=True):
        left = f"to fill in: {', '.join(blanks)}" if blanks else "complete"
        say(f"{file}: {left}.")
    for note in result.notes:
        say(note)
    say("They follow study.toml. Read them before you hand them in; they are not legal advice.")
