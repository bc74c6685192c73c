"""What may be chosen about a method or rule, read from the signature of its own function.

A parameter that is a dataclass stands for its fields, so that `mace(ratings, training=Training())`
has the options em, restarts, iterations and so on. No second place lists them.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from itertools import takewhile
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Protocol, Union, get_args, get_origin, get_type_hints

from plausibly.errors import StudyError, UnknownName, about
from plausibly.errors import option as option_named
from plausibly.registry import called

_WORDS: Mapping[object, str] = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    Path: "a path",
}
_ENTRY = re.compile(r"^(\w+)(?: \([^)]*\))?: (.+)")


class Functions(Protocol):
    """Functions by name: a registry, or a plain mapping."""

    def __getitem__(self, name: Any, /) -> Callable[..., object]: ...
    def __iter__(self) -> Iterator[str]: ...


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing that may be chosen.

    Args:
        name: As a keyword; with dashes, the option of the command.
        kind: Its annotation.
        default: What it is when nobody chooses; `dataclasses.MISSING` where one must.
        doc: What it means, in one line.
        inside: The dataclass parameter it is a field of, "" when it is a parameter itself.
        owners: The methods that have it, where a command offers those of several.
    """

    name: str
    kind: Any
    default: Any
    doc: str = ""
    inside: str = ""
    owners: tuple[str, ...] = ()

    @property
    def required(self) -> bool:
        """Whether there is no default."""
        return self.default is MISSING

    @property
    def option(self) -> str:
        """The name of the command's option.

        >>> Parameter("min_share", float, 0.7).option
        '--min-share'
        """
        return f"--{self.name.replace('_', '-')}"


def parameters_of(
    function: Callable[..., object], *, without: Collection[str] = ()
) -> dict[str, Parameter]:
    """Return the parameters of a function by name; fields replace their dataclass.

    Args:
        function: A method, a rule's factory, a verb.
        without: Parameters that others fill in, such as a table, a seed or a scheme.
    """
    hints, docs = get_type_hints(function), argument_docs(function)
    chosen: dict[str, Parameter] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in without or parameter.kind is not parameter.KEYWORD_ONLY:
            continue
        kind = hints.get(name, object)
        default = MISSING if parameter.default is parameter.empty else parameter.default
        if isinstance(kind, type) and is_dataclass(kind):
            chosen |= _fields(name, kind, default)
        else:
            chosen[name] = Parameter(name, kind, default, docs.get(name, ""))
    return chosen


def _fields(inside: str, kind: type, default: object) -> dict[str, Parameter]:
    hints, docs = get_type_hints(kind), argument_docs(kind)
    return {
        one.name: Parameter(
            one.name,
            hints[one.name],
            one.default if default is MISSING else getattr(default, one.name),
            docs.get(one.name, ""),
            inside,
        )
        for one in fields(kind)
    }


def argument_docs(documented: object) -> dict[str, str]:
    """Return the first sentence on each argument, from the docstring's `Args:`.

    >>> argument_docs(Parameter)["inside"]
    'The dataclass parameter it is a field of, "" when it is a parameter itself.'
    """
    _, _, section = (inspect.getdoc(documented) or "").partition("Args:\n")
    docs: dict[str, str] = {}
    name = ""
    for line in section.splitlines():
        if not line.startswith("    "):
            break
        entry = _ENTRY.match(line.strip()) if line[4:5] != " " else None
        if entry:
            name = entry[1]
            docs[name] = entry[2]
        elif name:
            docs[name] += f" {line.strip()}"
    return {name: re.split(r"(?<=\.) (?=[A-Z])", text)[0] for name, text in docs.items()}


def examples_of(documented: object) -> tuple[str, ...]:
    """Return the command lines of the docstring's `Examples:`.

    >>> examples_of(examples_of)
    ()
    """
    _, _, section = (inspect.getdoc(documented) or "").partition("\nExamples:\n")
    lines = takewhile(lambda line: line.startswith("    "), section.splitlines())
    joined = "\n".join(line[4:] for line in lines).replace("\\\n", "")
    return tuple(re.sub(r" +", " ", line) for line in joined.splitlines())


