"""Groups of commands, known by an index of one line each and imported one at a time.

The index is made from the docstrings of the verbs (`docs/make_reference.py`), so that `--help`
imports nothing; a test rebuilds it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from plausibly import _PLACES as PLACES
from plausibly.cli.guard import WrittenCommand, guarded

INDEX = "index.json"
# Headings of `plausibly --help`, and what stands under each.
HEADINGS: Mapping[str, tuple[str, ...]] = {
    "Study": (
        *("init", "run", "status", "join", "serve", "people", "prolific", "rehearse"),
        *("ethics", "backup", "restore", "demo", "doctor"),
    ),
    "Items": ("extract", "counts", "build", "check", "generate", "surprisal"),
    "Ratings": ("read", "write", "clean", "label", "agree", "describe", "audit", "experts"),
    "Models": ("models", "ask", "evaluate", "compare", "score", "export"),
    "Results": ("analyse", "report", "browse", "release", "load"),
    "Papers": ("data", "replicate"),
}


# Groups of commands, with what each is for.
GROUPS: Mapping[str, str] = {
    "build": "Build items, with a ledger of what was dropped.",
    "check": "Find irregularities in a set of items, or in a protocol.",
    "counts": "Work with counts from several corpora.",
    "data": "List, fetch and verify the published datasets.",
    "experts": "Have experts judge a sample again, or code reasons; keep their decisions.",
    "export": "Write questions and ratings for other tools.",
    "models": "Fit models, let them predict, audit them, and get their weights.",
    "people": "Decide who takes part in a study, and pay them.",
    "prolific": "Run a study on Prolific: draft, publish, sync, approve, pay bonuses.",
    "score": "Score answers by the published rules and by ours.",
}


@cache
def index() -> dict[str, str]:
    """Return every command with its first sentence, by its words."""
    text = Path(__file__).with_name(INDEX).read_text(encoding="utf-8")
    return dict(json.loads(text))


def below(words: str) -> dict[str, str]:
    """Return the commands of a group, by the words that follow; those of the top for ""."""
    prefix = f"{words} " if words else ""
    own = {one: text for one, text in index().items() if one.startswith(prefix) and one}
    return {
        one.removeprefix(prefix): text
        for one, text in own.items()
        if not any(one.startswith(f"{group} ") for group in GROUPS if group != words)
    }


def under(heading: str) -> dict[str, str]:
    """Return the commands under a heading, also those of two words such as `describe pairs`."""
    known = below("")
    return {
        one: known[one]
        for name in HEADINGS[heading]
        for one in sorted(known)
        if one == name or one.startswith(f"{name} ")
    }


def command_at(words: str) -> click.Command:
    """Return one command: that of a file that prints specially, a group, or its verb's."""
    special = _special(words)
    if special is not None:
        return guarded(_with_examples(special, words), words)
    if words in GROUPS:
        return CommandGroup(words, help=GROUPS[words])
    from plausibly.cli.derived import command_of, declaration_at

    name = _name(words)
    return guarded(command_of(declaration_at(f"{PLACES[name]}:{name}")), words)


def _name(words: str) -> str:
    return words.replace(" ", "_").replace("-", "_")


def _special(words: str) -> click.Command | None:
    """Return the command of a file, of its name or of its group's, where there is one."""
    head, _, rest = words.partition(" ")
    if find_spec(f"plausibly.cli.{_name(words)}") is not None:
        found = import_module(f"plausibly.cli.{_name(words)}").command
        return found if isinstance(found, click.Command) else None
    if not rest or find_spec(f"plausibly.cli.{head}") is None:
        return None
    group = import_module(f"plausibly.cli.{head}").command
    return group.get_command(click.Context(group), rest) if isinstance(group, click.Group) else None


def _with_examples(command: click.Command, words: str) -> click.Command:
    """Return a command that a file prints specially, with the examples of its verb."""
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            _with_examples(inner, f"{words} {name}")
    elif command.epilog is None and not isinstance(command, WrittenCommand):
        from plausibly.cli.derived import epilog_of

        name = _name(words)
        command.epilog = epilog_of(getattr(import_module(PLACES[name]), name))
    return command


class CommandGroup(click.Group):
    """A group that knows its commands by the index and imports one only when it is called."""

    def __init__(self, words: str, **settings: Any) -> None:
        super().__init__(words.rpartition(" ")[2] or None, **settings)
        self.words = words

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        del ctx
        return sorted(below(self.words))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return one command, imported now, or None for an unknown name."""
        del ctx
        if cmd_name not in below(self.words):
            return None
        return command_at(f"{self.words} {cmd_name}".strip())

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or propose the nearest name."""
        known = below(self.words)
        two = " ".join(args[:2])
        if two != args[0] and two in known:
            return two, self.get_command(ctx, two), args[2:]
        if args and args[0] not in known and not args[0].startswith("-"):
            close = get_close_matches(args[0], known, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            ctx.fail(f"no such command {args[0]!r}.{hint} Known: {', '.join(sorted(known))}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any of them."""
        del ctx
        if self.words:
            with formatter.section("Commands"):
                formatter.write_dl(sorted(below(self.words).items()))
            return
        for heading in HEADINGS:
            with formatter.section(heading):
                formatter.write_dl(list(under(heading).items()))
