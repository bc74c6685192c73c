"""Positive pointwise mutual information of head and dependent (Church and Hanks 1990)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy import sparse

from plausibly.models.counts import Floats, PairCounts, amount
from plausibly.models.pairs import Scores, places_of

# Levy, Goldberg and Dagan (2015): contexts to the power of .75 make rare ones less extreme.
POWER = 0.75


def scores(pairs: pl.DataFrame, counts: PairCounts) -> Scores:
    """Return the mutual information of every pair, 0 for pairs that were not seen."""
    places = places_of(pairs, counts)
    powered = counts.of_dependent**POWER
    expected = amount(counts.of_head, places.head) * amount(powered, places.dependent)
    score = np.zeros(len(expected))
    seen = places.count > 0
    score[seen] = np.log(places.count[seen] * powered.sum() / expected[seen])
    return Scores(np.maximum(score, 0.0), places.seen)


def ppmi_table(counts: PairCounts) -> sparse.csr_array:
    """Return the mutual information of all pairs that were seen, below 0 left out."""
    table = counts.table.tocoo()
    powered: Floats = counts.of_dependent**POWER
    expected: npt.NDArray[np.float64] = counts.of_head[table.row] * powered[table.col]
    value = np.log(table.data * powered.sum() / expected)
    kept = value > 0
    return sparse.csr_array(
        (value[kept], (table.row[kept], table.col[kept])), shape=counts.table.shape
    )
