"""Whether posteriors above .99 are too sure, judged by a method whose posteriors are calibrated."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plausibly.labels._climb import Summit
from plausibly.labels._layout import Layout, lay_out
from plausibly.labels.results import EFFORT, Estimate
from plausibly.labels.support import Mask
from plausibly.measures.coded import Coded

SURE, RIGHT = 0.99, 0.97
MOST_RATINGS, MOST_CELLS = 50_000, 5_000_000


class Doubt(NamedTuple):
    """Items whose support is above .99, and how many of their labels are expected to be right.

    Args:
        items: How many items there are.
        right: The share of their labels that is expected to be right.
        by: The method that expects it.
    """

    items: int
    right: float
    by: str


def too_sure(coded: Coded, estimate: Estimate, shown: Mask) -> Doubt | None:
    """Return the doubt if fewer than 97 % of the labels above .99 are expected to be right.

    This is what `one-coin` or `dawid-skene` expect with their prior, whichever predicts items left
    out better. Beyond 50,000 ratings, where they would take seconds, neither is tried.

    Args:
        coded: The ratings of one question.
        estimate: What a method says about them.
        shown: Whether each item has a support.
    """
    if not shown.any() or _too_large(coded):
        return None
    pinned = np.zeros_like(shown) if estimate.pinned is None else estimate.pinned
    best = estimate.posterior.argmax(axis=1)
    sure = np.flatnonzero(shown & ~pinned & (estimate.posterior.max(axis=1) > SURE))
    if not len(sure):
        return None
    control = None if estimate.pinned is None else np.where(pinned, best, -1).astype(np.int32)
    layout = lay_out(coded, control=control)
    name, fit = _calibrated(layout)
    right = float(fit.posterior[np.searchsorted(layout.item, sure), best[sure]].mean())
    return Doubt(len(sure), right, name) if right < RIGHT else None


def about_sure(doubt: Doubt, question: str, method: str) -> str:
    """Return a sentence about posteriors that are too sure.

    >>> about_sure(Doubt(120, 0.934, "one-coin"), "rating", "mace")
    "question 'rating': the support of 120 items is above .99, but one-coin expects only 93 % of \
these labels to be right. mace is probably too sure: trust its ranking of items, not the number, \
or use one-coin."
    """
    return (
        f"question {question!r}: the support of {doubt.items} items is above .99, but {doubt.by} "
        f"expects only {100 * doubt.right:.0f} % of these labels to be right. {method} is "
        f"probably too sure: trust its ranking of items, not the number, or use {doubt.by}."
    )


def _too_large(coded: Coded) -> bool:
    cells = coded.n_annotators * coded.n_answers**2
    return coded.n_ratings > MOST_RATINGS or cells > MOST_CELLS


def _calibrated(layout: Layout) -> tuple[str, Summit]:
    # Both modules need `_fitted`, which needs this one.
    from plausibly.labels.dawid_skene import fit_tables
    from plausibly.labels.one_coin import fit_coins

    coins, tables = fit_coins(layout, EFFORT), fit_tables(layout, EFFORT)
    better = (tables.log_likelihood or 0.0) > (coins.log_likelihood or 0.0)
    return ("dawid-skene", tables) if better else ("one-coin", coins)
