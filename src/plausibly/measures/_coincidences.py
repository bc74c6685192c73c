"""How often two answers meet on an item: all of Krippendorff's metrics need no more."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

PRODUCT = 1 << 17


def coincidences(counts: Floats) -> Floats:
    """Return how often two answers meet on an item, from how often each item (row) got each.

    An item with n ratings, two or more, gives each ordered pair of them the weight 1 / (n - 1), so
    that the rows add up to how often each answer was given to such items (Krippendorff 2011).

    >>> coincidences(np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 1.0]])).tolist()
    [[2.0, 1.0], [1.0, 0.0]]
    """
    table = np.zeros((counts.shape[1], counts.shape[1]))
    given = np.zeros(counts.shape[1])
    ones = np.ones(counts.shape[1])
    # In blocks that stay in the cache, too small for a matrix product to wake other threads.
    rows = max(1, PRODUCT // max(1, counts.shape[1] ** 2))
    for start in range(0, len(counts), rows):
        block = counts[start : start + rows]
        ratings = block @ ones
        weight = (ratings > 1) / np.maximum(ratings - 1, 1.0)
        table += block.T @ (block * weight[:, None])
        given += weight @ block
    table[np.diag_indices_from(table)] -= given
    return table
