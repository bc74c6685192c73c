"""Labels with a table of errors for each annotator (Dawid and Skene 1979)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.labels._climb import (
    FLOOR,
    Reached,
    Summit,
    by_item,
    clamped,
    climb,
    first_posterior,
    label_prior,
    normalised,
)
from plausibly.labels._fitted import fit_questions, latent
from plausibly.labels._layout import Layout
from plausibly.labels._pooled import (
    ACCURACY,
    ACCURACY_RATINGS,
    WEIGHT,
    CrowdTable,
    Learnt,
    fit_pooled,
    rows_of,
    shrunk,
)
from plausibly.labels._priors import POOLED, check_prior
from plausibly.labels.known import NO_CONTROLS, check_items
from plausibly.labels.results import EFFORT, NOBODY, Effort, Fitted, Silent
from plausibly.measures.coded import Floats

TABLE_RATINGS = 60.0


def dawid_skene(
    ratings: pl.DataFrame,
    *,
    prior: str = POOLED,
    controls: Mapping[str, str] = NO_CONTROLS,
    effort: Effort = EFFORT,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
) -> Fitted:
    """Label each item, learning how each annotator confuses each label with each other.

    The model of Dawid and Skene (1979, "Maximum likelihood estimation of observer error-rates
    using the EM algorithm"). With the prior `pooled`, an annotator's table of errors is a draw
    around the crowd's (a Dirichlet distribution whose weight is learnt), and the crowd's table
    has a weak prior: one accuracy for all labels, errors spread evenly. The posterior of an item
    is averaged over what the ratings of the other items leave open about the tables, from several
    starts, and raised to the power (1 or below) that predicts held-out ratings best; the log
    likelihood is that of each item's answers given the other items. There is no support where a
    model of a scale predicts the ratings better (`ordinal`).

    With the prior `none` it is their expectation maximisation from the shares of the votes, in
    logs. No error is taken to be impossible: probabilities stay above 1e-10 and always add up
    to 1. `competence` is the chance that the annotator's answer to an item of this collection is
    right.

    Args:
        ratings: The ratings table.
        prior: `pooled` shrinks annotators towards the crowd; `none` is maximum likelihood.
        controls: Known labels by item; the posteriors of these items are fixed.
        effort: When to stop.
        scheme: From answers to labels.
        silent: Items and annotators without a rating.

    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t1", "t2", "t2", "t2"],
    ...                         "annotator": ["a", "b", "c"] * 2, "question": ["rating"] * 6,
    ...                         "answer": ["5", "5", "1", "1", "1", "1"]})
    >>> dawid_skene(ratings).labels["label"].to_list()
    ['5', '1']
    """
    shrink = check_prior(prior)

    def fit(layout: Layout) -> Summit:
        return fit_tables(layout, effort) if shrink else _fit(layout, effort)

    model = latent(fit, controls=check_items(controls, ratings, silent), pooled=shrink)
    return fit_questions(ratings, method="dawid-skene", model=model, scheme=scheme, silent=silent)


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
        return Reached(clamped(following, layout), right, log_likelihood, log_likelihood)

    start = clamped(first_posterior(layout), layout)
    return climb(start, step, ratings=len(layout.cell), effort=effort)


def fit_tables(layout: Layout, effort: Effort) -> Summit:
    """Return the fit that shrinks the tables of annotators towards the crowd's."""
    votes, rows, labels = by_item(layout), rows_of(layout), layout.n_labels
    shape = (*layout.used.shape, labels)

    def learn(posterior: Floats, crowd: CrowdTable) -> Learnt:
        counts = votes.of_rows(posterior).reshape(shape)
        right = float(np.einsum("jll->", counts)) + ACCURACY * ACCURACY_RATINGS
        prior = TABLE_RATINGS * _even(right / (len(rows.item) + ACCURACY_RATINGS), labels)
        crowd = shrunk(counts, crowd, prior)
        expected, totals = crowd.weight * crowd.table, counts.sum(axis=1)
        itself = posterior[rows.item]
        chance = np.maximum(counts[rows.annotator, rows.answer] - itself, 0.0)
        chance += expected[rows.answer]
        chance /= np.maximum(totals[rows.annotator] - itself, 0.0) + crowd.weight
        hits = np.einsum("jll->jl", counts) + expected.diagonal()
        competence = hits / (totals + crowd.weight) @ posterior.mean(axis=0)
        return Learnt(chance, competence, crowd)

    return fit_pooled(layout, learn, CrowdTable(_even(ACCURACY, labels), WEIGHT), effort)


def _even(accuracy: float, labels: int) -> Floats:
    """Return a table of answers (rows) by labels (columns): one accuracy, errors spread evenly."""
    table = np.full((labels, labels), (1 - accuracy) / max(labels - 1, 1))
    np.fill_diagonal(table, accuracy)
    return table
