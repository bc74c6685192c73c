"""Sums of table rows by a fixed pattern: the two products in MACE's E-step."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType

import numpy as np

from plausibly.labels._layout import Ints
from plausibly.measures.coded import Floats

_LOOPS = "scipy.sparse._sparsetools"


@dataclass(frozen=True, eq=False)
class Sums:
    """A matrix of ones in compressed rows: row i has them in `columns[ends[i]:ends[i + 1]]`.

    Args:
        columns: The column of each one.
        ends: Where the ones of each row begin, and the end.
        ones: An array of that many ones.
        width: The number of columns.
    """

    columns: Ints
    ends: Ints
    ones: Floats
    width: int

    def of_columns(self, values: Floats) -> Floats:
        """Return for each row the sum of `values` over its columns."""
        return self._product("csr_matvecs", values, len(self.ends) - 1)

    def of_rows(self, values: Floats) -> Floats:
        """Return for each column the sum of `values` over the rows that have it."""
        return self._product("csc_matvecs", values, self.width)

    def _product(self, loop: str, values: Floats, size: int) -> Floats:
        values = np.ascontiguousarray(values)
        out = np.zeros((size, values.shape[1]))
        shape = (size, len(values), values.shape[1])
        pattern = (self.ends, self.columns, self.ones)
        getattr(_loops(), loop)(*shape, *pattern, values.ravel(), out.ravel())
        return out


def _loops() -> ModuleType:
    """Return SciPy's compiled loops over sparse matrices, but not the slow rest.

    They are loaded under their usual module name, so `scipy.sparse` finds them if it is imported
    later.
    """
    if _LOOPS in sys.modules:
        return sys.modules[_LOOPS]
    import scipy

    folder = str(Path(scipy.__file__).parent / "sparse")
    spec = PathFinder.find_spec(_LOOPS, [folder])
    if spec is None or spec.loader is None:  # a SciPy that stores them elsewhere
        from scipy.sparse import _sparsetools

        return _sparsetools
    loops = module_from_spec(spec)
    sys.modules[_LOOPS] = loops
    spec.loader.exec_module(loops)
    return loops
