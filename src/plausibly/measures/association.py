"""Association of two ordered answers, from tables of counts."""

from __future__ import annotations

import numpy as np

from plausibly.domain import Measure
from plausibly.measures.coded import Floats
from plausibly.measures.draws import drawable
from plausibly.measures.resampling import RESAMPLES, with_interval

_AT_ONCE = 1 << 21


def table_association(tables: Floats, *, resamples: int = RESAMPLES, seed: int = 0) -> Measure:
    """Return Kendall's tau-b of a cross table, with its interval from resampling units.

    Args:
        tables: One table of counts per unit (such as a source item): units, rows, columns, both
            from the lowest answer to the highest.
        resamples: How many times the units are drawn with replacement; 0 for no interval.
        seed: Random seed; the same seed gives the same interval.

    >>> table_association(np.array([[[2, 0], [0, 1]], [[1, 0], [0, 3]]]), resamples=0).value
    1.0
    """
    units, counts = len(tables), np.asarray(tables, dtype=np.float64)
    if units == 0 or not counts.sum():
        return Measure(None, units, reason="nobody answered both questions")
    value = _tau_b(counts.sum(axis=0)[None])[0]
    if np.isnan(value):
        return Measure(None, units, reason="all answers to one of the questions are the same")
    generator = np.random.default_rng(seed)
    values: list[float] = []
    left = drawable(resamples)
    flat = counts.reshape(units, -1)
    while left > 0:
        rows = min(left, max(1, _AT_ONCE // units))
        drawn = generator.multinomial(units, np.full(units, 1 / units), size=rows)
        taus = _tau_b((drawn @ flat).reshape(rows, *counts.shape[1:]))
        values += taus[~np.isnan(taus)].tolist()
        left -= rows
    return with_interval(float(value), units, values, asked=resamples, within=(-1.0, 1.0))


def _tau_b(tables: Floats) -> Floats:
    """Return tau-b of each table; NaN if all answers to one of the questions are the same."""
    # Cases in later rows, and of these, cases in later and in earlier columns.
    after = np.cumsum(tables[:, ::-1], axis=1)[:, ::-1] - tables
    right = np.cumsum(after[:, :, ::-1], axis=2)[:, :, ::-1] - after
    left = np.cumsum(after, axis=2) - after
    pairs = (tables * (right - left)).sum(axis=(1, 2))
    total = tables.sum(axis=(1, 2))
    all_pairs = total * (total - 1) / 2
    by_row, by_column = tables.sum(axis=2), tables.sum(axis=1)
    untied = [all_pairs - (one * (one - 1) / 2).sum(axis=1) for one in (by_row, by_column)]
    scale = np.sqrt(untied[0] * untied[1])
    taus = np.full(len(tables), np.nan)
    np.divide(pairs, scale, out=taus, where=scale > 0)
    clipped: Floats = np.clip(taus, -1.0, 1.0)
    return clipped
