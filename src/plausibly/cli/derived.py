"""The command of a verb: arguments, options and help follow from its declaration."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click

from plausibly.cli.names import Name
from plausibly.cli.options import option_for
from plausibly.cli.progress import progress
from plausibly.cli.show import json_option, say, show
from plausibly.cli.source import FILE, RATINGS
from plausibly.cli.special import SPECIAL
from plausibly.errors import StudyError
from plausibly.registry import resolved
from plausibly.study.made import may_be_source
from plausibly.study.parameters import (
    Parameter,
    argument_docs,
    examples_of,
    parameters_of,
)
from plausibly.study.verb import Declaration, Output

Decorator = Callable[[Any], Any]

MANY = 50  # steps from which on a log without a terminal shows progress
FORCE = click.option("--force", is_flag=True, help="Overwrite files that are something else.")
STRICT = click.option("--strict", is_flag=True, help="Exit 1 if anything is noted.")


def command_of(declaration: Declaration) -> click.Command:
    """Return the command of a verb: its arguments, its options, `-o`, `--json`, its help."""
    output = declaration.output

    def run(*, as_json: bool, **options: Any) -> None:
        target, force = options.pop("output", None), options.pop("force", False)
        strict = options.pop("strict", False)
        watched = "watch" in declaration.signature.parameters
        with progress(lines=MANY) if watched else nullcontext() as watch:
            asked = {**options, **({"watch": watch} if watched else {})}
            if "output" in declaration.signature.parameters:
                asked["output"] = target
            result = declaration.call(**_placed(asked))
        if output is not None and target is not None:
            _write(result, output, target, force=force)
        show(result, as_json=as_json)
        if strict and result.noted:
            first = f"{len(result.noted)} findings (first: {result.noted[0]})"
            raise StudyError(f"{declaration.words}: {first}")

    made: Any = run
    for decorate in reversed(_decorators(declaration)):
        made = decorate(made)
    name = declaration.words.rpartition(" ")[2]
    return click.command(name, **texts_of(declaration))(made)


def texts_of(declaration: Declaration) -> dict[str, str | None]:
    """Return what the help of a command says above its options, and the examples below them."""
    lines = [f"  {line}" for line in examples_of(declaration.function)]
    epilog = "\n".join(["\b\nExamples:", *lines]) if lines else None
    return {"help": _help(declaration), "epilog": epilog}


def _placed(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments as the function takes them: several files are a list."""
    return {name: list(one) if isinstance(one, tuple) else one for name, one in asked.items()}


def _write(result: Any, output: Output, target: Path, *, force: bool) -> None:
    if not output.table:
        result.write(target, force=force)
        return
    names = _tables(output)
    name = next((one for one in names if one in result.tables), names[0])
    result.write_table(name, target, force=force)
    say(f"{target}: {result.counted(name)}.")


def _tables(output: Output) -> tuple[str, ...]:
    return (output.table,) if isinstance(output.table, str) else output.table


def _help(declaration: Declaration) -> str:
    text = inspect.getdoc(declaration.function) or ""
    for end in ("\nArgs:", "\nReturns:", "\nExamples:", "\n>>>"):
        text = text.partition(end)[0]
    return text.strip()


def _decorators(declaration: Declaration) -> list[Decorator]:
    decorators: list[Decorator] = []
    docs = argument_docs(declaration.function)
    own: dict[str, Parameter] = {}
    for one in declaration.signature.parameters.values():
        if one.kind not in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD):
            continue
        if one.default is one.empty:
            decorators.append(_argument(declaration, one))
        else:
            kind = declaration.kinds[one.name]
            own[one.name] = Parameter(one.name, kind, one.default, docs.get(one.name, ""))
    own |= parameters_of(declaration.function, without=("output", "watch", "force", "strict"))
    decorators += [_option(declaration, one) for one in own.values()]
    decorators += _bare_options(declaration, own)
    if declaration.output is not None:
        decorators += [_output(declaration.output), FORCE]
    return [*decorators, *([STRICT] if declaration.strict else []), json_option]


def _argument(declaration: Declaration, one: inspect.Parameter) -> Decorator:
    kind = declaration.kinds[one.name]
    several = get_origin(kind) is Sequence
    settings: dict[str, Any] = {}
    if several:
        settings |= {"nargs": -1, "required": True}
    if one.name in declaration.names:
        settings["type"] = _name(declaration.names[one.name])
    elif one.name in declaration.texts:
        settings["metavar"] = "NAME|FILE"
    elif get_origin(kind) is Literal:
        settings["type"] = click.Choice(list(get_args(kind)))
    elif one.name == "ratings":
        settings |= {"type": RATINGS, "metavar": "FILE"}
    elif may_be_source(kind):
        settings["type"] = FILE
    return click.argument(one.name, **settings)


def _option(declaration: Declaration, one: Parameter) -> Decorator:
    if one.name in SPECIAL:
        return SPECIAL[one.name]
    if one.name in declaration.targets:
        kind = click.Path(path_type=Path, dir_okay=False)
        return click.option(one.option, one.name, type=kind, help=one.doc)
    if one.name in declaration.texts:
        return option_for(replace(one, kind=str), metavar="NAME|FILE")
    names = declaration.names.get(one.name)
    return option_for(one, names=None if names is None else _name(names))


def _name(names: str | tuple[str, str]) -> Name:
    place, unless = (names, None) if isinstance(names, str) else names
    return Name(resolved(place), unless=unless)


def _bare_options(declaration: Declaration, own: Mapping[str, Parameter]) -> list[Decorator]:
    """Return the options that `**options` takes, each with the methods it belongs to."""
    if declaration.options is None:
        return []
    return [
        option_for(one, bare=True)
        for name, one in declaration.options({}).items()
        if name not in own
    ]


def _output(output: Output) -> Decorator:
    kind = click.Path(path_type=Path, dir_okay=not output.table, file_okay=bool(output.table))
    help_text = output.help or (
        f"File for the table of {' or '.join(_tables(output))}."
        if output.table
        else "Folder to write."
    )
    return click.option("-o", "--output", type=kind, required=output.required, help=help_text)


def declaration_at(place: str) -> Declaration:
    """Return the declaration of the verb at `module:function`."""
    module, _, name = place.partition(":")
    declaration = getattr(import_module(module), name).declaration
    if not isinstance(declaration, Declaration):
        raise TypeError(f"{place} is not a verb")
    return declaration
