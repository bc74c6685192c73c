"""`plausibly check`: what is irregular in a set of items somebody made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import FILE, options_of
from plausibly.cli.show import json_option, show
from plausibly.verbs.check import (
    CheckReport,
    check_adept,
    check_balance,
    check_gita,
    check_leaks,
)

strict_option = click.option("--strict", is_flag=True, help="Exit 1 if anything is found.")


@click.group("check")
def command() -> None:
    """Find what is irregular in a set of items."""


@command.command("adept")
@click.argument("files", type=FILE, nargs=-1, required=True)
@strict_option
@json_option
def adept(files: tuple[Path, ...], strict: bool, as_json: bool) -> None:
    """Check the pairs of FILES, each one split: how each is made, what they share.

    Exact are pairs whose second sentence follows from the first by the rule of the release or
    by ours; the other ones are listed by idx.
    """
    _show(check_adept(*files), "adept", strict, as_json)


@command.command("gita")
@click.argument("file", type=FILE)
@options_of(check_gita)
@strict_option
@json_option
def gita(file: Path, *, strict: bool, as_json: bool, **options: Any) -> None:
    """Check the stories of FILE, in either released form.

    An error contradicts the schema or another field, a warning breaks a rule of construction, a
    note asks a person to look.
    """
    _show(check_gita(file, **options), "gita", strict, as_json)


@command.command("balance")
@click.argument("items", type=FILE)
@options_of(check_balance)
@json_option
def balance(items: Path, *, as_json: bool, **options: Any) -> None:
    """Compare the conditions of an items table in all that should not tell them apart.

    Length, frequency and norms by condition, words that conditions share, how well these
    variables, frequency alone or one word alone predict the condition, and texts that repeat
    each other.
    """
    show(check_balance(items, **options), as_json=as_json)


@command.command("leaks")
@click.argument("files", type=FILE, nargs=-1, required=True)
@options_of(check_leaks, without=("files",))
@strict_option
@json_option
def leaks(files: tuple[Path, ...], *, strict: bool, as_json: bool, **options: Any) -> None:
    """Find items that stand in two FILES, or in a released set as well.

    Pairs of words are the same where relation, head and dependent are, other items where all
    words of their text are; case and punctuation do not matter. Checks are left out.
    """
    _show(check_leaks(*files, **options), "leaks", strict, as_json)


def _show(found: CheckReport, kind: str, strict: bool, as_json: bool) -> None:
    from plausibly.errors import StudyError

    show(found, as_json=as_json)
    if strict and not found.findings.is_empty():
        raise StudyError(f"check {kind}: {found.findings.height} findings.")
