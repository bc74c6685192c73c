"""The E-step of MACE as one compiled loop over the ratings (extra `fast`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from plausibly.errors import MissingExtra

try:
    from numba import njit
except ImportError as error:
    raise MissingExtra("the compiled backend", "fast") from error

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]

LARGEST = 600.0
TINY = 1e-300


class Runs(Protocol):
    """Ratings in runs of one item and label; see `plausibly.labels._layout.Layout`."""

    @property
    def cell(self) -> Ints:
        """Cell of each rating."""

    @property
    def start(self) -> Places:
        """First rating of each run, and the end."""

    @property
    def first(self) -> Places:
        """First run of each item, and the end."""

    @property
    def rest(self) -> Floats:
        """Weight of the labels of each item that nobody chose."""

    @property
    def weight(self) -> Floats | None:
        """Weight of each run's label; None when all are 1."""


class Arrays(NamedTuple):
    """The layout as the compiled loop takes it; `weight` is empty when all weights are 1."""

    cell: Ints
    start: Places
    first: Places
    weight: Floats
    rest: Floats


class KernelColumns(NamedTuple):
    """One column per restart.

    `table` stores each cell's ratio next to the sum to fill: every rating needs both, and the
    loop spends its time fetching them from memory.
    """

    table: Floats
    log_ratio: Floats
    logs: Floats


def kernel(layout: Runs) -> Callable[[Floats], tuple[Floats, Floats]]:
    """Return the E-step over this layout; it is compiled when it is first called."""
    weight = np.empty(0) if layout.weight is None else layout.weight
    arrays = Arrays(layout.cell, layout.start, layout.first, weight, layout.rest)
    most = int(np.diff(layout.first).max(initial=0))

    def e_step(log_ratio: Floats) -> tuple[Floats, Floats]:
        cells, restarts = log_ratio.shape
        table = np.zeros((cells, 2, restarts))
        np.exp(np.minimum(log_ratio, LARGEST), out=table[:, 0])
        columns = KernelColumns(table, np.ascontiguousarray(log_ratio), np.zeros(restarts))
        safe = LARGEST / max(float(log_ratio.max(initial=0.0)), TINY)
        _e_step(arrays, columns, safe, most)
        return table[:, 1], columns.logs

    return e_step


def _added(
    arrays: Arrays, columns: KernelColumns, item: int, weights: Floats, total: Floats
) -> None:
    """Weigh the runs of an item by exponentials of summed logs, scaled to prevent overflow."""
    low, high = arrays.first[item], arrays.first[item + 1]
    for r in range(len(total)):
        greatest = 0.0
        for run in range(low, high):
            logs = 0.0
            for place in range(arrays.start[run], arrays.start[run + 1]):
                logs += columns.log_ratio[arrays.cell[place], r]
            weights[run - low, r] = logs
            greatest = max(greatest, logs)
        total[r] = arrays.rest[item] * np.exp(-greatest)
        for run in range(low, high):
            weight = arrays.weight[run] if len(arrays.weight) else 1.0
            weights[run - low, r] = weight * np.exp(weights[run - low, r] - greatest)
            total[r] += weights[run - low, r]
        columns.logs[r] += greatest


def _multiplied(
    arrays: Arrays, columns: KernelColumns, item: int, weights: Floats, total: Floats
) -> None:
    """Weigh the runs of an item by the products of their ratios."""
    cell, start, first, weight, rest = arrays
    table, restarts = columns.table, len(total)
    low = first[item]
    for r in range(restarts):
        total[r] = rest[item]
    for k in range(first[item + 1] - low):
        own = weight[low + k] if len(weight) else 1.0
        for r in range(restarts):
            weights[k, r] = own
        for place in range(start[low + k], start[low + k + 1]):
            at = cell[place]
            for r in range(restarts):
                weights[k, r] *= table[at, 0, r]
        for r in range(restarts):
            total[r] += weights[k, r]


def _pass(arrays: Arrays, columns: KernelColumns, safe: float, most: int) -> None:
    """Add each item's posteriors to the sums of its ratings' cells, all restarts at once.

    From `safe` ratings on, the product of an item's ratios might overflow.
    """
    cell, start, first, _, _ = arrays
    table, _, logs = columns
    restarts = len(logs)
    weights, total = np.empty((most, restarts)), np.empty(restarts)
    for item in range(len(first) - 1):
        low, runs = first[item], first[item + 1] - first[item]
        if start[low + runs] - start[low] < safe:
            _multiply(arrays, columns, item, weights, total)
        else:
            _add(arrays, columns, item, weights, total)
        for r in range(restarts):
            logs[r] += np.log(total[r])
            total[r] = 1.0 / total[r]
        for k in range(runs):
            for r in range(restarts):
                weights[k, r] *= total[r]
            for place in range(start[low + k], start[low + k + 1]):
                at = cell[place]
                for r in range(restarts):
                    table[at, 1, r] += weights[k, r]


_compiled = njit(nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz", "arcp"})
_multiply = _compiled(_multiplied)
_add = _compiled(_added)
_e_step = _compiled(_pass)
