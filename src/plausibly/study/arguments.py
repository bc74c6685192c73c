"""The arguments of a call from Python: bound to their names, plain, and of the kind they must be.

What a notebook has at hand is made what the command line writes: numbers of NumPy are numbers, and
a list or a mapping is the text that an option has for it. Anything else that does not fit raises,
and the error names the parameter.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from os import PathLike
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from plausibly.errors import StudyError, UnknownName, about, option
from plausibly.io.failures import READING, reason
from plausibly.study.parameters import check_value

P = ParamSpec("P")
R = TypeVar("R")
SEPARATORS = (",", "|", "=")
LINE = 80  # letters of a path in a message
_PLAIN = (str, int, float, bool, Path, types.NoneType)
_UNIONS = (Union, types.UnionType)


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return a public function that is not a verb, with its arguments checked.

    >>> @checked
    ... def status(folder: str | Path) -> str:
    ...     return str(folder)
    >>> status(3)
    Traceback (most recent call last):
    plausibly.errors.StudyError: folder= must be text or a path; got 3.
    """
    signature = inspect.signature(function)

    @wraps(function)
    def call(*positions: P.args, **keywords: P.kwargs) -> R:
        kinds = _kinds(function)
        bound = bound_arguments(signature, positions, keywords)
        for name, value in bound.arguments.items():
            bound.arguments[name] = checked_argument(name, kinds.get(name), value)
        with plain_failures():
            return function(*bound.args, **bound.kwargs)

    return call


@contextmanager
def plain_failures() -> Iterator[None]:
    """Raise what a file system refuses as one of our errors, with the path and the reason."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            raise
        raise StudyError(f"{shortened(str(error.filename))}: {reason(error, READING)}") from error


def shortened(name: str) -> str:
    """Return a path that fits into one line.

    >>> shortened("ratings.csv"), len(shortened("x" * 5000))
    ('ratings.csv', 81)
    """
    return name if len(name) <= LINE else f"{name[:LINE]}…"


def _kinds(function: Callable[..., object]) -> dict[str, Any]:
    """Return the annotations of parameters; what is returned may be imported for checkers only."""
    written = {name: kind for name, kind in function.__annotations__.items() if name != "return"}
    return get_type_hints(types.SimpleNamespace(__annotations__=written), function.__globals__)


def bound_arguments(
    signature: inspect.Signature, positions: Sequence[Any], keywords: Mapping[str, Any]
) -> inspect.BoundArguments:
    """Return the arguments of a call by name; raise if one is unknown or lacking.

    >>> def label(ratings: object, *, method: str) -> None: ...
    >>> bound_arguments(inspect.signature(label), ["r.csv"], {"methd": "mace"})
    Traceback (most recent call last):
    plausibly.errors.UnknownName: unknown parameter 'methd'. Did you mean 'method'? \
