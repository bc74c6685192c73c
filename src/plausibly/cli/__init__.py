"""The command line: one thin file per command, loaded when it is called."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click

from plausibly import _PLACES as PLACES
from plausibly import __version__
from plausibly.cli.guard import complain, drop_stdout, guarded, last_words
from plausibly.errors import PlausiblyError, flag

COMMANDS = {
    "agree": "Measure how far annotators agree, with intervals.",
    "analyse": "Report what moves the answers, with a mixed model.",
    "ask": "Ask a language model about a dataset, over prompts and examples.",
    "build": "Build items from counts and lexica, with a ledger of what was dropped.",
    "check": "Find what is irregular in a set of items.",
    "clean": "Set ratings aside by declared rules, with a ledger.",
    "compare": "Compare models on the same items, with paired tests.",
    "counts": "Merge counts of several corpora.",
    "data": "List, fetch and verify the published datasets.",
    "demo": "Take a piece of Wikipedia to a report and a release, with a simulated crowd.",
    "doctor": "Say what is installed, what is missing, and how to get it.",
    "evaluate": "Evaluate predictions against what people say.",
    "experts": "Judge a sample again by experts; keep their decisions and reasons.",
    "export": "Write the questions of a dataset as tasks of another harness.",
    "extract": "Count relations in dumps, texts and parsed corpora.",
    "generate": "Let a language model write what connects two sentences.",
    "init": "Start a study folder.",
    "label": "Label items from their ratings.",
    "load": "Load a published set, a release or a file as tables.",
    "models": "Fit models, let them predict, audit them, and get the weights they need.",
    "read": "Read ratings of any format as our table.",
    "release": "Write a study as a dataset others can trust.",
    "rehearse": "Let simulated people take part in a study before real ones are paid.",
    "replicate": "Recompute published numbers from published data.",
    "report": "Write the report of a study.",
    "run": "Run the steps of a study that are not done.",
    "score": "Score a model's answers by the published rules and by ours.",
    "serve": "Collect ratings in the browser and through the API.",
    "status": "Show which steps of a study are done.",
    "write": "Write ratings in another format.",
}


INTERRUPTED = 130
GOES_ON = {
    "ask": "What was answered is kept; go on with",
    "extract": "What was finished is kept; go on with",
    "report": "Steps that were finished are kept; go on with",
    "run": "Steps that were finished are kept; go on with",
    "serve": "Every answer is kept; go on with",
}


def _command(name: str) -> click.Command:
    """Return a command: the one its file prints specially, or the one its verb declares."""
    if find_spec(f"plausibly.cli.{name}") is not None:
        command = import_module(f"plausibly.cli.{name}").command
        if not isinstance(command, click.Command):
            raise TypeError(f"plausibly.cli.{name}.command is not a click command")
        return command
    from plausibly.cli.derived import command_of, declaration_at

    return command_of(declaration_at(f"{PLACES[name]}:{name}"))


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        del ctx
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return one command, imported now, or None for an unknown name."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        return guarded(_command(cmd_name), cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader that has enough, as in `| head`, ends it without a word."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            drop_stdout()
            raise click.exceptions.Exit(0) from None
        return result

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or propose the nearest name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            close = get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            ctx.fail(f"no such command {args[0]!r}.{hint} Known: {', '.join(sorted(COMMANDS))}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any of them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="plausibly")
def app() -> None:
    """Build, annotate, clean, aggregate, analyse and evaluate plausibility datasets."""


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code: 0 fine, 1 our error, 2 usage."""
    try:
        app.main(args=list(arguments), prog_name="plausibly", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        kept = GOES_ON.get(next(iter(arguments), ""), "Nothing was written; begin again with")
        complain(f"Interrupted. {kept} the same command.")
        return INTERRUPTED
    except PlausiblyError as error:
        complain(str(error) if error.section else error.spelled(flag))
        return 2 if error.parameter else 1
    except (OSError, MemoryError, RecursionError) as error:
        complain(last_words(error))
        return 1
    return 0


def main() -> None:
    """Run the command line of this process; whoever interrupts it waits for nothing any more."""
    code = run(sys.argv[1:])
    if code == INTERRUPTED:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(code)
    sys.exit(code)
