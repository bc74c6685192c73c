"""Parts of a table for cross-fitting: what is learnt about an item comes from other parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plausibly.io.ranks import rank
from plausibly.measures._grouping import Ints

FOLDS = 5
PURPOSE = "fold "


def folds_of_names(names: Sequence[str]) -> Ints:
    """Return the fold of each row; rows of one name are in one fold, and folds are of equal size.

    Folds depend on the names alone, not on the order of the rows.

    Args:
        names: The name of each row: its item, or the group its item belongs to.

    >>> folds_of_names(["a", "b", "a", "c"]).tolist()
    [2, 0, 2, 1]
    """
    ordered = sorted(set(names), key=lambda name: (rank(0, PURPOSE + name), name))
    place = {name: number % FOLDS for number, name in enumerate(ordered)}
    return np.array([place[name] for name in names], dtype=np.int64)