def accepted(
    options: Mapping[str, Any],
    *,
    of: Functions,
    name: str | Callable[..., object],
    supplied: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    """Return the keyword arguments of a function for flat options; what does not fit raises.

    Args:
        options: What was chosen, by name.
        of: All the functions there are to choose from, by name.
        name: The one chosen, or a function from outside.
        supplied: What the caller fills in where the function takes it: a seed, a scheme.

    >>> def mean(ratings: list[float], *, seed: int = 1) -> float: ...
    >>> def agreed_by(ratings: list[float], *, at_least: int) -> float: ...
    >>> methods = {"mean": mean, "agreed-by": agreed_by}
    >>> accepted({"at_least": 2}, of=methods, name="agreed-by", supplied={"seed": 5})
    {'at_least': 2}
    >>> accepted({"at_least": 2}, of=methods, name="mean", supplied={"seed": 5})
    Traceback (most recent call last):
    plausibly.errors.StudyError: at_least= is an option of agreed-by, not of mean.
    """
    supplied = supplied or {}
    check_options(options, of=of, name=name, supplied=supplied)
    function = of[name]
    known = parameters_of(function, without=supplied)
    arguments: dict[str, Any] = {}
    parts: dict[str, dict[str, Any]] = {}
    for option, value in options.items():
        check_value(f"{called(name)}: {option}", known[option].kind, value)
        inside = known[option].inside
        (parts.setdefault(inside, {}) if inside else arguments)[option] = value
    hints = get_type_hints(function)
    arguments |= {inside: hints[inside](**chosen) for inside, chosen in parts.items()}
    takes = inspect.signature(function).parameters
    return arguments | {key: value for key, value in supplied.items() if key in takes}


def check_options(
    options: Mapping[str, Any],
    *,
    of: Functions,
    name: str | Callable[..., object],
    supplied: Collection[str] = (),
) -> None:
    """Raise at the first option the function does not have, or at one it needs and has not."""
    known = parameters_of(of[name], without=supplied)
    for option in options:
        if option not in known:
            _refuse(option, of, name, supplied)
    missing = next((p for p in known.values() if p.required and p.name not in options), None)
    if missing is not None:
        what = missing.doc or _said(missing.kind)
        raise StudyError(
            f"{called(name)} needs {option_named(missing.name)}: {what}", parameter=missing.name
        )


def _refuse(
    option: str, of: Functions, name: str | Callable[..., object], supplied: Collection[str]
) -> None:
    known = {other: parameters_of(of[other], without=supplied) for other in of}
    owners = [other for other in known if option in known[other]]
    if not owners:
        every = {one for own in known.values() for one in own}
        raise UnknownName("option", option, every, parameter=option)
    message = f"{option_named(option)} is an option of {', '.join(owners)}, not of {called(name)}."
    raise StudyError(message, parameter=option)


def check_parameters(rule: str, factory: Callable[..., object], given: Mapping[str, Any]) -> None:
    """Raise at the first parameter that is unknown or of another type than the rule takes."""
    kinds = parameters_of(factory)
    for name, value in given.items():
        if name not in kinds:
            raise UnknownName(f"parameter of {rule}", name, kinds)
        check_value(f"{rule}: {name}", kinds[name].kind, value)


def check_attempts(rule: str, factory: Callable[..., object], attempts: Mapping[str, Any]) -> None:
    """Raise unless every parameter to try is known and has a list of values of its type."""
    kinds = parameters_of(factory)
    for name, values in attempts.items():
        if name not in kinds:
            raise UnknownName(f"parameter of {rule}", name, kinds)
        if not isinstance(values, list | tuple):
            raise StudyError(f"{rule}: try.{name} must be a list of values; got {values!r}.")
        for value in values:
            check_value(f"{rule}: try.{name}", kinds[name].kind, value)


def check_value(where: str, kind: object, value: object) -> None:
    """Raise unless a value is of a kind; a whole number is a number, true and false are not.

    >>> check_value("few_ratings: fewer_than", int, "3")
    Traceback (most recent call last):
    plausibly.errors.StudyError: few_ratings: fewer_than must be a whole number; got '3'.
    """
    if _fits(kind, value):
        return
    if get_origin(kind) is Literal and isinstance(value, str):
        raise UnknownName(f"value of {where}", value, get_args(kind))
    raise StudyError(f"{where} must be {_said(kind)}; got {value!r}.")


def check_kinds(parameters: Mapping[str, Any], kinds: Mapping[str, Any], *, section: str) -> None:
    """Raise at the first key of a section that is of another kind than the argument takes."""
    for name, value in parameters.items():
        if value is not None and name in kinds:
            with about(name):
                check_value(f"[{section}] {name}", kinds[name], value)


def check_choices(parameters: Mapping[str, Any], kinds: Mapping[str, Any]) -> None:
    """Raise at the first text that differs from every value its argument lists.

    >>> check_choices({"few": "eiter"}, {"few": Literal["either", "both"] | None})
    Traceback (most recent call last):
    plausibly.errors.UnknownName: unknown value of few= 'eiter'. Did you mean 'either'? Known: \
both, either.
    """
    for name, value in parameters.items():
        kind = kinds.get(name)
        parts = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
        if isinstance(value, str) and value and not any(_fits(one, value) for one in parts):
            lists = next((one for one in parts if get_origin(one) is Literal), None)
            if lists is not None:
                with about(name):
                    check_value(option_named(name), lists, value)


def _fits(kind: object, value: object) -> bool:
    if get_origin(kind) is not None:
        return _fits_parts(get_origin(kind), get_args(kind), value)
    if kind is float:
        return _fits(int, value) or (isinstance(value, float) and isfinite(value))
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, kind) if isinstance(kind, type) else kind is Any


def _fits_parts(origin: object, inner: tuple[Any, ...], value: object) -> bool:
    if origin in (Union, types.UnionType):
        return any(_fits(one, value) for one in inner)
    if origin is Sequence:
        return isinstance(value, list | tuple) and all(_fits(inner[0], one) for one in value)
    if origin is Mapping:
        return isinstance(value, Mapping) and all(
            _fits(inner[0], key) and _fits(inner[1], one) for key, one in value.items()
        )
    if origin is Callable:
        return callable(value)
    if origin is PathLike:
        return isinstance(value, PathLike)
    return origin is Literal and any(type(value) is type(one) and value == one for one in inner)


def _said(kind: object) -> str:
    """Return a kind in words; that a parameter may be left out is not part of it."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return " or ".join(_said(one) for one in inner if one is not type(None))
    if origin is PathLike:
        return _WORDS[Path]
    if origin is Literal:
        return "one of " + ", ".join(map(str, inner))
    if origin is Sequence:
        return f"a list, each of it {_said(inner[0])}"
    if origin is Mapping:
        return f"a table from {_said(inner[0])} to {_said(inner[1])}"
    return _WORDS.get(kind, str(kind))
