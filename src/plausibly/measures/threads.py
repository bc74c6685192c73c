"""Small problems in one thread: linear algebra wakes others for tables of twenty rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import CDLL
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_ENDINGS = ("", "64_")
_NAME = "scipy_openblas_{}_num_threads{}"


@contextmanager
def one_thread() -> Iterator[None]:
    """Let the linear algebra of NumPy and SciPy run in one thread while the block runs.

    Threads that wait for each other made a fit take four times the processor time. Where NumPy
    or SciPy do not bring their own OpenBLAS, nothing is changed.
    """
    before = [(library, threads(library)) for library in libraries()]
    for library, _ in before:
        _set(library, 1)
    try:
        yield
    finally:
        for library, count in before:
            _set(library, count)


def threads(library: CDLL) -> int:
    """Return how many threads a library uses."""
    return int(library[_NAME.format("get", _ending(library))]())


def _set(library: CDLL, count: int) -> None:
    if threads(library) != count:
        library[_NAME.format("set", _ending(library))](count)


@cache
def libraries() -> tuple[CDLL, ...]:
    """Return the OpenBLAS of NumPy's and of SciPy's wheels, where there are such."""
    loaded = []
    for package in ("numpy", "scipy"):
        spec = find_spec(package)
        folder = Path(str(spec.origin if spec else "")).parents[1] / f"{package}.libs"
        for path in sorted(folder.glob("libscipy_openblas*")):
            try:
                library = CDLL(str(path))
            except OSError:
                continue
            if _ending(library) is not None:
                loaded.append(library)
    return tuple(loaded)


def _ending(library: CDLL) -> str | None:
    """Return how names of the library end; None if it lacks them."""
    return next(
        (
            end
            for end in _ENDINGS
            if all(hasattr(library, _NAME.format(what, end)) for what in ("get", "set"))
        ),
        None,
    )
