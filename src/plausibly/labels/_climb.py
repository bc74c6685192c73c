"""Expectation maximisation from the votes: the loop three models share, and their E-step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from plausibly.labels._layout import Layout, Places
from plausibly.labels._sums import Sums
from plausibly.labels.results import Effort
from plausibly.measures.coded import Floats

FLOOR = 1e-10
DIGITS = 10
FEW = 8


@dataclass(frozen=True, eq=False)
class Summit:
    """Where the climb ended.

    Args:
        posterior: Probability of each label (column) for each item with ratings (row).
        competence: One number per annotator.
        log_likelihood: Of the answers, where the method has one.
        iterations: Steps made.
    """

    posterior: Floats
    competence: Floats
    log_likelihood: float | None
    iterations: int


class Reached(NamedTuple):
    """What one M-step and one E-step lead to.

    Args:
        posterior: Probability of each label (column) for each item with ratings (row).
        competence: One number per annotator.
        log_likelihood: Of the answers.
        height: What the steps make greater: the log likelihood, with priors where there are any.
    """

    posterior: Floats
    competence: Floats
    log_likelihood: float
    height: float


Step = Callable[[Floats], Reached]


def climb(posterior: Floats, step: Step, *, ratings: int, effort: Effort) -> Summit:
    """Return the posterior after steps from a first one, until they gain nothing.

    What goes into a step is rounded to ten digits: two labels that the data cannot tell apart
    then stay tied, whatever the order in which numbers were added up.
    """
    before = -np.inf
    made = 0
    while True:
        posterior, competence, log_likelihood, height = step(np.round(posterior, DIGITS))
        made += 1
        if made == effort.iterations or height - before <= effort.tolerance * ratings:
            return Summit(posterior, competence, log_likelihood, made)
        before = height


def first_posterior(layout: Layout) -> Floats:
    """Return the share of each label (column) among the ratings of each item (row)."""
    votes = np.zeros((len(layout.item), layout.n_labels))
    rows = np.repeat(np.arange(len(layout.item)), np.diff(layout.first))
    votes[rows, layout.run_label] = np.diff(layout.start)
    return np.asarray(votes / votes.sum(axis=1, keepdims=True))


def by_item(layout: Layout) -> Sums:
    """Return what sums cells (columns) into the items with ratings (rows), and back."""
    ends = layout.start[layout.first].astype(np.int32)
    return Sums(layout.cell, ends, np.ones(len(layout.cell)), layout.n_cells)


def normalised(log_weight: Floats) -> tuple[Floats, float]:
    """Return rows of probabilities from their logs, and the sum of the logs of the row sums.

    >>> weight, logs = normalised(np.log([[1.0, 3.0]]))
    >>> weight.round(2).tolist(), round(logs, 4)
    ([[0.25, 0.75]], 1.3863)
    """
    peak = _along_rows(np.maximum, log_weight)
    weight = np.exp(log_weight - peak)
    total = _along_rows(np.add, weight)
    weight /= total
    return weight, float((peak + np.log(total)).sum())


def _along_rows(ufunc: np.ufunc, table: Floats) -> Floats:
    """Return a column of the rows' sums or maxima, column by column where there are few."""
    if not 0 < table.shape[1] < FEW:
        return np.asarray(ufunc.reduce(table, axis=1, keepdims=True))
    column = table[:, 0].copy()
    for place in range(1, table.shape[1]):
        ufunc(column, table[:, place], out=column)
    return column[:, None]


def label_prior(posterior: Floats) -> Floats:
    """Return the log share of each label, none of them impossible."""
    share = np.maximum(posterior.mean(axis=0), FLOOR)
    return np.asarray(np.log(share / share.sum()))


def clamped(posterior: Floats, layout: Layout, item: Places | None = None) -> Floats:
    """Return the posterior with certainty about items whose label is known.

    Args:
        posterior: Probability of each label (column), by item with ratings or as `item` says.
        layout: The ratings, with the known labels.
        item: Place of the item of each row among those with ratings.
    """
    if layout.known is None:
        return posterior
    known = (layout.known if item is None else layout.known[item])[:, None]
    return np.where(known < 0, posterior, known == np.arange(layout.n_labels))
