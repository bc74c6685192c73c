"""`plausibly doctor`: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import click

from plausibly.cli.show import json_option, show


@click.command("doctor")
@json_option
@click.option("--strict", is_flag=True, help="Exit 1 if anything is missing.")
@click.option("--language", metavar="CODE", help="Say what comes for a language instead: en or it.")
def command(as_json: bool, strict: bool, language: str | None) -> None:
    """Say what is installed, what is missing, and how to get it.

    With --language: parser, morphology, lists and texts of a language, and what can be built in it.
    """
    from plausibly.errors import StudyError
    from plausibly.verbs.doctor import doctor

    result = doctor(language=language)
    show(result, as_json=as_json)
    missing = result.missing
    if strict and missing:
        raise StudyError(
            f"{len(missing)} of {result.findings.height} are missing: {', '.join(missing)}."
        )
