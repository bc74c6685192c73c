"""Options of a command, read from the signature and the docstring of the verb behind it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import MISSING
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import click

from plausibly.cli.names import Name
from plausibly.measures.draws import MOST_DRAWS
from plausibly.study.made import may_be_source
from plausibly.study.parameters import Parameter, parameters_of

F = TypeVar("F", bound=Callable[..., Any])

FILE = click.Path(path_type=Path, exists=True)
READING = ("format", "columns", "missing", "key", "keep_ids")
AT_LEAST_0 = ("seed", "resamples")


def options_of(
    verb: Callable[..., object],
    *,
    without: Collection[str] = (),
) -> Callable[[F], F]:
    """Give a command an option for each keyword of a verb, with its default and its sentence.

    Args:
        verb: The function behind the command.
        without: Keywords that other decorators bring, or that the command does not offer.
    """
    own = parameters_of(verb, without=(*READING, *without))

    def decorate(command: F) -> F:
        for parameter in reversed(own.values()):
            command = option_for(parameter)(command)
        return command

    return decorate


def option_for(
    parameter: Parameter,
    *,
    bare: bool = False,
    names: Iterable[str] | Name | None = None,
    metavar: str = "",
) -> Callable[[F], F]:
    """Return the option of one keyword; a bare one has no default of its own."""
    settings: dict[str, Any] = {"help": _help(parameter, bare=bare)}
    default = parameter.default
    if not bare and default is MISSING:
        settings["required"] = True
    elif not bare and not (default is None or default is False or default == ()):
        settings |= {"default": default, "show_default": True}
    settings |= (
        _typed(parameter, bare=bare)
        if names is None
        else {"type": names if isinstance(names, Name) else Name(names)}
    )
    if metavar:
        settings["metavar"] = metavar
    return click.option(parameter.option, parameter.name, **settings)


def _typed(parameter: Parameter, *, bare: bool) -> dict[str, Any]:
    kind = _bare(parameter.kind)
    if kind is bool:
        return {"is_flag": True, "default": None if bare else parameter.default}
    if get_origin(kind) is Literal:
        return {"type": click.Choice(list(get_args(kind)))}
    if get_origin(kind) is Sequence:
        return {"multiple": True, **_each(kind)}
    if kind is int and parameter.name in AT_LEAST_0:
        most = MOST_DRAWS if parameter.name == "resamples" else None
        return {"type": click.IntRange(min=0, max=most)}
    if kind in (int, float):
        return {"type": kind}
    return {"metavar": "TEXT"} if kind is str else {"type": FILE}


def _each(kind: Any) -> dict[str, Any]:
    """Return the type of one of several values."""
    inner = get_args(kind)[0]
    if get_origin(inner) is Literal:
        return {"type": click.Choice(list(get_args(inner)))}
    return {"type": FILE} if several_files(kind) else {"metavar": "TEXT"}


def several_files(kind: Any) -> bool:
    """Return whether a keyword takes several files.

    >>> several_files(Sequence[str | Path]), several_files(Sequence[str])
    (True, False)
    """
    return get_origin(kind) is Sequence and Path in get_args(get_args(kind)[0])


def _bare(kind: Any) -> Any:
    """Return a kind without None; a list may be typed as a text, a table is read from a file."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    inner = [one for one in get_args(kind) if one is not type(None)]
    if len(inner) > 1:
        return Path if any(map(may_be_source, inner)) else str if str in inner else inner[0]
    return inner[0]


def _help(parameter: Parameter, *, bare: bool) -> str:
    text = parameter.doc
    if parameter.owners:
        text = f"{text} [{', '.join(parameter.owners)}]"
    default = parameter.default
    if bare and isinstance(default, str | int | float) and default not in (False, ""):
        text = f"{text} Default: {default}."
    return text