Known: method, ratings.
    """
    known = signature.parameters
    open_ended = any(one.kind is one.VAR_KEYWORD for one in known.values())
    unknown = next((name for name in keywords if name not in known), None)
    if unknown is not None and not open_ended:
        raise UnknownName("parameter", unknown, known, parameter=unknown)
    try:
        return signature.bind(*positions, **keywords)
    except TypeError as error:
        lacking = [
            name
            for place, (name, one) in enumerate(known.items())
            if one.default is one.empty
            and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
            and name not in keywords
            and (place >= len(positions) or one.kind is one.KEYWORD_ONLY)
        ]
        if not lacking:
            raise StudyError(f"{error}. Pass options by name.") from error
        raise StudyError(f"{option(lacking[0])} is missing.", parameter=lacking[0]) from error


def checked_argument(name: str, kind: Any, value: Any) -> Any:
    """Return an argument as a plain value of its kind; raise, naming it, where it is not one.

    Args:
        name: The parameter.
        kind: Its annotation; None if it has none.
        value: What was passed.

    >>> checked_argument("sides", str | None, [[1, 2], [4, 5]])
    '1,2|4,5'
    >>> checked_argument("scheme", str | None, {"no": [1, 2], "yes": [4, 5]})
    'no=1,2|yes=4,5'
    """
    plain = plain_value(value)
    if isinstance(plain, str | Path) and "\0" in str(plain):
        raise StudyError(f"{option(name)} holds a null character: {plain!r}.", parameter=name)
    if kind is None or not _is_plain(kind):
        return plain
    if isinstance(plain, list | tuple | Mapping) and _takes_text(kind):
        plain = _as_text(name, plain)
    with about(name):
        check_value(option(name), kind, plain)
    return plain


def listed(names: str | Sequence[str] | None) -> list[str]:
    """Return names that are separated by commas, or listed.

    >>> listed("verb, object"), listed(["verb"]), listed(None)
    (['verb', 'object'], ['verb'], [])
    """
    parts = names.split(",") if isinstance(names, str) else names or ()
    return [str(name).strip() for name in parts if str(name).strip()]


def ends_of(bounds: str | Sequence[float] | None) -> tuple[float, float] | None:
    """Return the argument `bounds`, the two ends of a scale, as numbers.

    >>> ends_of("0,100")
    (0.0, 100.0)
    """
    if bounds is None:
        return None
    what = f"{option('bounds')} must be two numbers, as '0,100'; got {bounds!r}."
    try:
        low, high = map(float, bounds.split(",") if isinstance(bounds, str) else bounds)
    except (TypeError, ValueError) as error:
        raise StudyError(what, parameter="bounds") from error
    if not low < high:
        raise StudyError(what, parameter="bounds")
    return low, high


def plain_value(value: Any) -> Any:
    """Return numbers and arrays of NumPy, and columns of pandas, as plain Python.

    >>> import numpy as np
    >>> plain_value([np.int64(3), np.array([0.5])])
    [3, [0.5]]
    """
    root = type(value).__module__.partition(".")[0]
    if root in ("numpy", "pandas", "polars") and not isinstance(value, type):
        if type(value).__name__ in ("NAType", "NaTType"):
            return None
        listed = getattr(value, "to_list", None) or getattr(value, "tolist", None)
        return plain_value(listed()) if callable(listed) else value
    if type(value) in (list, tuple):
        return type(value)(map(plain_value, value))
    if type(value) is dict:
        return {plain_value(key): plain_value(one) for key, one in value.items()}
    return value


def _is_plain(kind: Any) -> bool:
    """Return whether a kind can be checked: texts, numbers, choices, lists and mappings of them."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in _UNIONS:
        return all(map(_is_plain, inner))
    if origin in (Literal, Callable, PathLike):
        return True
    if origin in (Sequence, Mapping):
        return all(map(_is_plain, inner))
    return kind in _PLAIN


def _takes_text(kind: Any) -> bool:
    """Return whether a kind has a text and neither a list nor a mapping."""
    parts = get_args(kind) if get_origin(kind) in _UNIONS else (kind,)
    return str in parts and not any(get_origin(one) in (Sequence, Mapping) for one in parts)


def _as_text(name: str, value: Any) -> str:
    """Return a list or a mapping as the option writes it."""
    if isinstance(value, Mapping):
        lists = any(isinstance(one, list | tuple) for one in value.values())
        parts = [f"{_cell(name, key)}={_cells(name, one)}" for key, one in value.items()]
        return ("|" if lists else ",").join(parts)
    lists = any(isinstance(one, list | tuple) for one in value)
    return ("|" if lists else ",").join(_cells(name, one) for one in value)


def _cells(name: str, value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(_cell(name, one) for one in value)
    return _cell(name, value)


def _cell(name: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise StudyError(
            f"{option(name)} must hold texts and numbers; got {value!r}.", parameter=name
        )
    whole = isinstance(value, float) and value.is_integer()
    text = str(int(value)) if whole else str(value)
    if any(sign in text for sign in SEPARATORS):
        raise StudyError(
            f"{option(name)}: {text!r} must not contain any of {SEPARATORS}.", parameter=name
        )
    return text
