"""Labels with one number per annotator: how often they are right."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.labels._climb import (
    FLOOR,
    Reached,
    Summit,
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
    Learn,
    Learnt,
    fit_pooled,
    rows_of,
    shrunk,
)
from plausibly.labels._priors import POOLED, check_prior
from plausibly.labels.known import NO_CONTROLS, check_items
from plausibly.labels.results import EFFORT, NOBODY, Effort, Fitted, Silent
from plausibly.measures.coded import Floats

# Ratings that the prior on wrong answers (all equally likely) is worth, for each wrong answer.
WRONG_RATINGS = 3.0
CROWD = CrowdTable(np.array([[ACCURACY], [1 - ACCURACY]]), WEIGHT)


def one_coin(
    ratings: pl.DataFrame,
    *,
    prior: str = POOLED,
    controls: Mapping[str, str] = NO_CONTROLS,
    effort: Effort = EFFORT,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
) -> Fitted:
    """Label each item, learning how often each annotator is right, whatever the label.

    The model of Dawid and Skene with all errors of an annotator equally likely (Zhang, Chen, Zhou
    and Jordan 2014, "Spectral methods meet EM"). `competence` is the chance to be right.

    With the prior `pooled`, it is a draw from the crowd's beta distribution, whose mean and weight
    are learnt; the posterior of an item is averaged and tempered as in `dawid_skene`. Wrong answers
    are shared out as in the whole crowd, so two labels that are often taken for each other make
    the posterior less sure. Where annotators agree hardly more than by chance (kappa below .1), all
    count alike unless their differences clearly predict ratings. On points of a scale there is no
    support, and all labels and all wrong answers are taken to be equally likely. With the prior
    `none`, the method is expectation maximisation from the shares of the votes.

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
    >>> one_coin(ratings).labels["label"].to_list()
    ['5', '1']
    """
    shrink = check_prior(prior)

    def fit(layout: Layout) -> Summit:
        return fit_coins(layout, effort) if shrink else _fit(layout, effort)

    def on_scale(layout: Layout) -> Summit:
        return fit_pooled(layout, _learner(layout, shared=False), CROWD, effort, even=True)

    controls = check_items(controls, ratings, silent)
    model = latent(fit, controls=controls, pooled=shrink, on_scale=on_scale)
    return fit_questions(ratings, method="one-coin", model=model, scheme=scheme, silent=silent)


def _fit(layout: Layout, effort: Effort) -> Summit:
    rows, size = rows_of(layout), len(layout.item) * layout.n_labels
    place = rows.item * layout.n_labels + rows.answer
    rated = np.maximum(layout.used.sum(axis=1), 1.0)

    def step(posterior: Floats) -> Reached:
        right = np.bincount(rows.annotator, posterior.ravel()[place], len(rated)) / rated
        right = np.clip(right, FLOOR, 1 - FLOOR)
        wrong = np.log1p(-right) - np.log(max(layout.n_labels - 1, 1))
        gain = np.bincount(place, (np.log(right) - wrong)[rows.annotator], size)
        missed = np.bincount(rows.item, wrong[rows.annotator], len(layout.item))
        log_weight = gain.reshape(posterior.shape) + missed[:, None] + label_prior(posterior)
        following, log_likelihood = normalised(log_weight)
        return Reached(clamped(following, layout), right, log_likelihood, log_likelihood)

    start = clamped(first_posterior(layout), layout)
    return climb(start, step, ratings=len(layout.cell), effort=effort)


def fit_coins(layout: Layout, effort: Effort) -> Summit:
    """Return the fit that shrinks the accuracy of annotators towards the crowd's."""
    return fit_pooled(layout, _learner(layout, shared=True), CROWD, effort, alike=True)


def _learner(layout: Layout, *, shared: bool) -> Learn:
    """Return what learns from a posterior; with `shared`, also how the crowd errs."""
    rows, labels = rows_of(layout), layout.n_labels
    rated = layout.used.sum(axis=1)
    hit = rows.answer[:, None] == np.arange(labels)
    even = 1 / max(labels - 1, 1)

    def share(posterior: Floats) -> Floats | float:
        """Return the share of each rating's answer among the crowd's wrong answers to a label."""
        if labels < 3 or not shared:
            return even
        itself = np.where(hit, 0.0, posterior[rows.item])
        wrong = np.stack([np.bincount(rows.answer, own, labels) for own in itself.T], axis=1)
        others = np.maximum(wrong[rows.answer] - itself, 0.0)
        whole = np.maximum(wrong.sum(axis=0) - itself, 0.0)
        return np.asarray((others + WRONG_RATINGS) / (whole + WRONG_RATINGS / even))

    def learn(posterior: Floats, crowd: CrowdTable) -> Learnt:
        itself = posterior[rows.item, rows.answer]
        hits = np.bincount(rows.annotator, itself, len(rated))
        counts = np.stack([hits, np.maximum(rated - hits, 0.0)], axis=1)[:, :, None]
        crowd = shrunk(counts, crowd, ACCURACY_RATINGS * CROWD.table)
        known = hits + crowd.weight * crowd.table[0, 0]
        right = known[rows.annotator] - itself
        right /= rated[rows.annotator] - 1 + crowd.weight
        missed = (1 - right[:, None]) * share(posterior)
        chance = np.where(hit, right[:, None], missed)
        return Learnt(chance, known / (rated + crowd.weight), crowd)

    return learn
