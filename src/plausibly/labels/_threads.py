"""Small problems without other threads: SciPy's optimiser wakes them for tables of twenty rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import CDLL
from functools import cache
from pathlib import Path

_NAME = "scipy_openblas_{}_num_threads"


@contextmanager
def one_thread() -> Iterator[None]:
    """Let SciPy's linear algebra run in this thread alone while the block runs.

    Threads that wait for each other made a fit take four times the processor time. Where SciPy
    does not bring its own OpenBLAS, nothing is changed.
    """
    library = _openblas()
    before = 0 if library is None else int(library[_NAME.format("get")]())
    if library is not None and before > 1:
        library[_NAME.format("set")](1)
    try:
        yield
    finally:
        if library is not None and before > 1:
            library[_NAME.format("set")](before)


@cache
def _openblas() -> CDLL | None:
    """Return the OpenBLAS that SciPy's own wheels bring; None where there is none."""
    import scipy

    folder = Path(scipy.__file__).parent.parent / "scipy.libs"
    for path in sorted(folder.glob("libscipy_openblas*")):
        try:
            library = CDLL(str(path))
        except OSError:
            continue
        if all(hasattr(library, _NAME.format(what)) for what in ("get", "set")):
            return library
    return None
