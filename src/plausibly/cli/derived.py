"""The command of a verb: arguments, options and help follow from its declaration."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click

from plausibly.cli.names import Name
from plausibly.cli.options import option_for, several_files
from plausibly.cli.progress import progress
from plausibly.cli.show import json_option, say, show
from plausibly.cli.source import FILE, RATINGS, SPECIAL, STUDY, output_option
from plausibly.errors import StudyError
from plausibly.ports import Watch
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
FORCE = click.option(
    "--force", is_flag=True, help="Overwrite files that this command did not write."
)
MORE = "more"  # files that follow those of an option
STRICT = click.option(
    "--strict", is_flag=True, help="Exit with 1 if there is a problem; notes do not count."
)


def command_of(declaration: Declaration) -> click.Command:
    """Return the command of a verb: its arguments, its options, `-o`, `--json`, its help."""
    output = declaration.output

    def run(*, as_json: bool, **options: Any) -> None:
        target, force = options.pop("output", None), options.pop("force", False)
        strict, takes = options.pop("strict", False), declaration.signature.parameters
        if output is not None:
            target = _target(output, target, options, force=force)
        given = {name: one for name, one in (("output", target), ("force", force)) if name in takes}
        with _bars(declaration) if "watch" in takes else nullcontext() as watch:
            watched = {"watch": watch} if "watch" in takes else {}
            result = _called(declaration, {**options, **watched, **given})
        if output is not None and target is not None and "output" not in takes:
            _write(result, output, target, force=force)
        show(result, as_json=as_json)
        if target is not None:
            for sentence in result.wrote(target):
                say(sentence)
        if strict and result.noted:
            _complain(declaration.words, result.noted)

    made: Any = run
    for decorate in reversed(_decorators(declaration)):
        made = decorate(made)
    name = declaration.words.rpartition(" ")[2]
    texts = texts_of(declaration)
    return click.command(name, help=texts["help"], epilog=texts["epilog"])(made)


def texts_of(declaration: Declaration) -> dict[str, Any]:
    """Return what the help of a command says above its options, and the examples below them."""
    return {"help": _help(declaration), "epilog": epilog_of(declaration.function)}


def epilog_of(function: object) -> str | None:
    """Return the examples of a docstring, formatted for below the options of a command."""
    lines = [f"  {line}" for line in examples_of(function)]
    return "\n".join(["\b\nExamples:", *lines]) if lines else None


def _bars(declaration: Declaration) -> AbstractContextManager[Watch]:
    """Return what shows progress; bytes are counted only on a terminal."""
    return progress(in_bytes=True) if declaration.in_bytes else progress(lines=MANY)


def _called(declaration: Declaration, asked: Mapping[str, Any]) -> Any:
    """Call the verb with its arguments as it takes them: several files are a list."""
    given = {name: list(one) if isinstance(one, tuple) else one for name, one in asked.items()}
    follow = given.pop(MORE, [])
    if follow:
        given[_several(declaration)] += follow
    several = next((n for n, one in _arguments(declaration) if one.kind is ANY), None)
    if several is None:
        return declaration.call(**given)
    first = [given.pop(name) for name, one in _arguments(declaration) if one.kind is not ANY]
    return declaration.call(*first, *given.pop(several), **given)


def _target(
    output: Output, target: Path | None, options: Mapping[str, Any], *, force: bool
) -> Path | None:
    """Return where the result goes; raise before any work where it cannot go there."""
    if output.unless and options.get(output.unless) is not None:
        return None
    if target is None and output.required:
        raise click.UsageError("missing option '-o' / '--output': the folder to write.")
    target = options[output.otherwise] if target is None and output.otherwise else target
    if target is not None and output.ready is not None and not force:
        output.ready(target)
    return target


def _complain(words: str, noted: Sequence[str]) -> None:
    """Raise what was noted: the first of it, with how many there are."""
    if len(noted) == 1:
        raise StudyError(f"{words}: {noted[0]}")
    raise StudyError(f"{words}: {len(noted)} findings (first: {noted[0]})")


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
    for _, one in _arguments(declaration):
        if one.default is one.empty:
            decorators.append(_argument(declaration, one))
        else:
            kind = declaration.kinds[one.name]
            own[one.name] = Parameter(one.name, kind, one.default, docs.get(one.name, ""))
    own |= parameters_of(declaration.function, without=("output", "watch", "force", "strict"))
    decorators += [_option(declaration, one) for one in own.values()]
    decorators += _bare_options(declaration, own)
    if _several(declaration):
        decorators.append(click.argument(MORE, type=FILE, nargs=-1, metavar="[FILES]..."))
    if declaration.output is not None:
        takes = declaration.signature.parameters
        guarded = "output" not in takes or "force" in takes
        decorators += [_output(declaration.output), *([FORCE] if guarded else [])]
    return [*decorators, *([STRICT] if declaration.strict else []), json_option]


def _arguments(declaration: Declaration) -> list[tuple[str, inspect.Parameter]]:
    """Return what may be passed by place."""
    own = declaration.signature.parameters.items()
    return [(n, one) for n, one in own if one.kind not in (one.KEYWORD_ONLY, one.VAR_KEYWORD)]


def _several(declaration: Declaration) -> str:
    """Return the keyword that takes several files, of a verb that takes nothing by place.

    Its files may follow one another: `--candidates a.csv b.csv`.
    """
    if _arguments(declaration):
        return ""
    own = parameters_of(declaration.function).values()
    return next((one.name for one in own if several_files(one.kind)), "")


def _argument(declaration: Declaration, one: inspect.Parameter) -> Decorator:
    kind = declaration.kinds[one.name]
    several = one.kind is ANY or _is_sequence(kind)
    settings: dict[str, Any] = {}
    if several:
        first = _arguments(declaration)[0][0] == one.name
        settings |= {"nargs": -1, "required": first or one.kind is not ANY}
    if one.name in declaration.names:
        settings["type"] = _name(declaration.names[one.name])
    elif one.name in declaration.texts:
        settings |= {"type": click.Path(path_type=Path)} | (
            {} if several else {"metavar": "NAME|FILE"}
        )
    elif one.name in FOLDERS:
        settings["type"] = STUDY
    elif get_origin(kind) is Literal:
        settings["type"] = click.Choice(list(get_args(kind)))
    elif one.name == "ratings":
        settings |= {"type": RATINGS, "metavar": "FILE"}
    elif may_be_source(kind):
        settings["type"] = STUDY if one.name == "study" else FILE
    return click.argument(one.name, **settings)


def _is_sequence(kind: Any) -> bool:
    return any(get_origin(one) is Sequence for one in (kind, *get_args(kind)))


def _option(declaration: Declaration, one: Parameter) -> Decorator:
    chosen = one.name in declaration.names or get_origin(one.kind) is Literal
    if one.name in SPECIAL and not chosen:
        return SPECIAL[one.name]
    if one.name in declaration.targets:
        kind = click.Path(path_type=Path, dir_okay=False)
        return click.option(one.option, one.name, type=kind, help=one.doc)
    if one.name in declaration.texts:
        return option_for(replace(one, kind=str), metavar="NAME|FILE")
    if one.name in declaration.places:
        place = click.Path(path_type=Path, dir_okay=False)
        return click.option(one.option, one.name, type=place, help=one.doc)
    names = declaration.names.get(one.name)
    return option_for(one, names=None if names is None else _name(names))


def _name(names: str | tuple[str, str]) -> Name:
    place, unless = (names, None) if isinstance(names, str) else names
    known = resolved(place)
    return Name(known, unless=unless or (":" if getattr(known, "group", "") else None))


def _bare_options(declaration: Declaration, own: Mapping[str, Parameter]) -> list[Decorator]:
    """Return the options that `**options` takes, each with the methods it belongs to."""
    if declaration.options is None:
        return []
    bare = [one for name, one in declaration.options({}).items() if name not in own]
    return [
        option_for(replace(one, kind=str), bare=True, metavar="NAME|FILE")
        if one.name in declaration.texts
        else option_for(one, bare=True)
        for one in bare
    ]


def _output(output: Output) -> Decorator:
    help_text = output.help or (
        f"File for the table of {' or '.join(_tables(output))}."
        if output.table
        else "Folder to write."
    )
    required = output.required and not output.unless
    return output_option(help_text, folder=not output.table, required=required)


def declaration_at(place: str) -> Declaration:
    """Return the declaration of the verb at `module:function`."""
    module, _, name = place.partition(":")
    declaration = getattr(import_module(module), name).declaration
    if not isinstance(declaration, Declaration):
        raise TypeError(f"{place} is not a verb")
    return declaration
