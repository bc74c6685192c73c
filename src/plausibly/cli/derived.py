"""The command of a verb: arguments, options and help follow from its declaration."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_origin

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
from plausibly.study.parameters import Parameter, parameters_of
from plausibly.study.verb import Declaration, Output

Decorator = Callable[[Any], Any]

FORCE = click.option("--force", is_flag=True, help="Overwrite files that are something else.")
STRICT = click.option("--strict", is_flag=True, help="Exit 1 if anything is noted.")


def command_of(declaration: Declaration) -> click.Command:
    """Return the command of a verb: its arguments, its options, `-o`, `--json`, its help."""
    output = declaration.output

    def run(*, as_json: bool, **options: Any) -> None:
        target, force = options.pop("output", None), options.pop("force", False)
        strict = options.pop("strict", False)
        watched = "watch" in declaration.signature.parameters
        with progress() if watched else nullcontext() as watch:
            asked = {**options, **({"watch": watch} if watched else {})}
            if "output" in declaration.signature.parameters:
                asked["output"] = target
            result = declaration.call(**_placed(asked))
        if output is not None and target is not None:
            _write(result, output, target, force=force)
        show(result, as_json=as_json)
        notes = getattr(result, "findings_text", ()) if strict else ()
        if notes:
            raise StudyError(f"{declaration.words}: {len(notes)} findings (first: {notes[0]})")

    made: Any = run
    for decorate in reversed(_decorators(declaration)):
        made = decorate(made)
    return click.command(declaration.words.rpartition(" ")[2], help=_help(declaration))(made)


def _placed(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments as the function takes them: several files are a list."""
    return {name: list(one) if isinstance(one, tuple) else one for name, one in asked.items()}


def _write(result: Any, output: Output, target: Path, *, force: bool) -> None:
    if output.table:
        result.write_table(output.table, target, force=force)
        say(f"{target}: {result.tables[output.table].height} {output.table}.")
    else:
        result.write(target, force=force)


def _help(declaration: Declaration) -> str:
    text = inspect.getdoc(declaration.function) or ""
    return text.partition("\nArgs:")[0].partition("\n>>>")[0].strip()


def _decorators(declaration: Declaration) -> list[Decorator]:
    positional = [
        one
        for one in declaration.signature.parameters.values()
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    decorators = [_argument(declaration, one) for one in positional]
    own = parameters_of(declaration.function, without=("output", "watch", "force", "strict"))
    decorators += [_option(declaration, one) for one in own.values()]
    decorators += _bare_options(declaration, own)
    if declaration.output is not None:
        decorators += [_output(declaration.output), FORCE]
    return [*decorators, json_option]


def _argument(declaration: Declaration, one: inspect.Parameter) -> Decorator:
    kind = declaration.kinds[one.name]
    several = get_origin(kind) is Sequence
    settings: dict[str, Any] = {"required": one.default is one.empty}
    if several:
        settings["nargs"] = -1
    if one.name in declaration.names:
        settings["type"] = Name(resolved(declaration.names[one.name]))
    elif one.name == "ratings":
        settings |= {"type": RATINGS, "metavar": "FILE"}
    elif may_be_source(kind):
        text = str in get_args(kind) and one.default is not one.empty
        settings["type"] = click.Path(path_type=Path) if text else FILE
    if one.default is not one.empty:
        settings["default"] = one.default
    return click.argument(one.name, **settings)


def _option(declaration: Declaration, one: Parameter) -> Decorator:
    if one.name in SPECIAL:
        return SPECIAL[one.name]
    names = declaration.names.get(one.name)
    return option_for(one, names=None if names is None else Name(resolved(names)))


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
