"""One vocabulary: a command's words are the function's name, its options are the keywords."""

from __future__ import annotations

import inspect

import click
import pytest

import plausibly as pb
from plausibly.cli.groups import GROUPS, command_at, index

COMMANDS = sorted(set(index()) - set(GROUPS))
# What only a terminal needs: where to write, how to print, what to do about findings.
OF_A_TERMINAL = {"as_json", "force", "more", "open", "output", "strict", "help"} | {
    "write_items",
    "write_annotators",
}
# Options whose keyword cannot bear the same name.
OTHERWISE = {("run", "from"): "first"}


def function_of(words: str) -> str:
    return words.replace(" ", "_").replace("-", "_")


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_is_a_function_of_its_name(words: str) -> None:
    assert function_of(words) in pb.__all__


@pytest.mark.parametrize("words", COMMANDS)
def test_every_option_is_a_keyword_of_the_function(words: str) -> None:
    function = getattr(pb, function_of(words))
    declaration = getattr(function, "declaration", None)
    takes = set(inspect.signature(function).parameters)
    takes |= set(declaration.kinds) if declaration is not None else set()
    options = {
        option.lstrip("-").replace("-", "_")
        for one in command_at(words).params
        if isinstance(one, click.Option)
        for option in one.opts
        if option.startswith("--")
    }
    named = {OTHERWISE.get((words, name), name) for name in options} - {"json"}
    assert named - OF_A_TERMINAL <= takes, sorted(named - OF_A_TERMINAL - takes)


def test_every_function_is_a_command() -> None:
    functions = {name for name in pb.__all__ if inspect.isfunction(getattr(pb, name))}
    assert functions - {"build"} == {function_of(words) for words in COMMANDS}
