"""The E-step of MACE for many restarts in one pass over the ratings, in NumPy and SciPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from plausibly.labels._layout import Ints, Layout, Places
from plausibly.labels._sums import Sums
from plausibly.measures.coded import Floats
from plausibly.registry import Registry

BLOCK = 20_000
LARGEST = 600.0

EStep = Callable[[Floats], tuple[Floats, Floats]]
"""From log ratios (cell, restart) to sums of posteriors per cell and log weights per restart."""

KERNELS: Registry[Callable[[Layout], EStep]] = Registry(
    "backend",
    {
        "numba": "plausibly.backends.numba:kernel",
        "numpy": "plausibly.labels._kernel:kernel",
    },
)


@dataclass(frozen=True, eq=False)
class _Block:
    """A slice of items: `votes` sums cells into runs, `runs` sums runs into items."""

    items: slice
    votes: Sums
    runs: Sums
    opens: Ints
    sizes: Places
    weight: Floats | None
    rest: Floats

    def posterior(self, log_ratio: Floats) -> tuple[Floats, Floats, Floats]:
        """Return each run's posterior, that of a unit of weight, and the log of the whole."""
        weights = self.votes.of_columns(log_ratio)
        unit = np.ones((1, weights.shape[1]))
        shift = np.zeros((1, weights.shape[1]))
        if weights.max(initial=0.0) > LARGEST:
            shift = np.maximum(np.maximum.reduceat(weights, self.opens, axis=0), 0.0)
            weights -= np.repeat(shift, self.sizes, axis=0)
            unit = np.exp(-shift)
        np.exp(weights, out=weights)
        if self.weight is not None:
            weights *= self.weight[:, None]
        total = self.runs.of_columns(weights)
        total += self.rest[:, None] * unit
        share = 1 / total
        weights *= np.repeat(share, self.sizes, axis=0)
        return weights, unit * share, np.log(total) + shift


def kernel(layout: Layout) -> EStep:
    """Return the E-step over this layout."""
    blocks = list(_blocks(layout))

    def e_step(log_ratio: Floats) -> tuple[Floats, Floats]:
        sums = np.zeros_like(log_ratio)
        logs = np.zeros(log_ratio.shape[1])
        for block in blocks:
            posterior, _, log_weight = block.posterior(log_ratio)
            sums += block.votes.of_rows(posterior)
            logs += log_weight.sum(axis=0)
        return sums, logs

    return e_step


def posteriors(layout: Layout, log_ratio: Floats, n_items: int) -> Floats:
    """Return the posterior of each item (row) and label (column); NaN for items without ratings.

    Args:
        layout: The ratings.
        log_ratio: Log ratio of each cell.
        n_items: How many items there are, with and without ratings.
    """
    found = np.full((n_items, layout.n_labels), np.nan)
    for block in _blocks(layout):
        posterior, unit, _ = block.posterior(log_ratio[:, None])
        items = layout.item[block.items]
        open_labels = layout.prior * unit
        if layout.known is not None:
            known = layout.known[block.items, None]
            open_labels *= (known < 0) | (known == np.arange(layout.n_labels))
        found[items] = open_labels
        runs = slice(layout.first[block.items.start], layout.first[block.items.stop])
        found[np.repeat(items, block.sizes), layout.run_label[runs]] = posterior[:, 0]
    return found


def _blocks(layout: Layout) -> Iterator[_Block]:
    """Yield blocks small enough for the cache, yet large compared with the table of cells."""
    slices = list(layout.blocks(max(BLOCK, 10 * layout.n_cells)))
    ends = layout.start[layout.first]
    most = max((int(ends[s.stop] - ends[s.start]) for s in slices), default=0)
    ones, every = np.ones(most), np.arange(most, dtype=np.int32)
    for items in slices:
        yield _block(layout, items, ones, every)


def _block(layout: Layout, items: slice, ones: Floats, every: Ints) -> _Block:
    first = layout.first[items.start : items.stop + 1]
    runs = slice(first[0], first[-1])
    start = layout.start[first[0] : first[-1] + 1]
    cell = layout.cell[start[0] : start[-1]]
    votes = Sums(cell, (start - start[0]).astype(np.int32), ones[: len(cell)], layout.n_cells)
    weight = None if layout.weight is None else layout.weight[runs]
    opens = (first - first[0]).astype(np.int32)
    size = int(opens[-1])
    sums = Sums(every[:size], opens, ones[:size], size)
    return _Block(items, votes, sums, opens[:-1], np.diff(first), weight, layout.rest[items])
