"""The command line: one thin file per command, loaded when it is called."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click

from plausibly import __version__
from plausibly.cli.groups import CommandGroup
from plausibly.cli.guard import complain, drop_stdout, last_words
from plausibly.errors import PlausiblyError, flag

INTERRUPTED = 130
GOES_ON = {
    "ask": "What was answered is kept; go on with",
    "extract": "What was finished is kept; go on with",
    "report": "Steps that were finished are kept; go on with",
    "run": "Steps that were finished are kept; go on with",
    "serve": "Every answer is kept; go on with",
}


class App(CommandGroup):
    """All commands, under headings."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader that has enough, as in `| head`, ends it without a word."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            drop_stdout()
            raise click.exceptions.Exit(0) from None
        return result


app = click.version_option(__version__, prog_name="plausibly")(
    App(
        "",
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Build, annotate, clean, aggregate, analyse and evaluate plausibility datasets.",
    )
)


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
    """Run the command line of this process; an interrupt ends it at once."""
    code = run(sys.argv[1:])
    if code == INTERRUPTED:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(code)
    sys.exit(code)
