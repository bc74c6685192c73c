"""Starts drawn from what annotators did, never from their names or the order of the rows.

Every cell (annotator and label) gets a colour: a hash of its answers, of the answers of others to
the same items, and so on outward until no two cells can be told apart any better (colour
refinement; Weisfeiler and Leman 1968). The random numbers of a restart are hashes of seed,
restart and colour. Cells of one colour would go through an iteration alike, were it not for
rounding, so they are kept alike.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from plausibly.labels._layout import Layout
from plausibly.measures.coded import Floats

Hashes = npt.NDArray[np.uint64]

BLOCK = 1 << 20
ROUNDS = 64
GOLDEN = 0x9E3779B97F4A7C15
LOW = np.uint64(0xFFFFFFFF)


def mix(values: Hashes, salt: int) -> Hashes:
    """Return values scattered over 64 bits (the finaliser of SplitMix64; Steele et al. 2014)."""
    mixed = values + np.uint64(GOLDEN * salt % 2**64)
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def colours(layout: Layout) -> Hashes:
    """Return a colour for each annotator (row) and label (column)."""
    cells = np.zeros(layout.n_cells, dtype=np.uint64)
    runs = np.zeros(len(layout.run_label), dtype=np.uint64)
    if layout.weight is not None:
        runs = mix(layout.weight.view(np.uint64), 1) + np.repeat(
            mix(layout.rest.view(np.uint64), 2), np.diff(layout.first)
        )
    used = layout.used.ravel() > 0
    distinct = 0
    for _ in range(ROUNDS):
        cells, runs = _refined(layout, cells, runs)
        now = len(np.unique(cells[used]))
        if now == distinct:
            break
        distinct = now
    return cells.reshape(layout.used.shape)


def owners(layout: Layout, colour: Hashes) -> tuple[Hashes, Hashes]:
    """Return a colour for each annotator and for each item that has ratings.

    Args:
        layout: The ratings.
        colour: Of each annotator (row) and label (column).
    """
    own = np.where(layout.used > 0, mix(colour, 10), np.uint64(0))
    runs = _sum_of_ratings(layout, mix(colour.ravel(), 3))
    return np.add.reduce(own, axis=1), np.add.reduceat(mix(runs, 5), layout.first[:-1])


def _refined(layout: Layout, cells: Hashes, runs: Hashes) -> tuple[Hashes, Hashes]:
    """Return each colour hashed with the colours around it."""
    runs = mix(runs + _sum_of_ratings(layout, mix(cells, 3)), 4)
    items = np.add.reduceat(mix(runs, 5), layout.first[:-1])
    runs = mix(runs + np.repeat(mix(items, 6), np.diff(layout.first)), 7)
    cells = mix(cells + _sum_of_runs(layout, mix(runs, 8)), 9)
    own = np.where(layout.used > 0, mix(cells, 10).reshape(layout.used.shape), np.uint64(0))
    annotators = np.add.reduce(own, axis=1)
    return mix(cells + np.repeat(mix(annotators, 11), layout.n_labels), 12), runs


def _sum_of_ratings(layout: Layout, cells: Hashes) -> Hashes:
    """Return for each run the sum of its ratings' cells, modulo 2 ** 64."""
    sums = np.empty(len(layout.run_label), dtype=np.uint64)
    for items in layout.blocks(BLOCK):
        runs = slice(int(layout.first[items.start]), int(layout.first[items.stop]))
        start = layout.start[runs.start : runs.stop + 1]
        ratings = cells[layout.cell[start[0] : start[-1]]]
        sums[runs] = np.add.reduceat(ratings, start[:-1] - start[0])
    return sums


def _sum_of_runs(layout: Layout, runs: Hashes) -> Hashes:
    """Return for each cell the sum of its ratings' runs, modulo 2 ** 64.

    `bincount` adds floats; halves of 32 bits add up exactly for two million ratings.
    """
    sums = np.zeros(layout.n_cells, dtype=np.uint64)
    for items in layout.blocks(BLOCK):
        own = slice(int(layout.first[items.start]), int(layout.first[items.stop]))
        start = layout.start[own.start : own.stop + 1]
        cell = layout.cell[start[0] : start[-1]]
        hashes = np.repeat(runs[own], np.diff(start))
        low = np.bincount(cell, (hashes & LOW).astype(np.float64), layout.n_cells)
        high = np.bincount(cell, (hashes >> np.uint64(32)).astype(np.float64), layout.n_cells)
        sums += low.astype(np.uint64) + (high.astype(np.uint64) << np.uint64(32))
    return sums


def uniform(colour: Hashes, *, seed: int, restarts: int, stream: int) -> Floats:
    """Return numbers in [0, 1), one more axis behind for the restarts."""
    number = np.arange(restarts, dtype=np.uint64)
    salt = mix(mix(np.full(restarts, seed % 2**64, dtype=np.uint64), 13) + number, stream)
    drawn = mix(colour[..., None] ^ salt, stream) >> np.uint64(11)
    return drawn.astype(np.float64) * 2.0**-53


def twins(layout: Layout, colour: Hashes) -> npt.NDArray[np.int64] | None:
    """Return the number of each cell's colour, or None when no two used cells share one."""
    distinct, number = np.unique(colour, return_inverse=True)
    used = layout.used > 0
    if len(np.unique(colour[used])) == int(used.sum()):
        return None
    return np.asarray(number.reshape(-1) % len(distinct), dtype=np.int64)
