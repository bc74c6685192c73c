"""Every command has two examples in its help, and every example is a line it takes."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from functools import cache

import click
import pytest

from plausibly.cli import app
from plausibly.cli.groups import GROUPS, index
from plausibly.cli.source import FORMATS
from plausibly.ratings import READERS


def commands(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield " ".join(path), command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from commands(inner, (*path, name))


@cache
def every() -> dict[str, click.Command]:
    """Return all commands; not at import, because a command's module may be called `run`."""
    return dict(commands(app))


def examples(command: click.Command) -> list[str]:
    """Return the examples below the options of a command."""
    return [line.strip() for line in (command.epilog or "").splitlines() if "plausibly" in line]


def test_every_command_has_two_examples() -> None:
    assert {path for path, command in every().items() if len(examples(command)) != 2} == set()


@pytest.mark.parametrize("path", sorted(set(index()) - set(GROUPS)))
def test_an_example_is_a_line_the_command_takes(path: str) -> None:
    command = every()[path]
    context = click.Context(command, info_name=path)
    shown = command.get_help(context)
    needed = {p.name for p in command.params if p.required and isinstance(p, click.Option)}
    for line in examples(command):
        assert line in shown
        words = shlex.split(line)
        start = 1 + len(path.split())
        assert words[:start] == ["plausibly", *path.split()]
        given, rest, _ = command.make_parser(context).parse_args(words[start:])
        assert not rest
        assert needed <= set(given)


def test_the_forms_of_the_help_are_those_that_are_read() -> None:
    assert set(FORMATS) == set(READERS)
