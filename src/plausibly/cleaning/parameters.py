"""What a parameter of a rule may be, by the annotations of the rule's own function."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from plausibly.errors import StudyError, UnknownName

_WORDS: Mapping[object, str] = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
}


def check_parameters(rule: str, factory: Callable[..., object], given: Mapping[str, Any]) -> None:
    """Raise at the first parameter that is unknown or of another type than the rule takes."""
    kinds = _kinds(factory)
    for name, value in given.items():
        if name not in kinds:
            raise UnknownName(f"parameter of {rule}", name, kinds)
        check_value(f"{rule}: {name}", kinds[name], value)


def check_attempts(rule: str, factory: Callable[..., object], attempts: Mapping[str, Any]) -> None:
    """Raise unless every parameter to try is known and has a list of values of its type."""
    kinds = _kinds(factory)
    for name, values in attempts.items():
        if name not in kinds:
            raise UnknownName(f"parameter of {rule}", name, kinds)
        if not isinstance(values, list | tuple):
            raise StudyError(f"{rule}: try.{name} must be a list of values; got {values!r}.")
        for value in values:
            check_value(f"{rule}: try.{name}", kinds[name], value)


def check_value(where: str, kind: object, value: object) -> None:
    """Raise unless a value is of a kind; a whole number is a number, true and false are none.

    >>> check_value("few_ratings: fewer_than", int, "3")
    Traceback (most recent call last):
    plausibly.errors.StudyError: few_ratings: fewer_than must be a whole number; got '3'.
    """
    if _fits(kind, value):
        return
    if get_origin(kind) is Literal and isinstance(value, str):
        raise UnknownName(f"value of {where}", value, get_args(kind))
    raise StudyError(f"{where} must be {_said(kind)}; got {value!r}.")


def _kinds(factory: Callable[..., object]) -> dict[str, Any]:
    return {name: kind for name, kind in get_type_hints(factory).items() if name != "return"}


def _fits(kind: object, value: object) -> bool:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return any(_fits(one, value) for one in get_args(kind))
    if origin is Literal:
        return value in get_args(kind)
    if origin is Sequence:
        (inner,) = get_args(kind)
        return isinstance(value, list | tuple) and all(_fits(inner, one) for one in value)
    if kind is float:
        return _fits(int, value) or (isinstance(value, float) and isfinite(value))
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, kind) if isinstance(kind, type) else False


def _said(kind: object) -> str:
    """Return a kind in words; that a parameter may be left away is no kind of value."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return " or ".join(_said(one) for one in get_args(kind) if one is not type(None))
    if origin is Literal:
        return "one of " + ", ".join(map(str, get_args(kind)))
    if origin is Sequence:
        return f"a list, each of it {_said(get_args(kind)[0])}"
    return _WORDS.get(kind, str(kind))
