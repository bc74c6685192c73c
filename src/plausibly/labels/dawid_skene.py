"""Labels with a table of errors for each annotator (Dawid and Skene 1979)."""

from __future__ import annotations

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.labels._climb import (
    FLOOR,
    Reached,
    Summit,
    by_item,
    climb,
    first_posterior,
    label_prior,
    normalised,
)
from plausibly.labels._fitted import fit_questions, latent
from plausibly.labels._layout import Layout
from plausibly.labels.results import EFFORT, NOBODY, Effort, Fitted, Silent
from plausibly.measures.coded import Floats


def dawid_skene(
    ratings: pl.DataFrame,
    *,
    effort: Effort = EFFORT,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
) -> Fitted:
    """Label each item, learning how each annotator confuses each label with each other.

    Expectation maximisation from the shares of the votes, in logs (Dawid and Skene 1979,
    "Maximum likelihood estimation of observer error-rates using the EM algorithm"). No error is
    taken to be impossible: probabilities stay above 1e-10 and always add up to 1. `competence`
    is the chance that the annotator's answer to an item of this collection is right.

    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t1", "t2", "t2", "t2"],
    ...                         "annotator": ["a", "b", "c"] * 2, "question": ["rating"] * 6,
    ...                         "answer": ["5", "5", "1", "1", "1", "1"]})
    >>> dawid_skene(ratings).labels["label"].to_list()
    ['5', '1']
    """

    def fit(layout: Layout) -> Summit:
        return _fit(layout, effort)

    return fit_questions(
        ratings, method="dawid-skene", model=latent(fit), scheme=scheme, silent=silent
    )


def _fit(layout: Layout, effort: Effort) -> Summit:
    votes = by_item(layout)
    shape = (*layout.used.shape, layout.n_labels)

    def step(posterior: Floats) -> Reached:
        errors = votes.of_rows(posterior).reshape(shape)
        np.maximum(errors, FLOOR, out=errors)
        errors /= errors.sum(axis=1, keepdims=True)
        prior = label_prior(posterior)
        log_weight = votes.of_columns(np.log(errors).reshape(layout.n_cells, -1))
        log_weight += prior
        following, log_likelihood = normalised(log_weight)
        right = np.einsum("jll,l->j", errors, np.exp(prior))
        return Reached(following, right, log_likelihood, log_likelihood)

    start = first_posterior(layout)
    return climb(start, step, ratings=len(layout.cell), effort=effort)
