"""The command of a verb: arguments, options and help follow from its declaration."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_origin

import click

from plausibly.cli.names import Name
from plausibly.cli.options import option_for
from plausibly.cli.progress import progress
from plausibly.cli.show import json_option, say, show
from plausibly.cli.source import FILE, RATINGS, STUDY
from plausibly.cli.special import SPECIAL
from plausibly.errors import StudyError
from plausibly.registry import resolved
from plausibly.study.made import FOLDERS, may_be_source
from plausibly.study.parameters import (
    Parameter,
    argument_docs,
    examples_of,
    parameters_of,
)
from plausibly.study.verb import Declaration, Output

Decorator = Callable[[Any], Any]

ANY = inspect.Parameter.VAR_POSITIONAL
MANY = 50  # steps from which on a log without a terminal shows progress
FORCE = click.option("--force", is_flag=True, help="Overwrite files that are something else.")
STRICT = click.option("--strict", is_flag=True, help="Exit 1 if anything is noted.")


def command_of(declaration: Declaration) -> click.Command:
    """Return the command of a verb: its arguments, its options, `-o`, `--json`, its help."""
    output = declaration.output

    def run(*, as_json: bool, **options: Any) -> None:
        target, force = options.pop("output", None), options.pop("force", False)
        strict, takes = options.pop("strict", False), declaration.signature.parameters
        given = {name: one for name, one in (("output", target), ("force", force)) if name in takes}
        with progress(lines=MANY) if "watch" in takes else nullcontext() as watch:
            watched = {"watch": watch} if "watch" in takes else {}
            result = _call(declaration, {**options, **watched, **given})
        if output is not None and target is not None and "output" not in takes:
            _write(result, output, target, force=force)
        show(result, as_json=as_json)
        if strict and result.noted:
            first = f"{len(result.noted)} findings (first: {result.noted[0]})"
            raise StudyError(f"{declaration.words}: {first}")

    made: Any = run
    for decorate in reversed(_decorators(declaration)):
        made = decorate(made)
    lines = [f"  {line}" for line in examples_of(declaration.function)]
    epilog = "\n".join(["\b\nExamples:", *lines]) if lines else None
    name = declaration.words.rpartition(" ")[2]
    return click.command(name, help=_help(declaration), epilog=epilog)(made)


def _call(declaration: Declaration, asked: Mapping[str, Any]) -> Any:
    """Call the verb: several files are a list, unless it takes them one by one (`*files`)."""
    several = next((one.name for one in _positions(declaration) if one.kind is ANY), None)
    if several is None:
        lists = {name: list(one) if isinstance(one, tuple) else one for name, one in asked.items()}
        return declaration.call(**lists)
    first = [one.name for one in _positions(declaration) if one.name != several]
    named = {name: one for name, one in asked.items() if name not in (*first, several)}
    return declaration.call(*(asked[name] for name in first), *asked[several], **named)


def _positions(declaration: Declaration) -> list[inspect.Parameter]:
    """Return the arguments a function takes by place."""
    placed = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, ANY)
    return [one for one in declaration.signature.parameters.values() if one.kind in placed]


def _write(result: Any, output: Output, target: Path, *, force: bool) -> None:
    if output.table:
        result.write_table(output.table, target, force=force)
        say(f"{target}: {result.tables[output.table].height} {output.table}.")
    else:
        result.write(target, force=force)
        for sentence in result.wrote(target):
            say(sentence)


def _help(declaration: Declaration) -> str:
    text = inspect.getdoc(declaration.function) or ""
    for end in ("\nArgs:", "\nReturns:", "\nExamples:", "\n>>>"):
        text = text.partition(end)[0]
    return text.strip()


def _decorators(declaration: Declaration) -> list[Decorator]:
    decorators: list[Decorator] = []
    docs = argument_docs(declaration.function)
    own: dict[str, Parameter] = {}
    for one in _positions(declaration):
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
    settings: dict[str, Any] = {}
    if get_origin(kind) is Sequence or one.kind is ANY:
        settings |= {"nargs": -1, "required": one.kind is not ANY}
    if one.name in declaration.names:
        settings["type"] = _name(declaration.names[one.name])
    elif one.name in declaration.texts:
        settings["metavar"] = "NAME|FILE"
    elif one.name in FOLDERS:
        settings["type"] = STUDY
    elif one.name == "ratings":
        settings |= {"type": RATINGS, "metavar": "FILE"}
    elif may_be_source(kind):
        settings["type"] = FILE
    return click.argument(one.name, **settings)


def _option(declaration: Declaration, one: Parameter) -> Decorator:
    if one.name in SPECIAL and get_origin(one.kind) is not Literal:
        return SPECIAL[one.name]
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
        f"File for the table of {output.table}." if output.table else "Folder to write."
    )
    return click.option("-o", "--output", type=kind, required=output.required, help=help_text)


def declaration_at(place: str) -> Declaration:
    """Return the declaration of the verb at `module:function`."""
    module, _, name = place.partition(":")
    declaration = getattr(import_module(module), name).declaration
    if not isinstance(declaration, Declaration):
        raise TypeError(f"{place} is not a verb")
    return declaration
