"""What holds for every command: paths have a name, inputs are never written over, pipes may end."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, wraps
from pathlib import Path
from traceback import walk_tb
from typing import Any

import click

import plausibly
from plausibly.errors import StudyError, shown

UNFORESEEN = "not foreseen"
NO_STUDY = (
    "{} is a file, not the folder of a study. For answers of your own: plausibly init custom DIR, "
    "name the file as source under [ratings] in DIR/study.toml, then plausibly run DIR."
)


class _NamedPath(click.Path):
    """A path that is not empty, as an unset variable of a shell would leave it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, or fail where there is no name."""
        name = str(value)
        if not name.strip() or "\0" in name or any("\ud800" <= sign <= "\udfff" for sign in name):
            self.fail("no name, or one that is not UTF-8 text. Name a file or folder.")
        study = isinstance(param, click.Argument) and param.name in ("folder", "study")
        if study and self.exists and not self.file_okay and Path(name).is_file():
            self.fail(NO_STUDY.format(shown(name)), param, ctx)
        return super().convert(value, param, ctx)


class WrittenGroup(click.Group):
    """A group whose help shows the first sentence of every command in full."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without cutting what they do."""
        names = self.list_commands(ctx)
        with formatter.section("Commands"):
            formatter.write_dl([(n, self.commands[n].get_short_help_str(limit=200)) for n in names])


class WrittenCommand(click.Command):
    """A command with a file of its own; its examples are those of its function."""

    words = ""
    _epilog: str | None = None

    @property
    def epilog(self) -> str | None:
        """The examples, for which the function is imported when somebody asks for them."""
        if self._epilog is None and self.words:
            from plausibly.study.parameters import examples_of

            function = getattr(plausibly, self.words.replace(" ", "_"))
            lines = [f"  {line}" for line in examples_of(function)]
            self._epilog = "\n".join(["\b\nExamples:", *lines])
        return self._epilog

    @epilog.setter
    def epilog(self, text: str | None) -> None:
        self._epilog = text


@cache
def guarded(command: click.Command, path: str) -> click.Command:
    """Return the command with its examples; its inputs are spared while it runs.

    Args:
        command: As its module declares it.
        path: The words that call it, such as "models list".
    """
    for name, inner in command.commands.items() if isinstance(command, click.Group) else ():
        guarded(inner, f"{path} {name}")
    if isinstance(command, WrittenCommand):
        command.words = path
    for parameter in command.params:
        if isinstance(parameter.type, click.Path):
            parameter.type = _named(parameter.type)
    if command.callback is not None:
        command.callback = _sparing(command, command.callback)
    return command


def _named(path: click.Path) -> _NamedPath:
    return _NamedPath(
        exists=path.exists,
        file_okay=path.file_okay,
        dir_okay=path.dir_okay,
        allow_dash=path.allow_dash,
        path_type=path.type,
    )


def _sparing(command: click.Command, callback: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(callback)
    def run(*positions: Any, **arguments: Any) -> Any:
        read, written = (list(_paths(command, arguments, written=w)) for w in (False, True))
        if not written:
            return callback(*positions, **arguments)
        from plausibly.io import check_target, sparing, writing

        with sparing(read):
            for path in written:
                if not Path(os.path.realpath(path)).name:
                    raise StudyError(f"{path}: the root of all folders. Name a file or folder.")
                with writing(path), suppress(FileNotFoundError):
                    if not path.is_dir() and stat.S_ISREG(path.stat().st_mode):
                        check_target(path)
            return callback(*positions, **arguments)

    return run


def _paths(command: click.Command, arguments: dict[str, Any], *, written: bool) -> Iterator[Path]:
    """Yield what a command is to read (it must exist), or to write."""
    for parameter in command.params:
        if isinstance(parameter.type, click.Path) and parameter.type.exists is not written:
            value = arguments.get(parameter.name or "")
            values = value if isinstance(value, tuple | list) else (value,)
            yield from (path for path in values if isinstance(path, Path))


def complain(text: str) -> None:
    """Say on stderr what went wrong, if anybody can hear it."""
    with suppress(OSError):
        click.echo(text, err=True)


def last_words(error: BaseException) -> str:
    """Return what to say about an error that none of our readers or writers reported."""
    printing = {frame.f_code for frame, _ in walk_tb(error.__traceback__)}
    if isinstance(error, OSError) and click.echo.__code__ in printing:
        drop_stdout()
        return f"standard output: {error.strerror}. Write to a place that takes it."
    what = shown(str(error).strip() or type(error).__name__)
    return f"{UNFORESEEN}: {what}. Please report the command that led here."


def drop_stdout() -> None:
    """Let what is still to be printed vanish, so that leaving the process does not fail on it."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
