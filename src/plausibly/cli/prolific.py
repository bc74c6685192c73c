"""`plausibly prolific`: a study on Prolific; nothing is sent without --yes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.guard import WrittenGroup
from plausibly.cli.show import json_option, print_json, print_table, say
from plausibly.cli.source import STUDY

if TYPE_CHECKING:
    from plausibly.web.people.prolific import PlatformStep

yes_option = click.option(
    "--yes", is_flag=True, help="Do it; without this, only show what would be done."
)
database_option = click.option(
    "--database", help="Where answers are kept (default: STUDY/answers.sqlite)."
)


def _examples(*lines: str) -> str:
    """Return examples for a help page, without importing the server."""
    return "\n".join(["\b\nExamples:", *(f"  {line}" for line in lines)])


def _twice(name: str) -> str:
    call = f"plausibly prolific {name} my-study"
    return _examples(call, f"{call} --yes")


@click.group("prolific", cls=WrittenGroup)
def command() -> None:
    """Run a study on Prolific: draft, publish, sync, approve, pay bonuses."""


@command.command("draft", epilog=_twice("draft"))
@click.argument("study", type=STUDY)
@yes_option
@json_option
def draft(study: Path, *, yes: bool, as_json: bool) -> None:
    """Create the study on Prolific as a draft; the token is read from $PROLIFIC_TOKEN."""
    from plausibly.web.people.prolific import prolific_draft

    _show(prolific_draft(study, yes=yes), as_json=as_json)


@command.command("publish", epilog=_twice("publish"))
@click.argument("study", type=STUDY)
@yes_option
@json_option
def publish(study: Path, *, yes: bool, as_json: bool) -> None:
    """Publish the study on Prolific; a study that is published already stays unchanged."""
    from plausibly.web.people.prolific import prolific_publish

    _show(prolific_publish(study, yes=yes), as_json=as_json)


@command.command(
    "sync",
    epilog=_examples(
        "plausibly prolific sync my-study", "plausibly prolific sync my-study --every 60"
    ),
)
@click.argument("study", type=STUDY)
@click.option(
    "--every",
    type=click.FloatRange(0),
    default=0.0,
    help="Repeat after this many seconds, until you interrupt.",
)
@json_option
@database_option
def sync(study: Path, *, every: float, as_json: bool, database: str | None) -> None:
    """Confirm the people Prolific knows, and free the places of those who left."""
    from plausibly.web.people.prolific import prolific_sync

    _show(prolific_sync(study, every=every, say=say, database=database), as_json=as_json)


@command.command("approve", epilog=_twice("approve"))
@click.argument("study", type=STUDY)
@yes_option
@json_option
@database_option
def approve(study: Path, *, yes: bool, as_json: bool, database: str | None) -> None:
    """Approve people who finished, and request returns from those you decided not to pay."""
    from plausibly.web.people.prolific import prolific_approve

    _show(prolific_approve(study, yes=yes, database=database), as_json=as_json)


@command.command("bonus", epilog=_twice("bonus"))
@click.argument("study", type=STUDY)
@yes_option
@json_option
@database_option
def bonus(study: Path, *, yes: bool, as_json: bool, database: str | None) -> None:
    """Pay the bonuses that are due; none is paid twice, even after an interruption."""
    from plausibly.web.people.prolific import prolific_bonus

    _show(prolific_bonus(study, yes=yes, database=database), as_json=as_json)


def _show(step: PlatformStep, *, as_json: bool) -> None:
    if as_json:
        print_json(step.as_json())
    else:
        rows = [*step.counts.items(), *step.document.items()]
        print_table(("what", "value"), [(name, str(value)) for name, value in rows])
    for note in step.notes:
        say(note)
    if not step.done:
        say("This is a dry run. Add --yes to do it.")
