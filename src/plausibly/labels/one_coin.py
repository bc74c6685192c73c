"""Labels with one number per annotator: how often they are right."""

from __future__ import annotations

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.labels._climb import (
    FLOOR,
    Reached,
    Summit,
    climb,
    first_posterior,
    label_prior,
    normalised,
)
from plausibly.labels._fitted import fit_questions, latent
from plausibly.labels._layout import Layout
from plausibly.labels.results import EFFORT, NOBODY, Effort, Fitted, Silent
from plausibly.measures.coded import Floats


def one_coin(
    ratings: pl.DataFrame,
    *,
    effort: Effort = EFFORT,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
) -> Fitted:
    """Label each item, learning how often each annotator is right, whatever the label.

    The model of Dawid and Skene with all errors of an annotator equally likely (Zhang, Chen, Zhou
    and Jordan 2014, "Spectral methods meet EM"). `competence` is the chance to be right.

    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t1", "t2", "t2", "t2"],
    ...                         "annotator": ["a", "b", "c"] * 2, "question": ["rating"] * 6,
    ...                         "answer": ["5", "5", "1", "1", "1", "1"]})
    >>> one_coin(ratings).labels["label"].to_list()
    ['5', '1']
    """

    def fit(layout: Layout) -> Summit:
        return _fit(layout, effort)

    return fit_questions(
        ratings, method="one-coin", model=latent(fit), scheme=scheme, silent=silent
    )


def _fit(layout: Layout, effort: Effort) -> Summit:
    annotator = layout.cell // layout.n_labels
    rated = np.maximum(layout.used.sum(axis=1), 1.0)
    row = np.repeat(np.arange(len(layout.item)), np.diff(layout.start[layout.first]))
    place = row * layout.n_labels + layout.cell % layout.n_labels
    size = len(layout.item) * layout.n_labels

    def step(posterior: Floats) -> Reached:
        right = np.bincount(annotator, posterior.ravel()[place], len(rated)) / rated
        right = np.clip(right, FLOOR, 1 - FLOOR)
        wrong = np.log1p(-right) - np.log(max(layout.n_labels - 1, 1))
        gain = np.bincount(place, (np.log(right) - wrong)[annotator], size)
        missed = np.bincount(row, wrong[annotator], len(layout.item))
        log_weight = gain.reshape(posterior.shape) + missed[:, None] + label_prior(posterior)
        following, log_likelihood = normalised(log_weight)
        return Reached(following, right, log_likelihood, log_likelihood)

    start = first_posterior(layout)
    return climb(start, step, ratings=len(layout.cell), effort=effort)
