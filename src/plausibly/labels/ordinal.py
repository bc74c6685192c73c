"""Labels on a scale: items have a place, annotators a shift and a spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError
from plausibly.labels._fitted import ScaleModel, fit_questions
from plausibly.labels._layout import lay_out
from plausibly.labels._ordered import fit
from plausibly.labels.results import EFFORT, NOBODY, Effort, Estimate, Fitted, Places, Silent
from plausibly.measures.coded import Coded

MOST_ANSWERS = 25


def ordinal(
    ratings: pl.DataFrame,
    *,
    effort: Effort = EFFORT,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
) -> Fitted:
    """Label each item of an ordered scale, learning each annotator's shift and spread.

    A hierarchical ordered probit: an item has a place on a line, normal around 0 with variance 1;
    an annotator sees it moved by a shift of their own and blurred by a spread of their own, and
    answers by which thresholds, common to all, lie below what they see. Shifts and log spreads
    are normal around those of the crowd, with variances learnt from it, so that few answers
    move an annotator little (partial pooling). Fitted by expectation maximisation over a grid of
    places; nothing is drawn.

    The label is the answer between whose thresholds the item most probably lies, `distribution`
    that probability for every answer. `positions` holds the place of each item with its 95 %
    interval, `competence` the correlation of what an annotator sees with where items lie. Answers
    are numbers, or labels of a scheme in its order. Of more than 25 different numbers, neighbours
    are taken together into 25 groups about equally frequent, each labelled by its middle answer.

    Args:
        ratings: The ratings table.
        effort: When to stop.
        scheme: From answers to labels.
        silent: Items and annotators without a rating.

    >>> ratings = pl.DataFrame({"item": ["t1"] * 3 + ["t2"] * 3, "annotator": ["a", "b", "c"] * 2,
    ...                         "question": ["q"] * 6, "answer": ["4", "5", "5", "1", "2", "1"]})
    >>> ordinal(ratings).labels["label"].to_list()
    ['5', '1']
    """

    def prepare(question: str, coded: Coded) -> Coded:
        if scheme is not None:
            return in_order(coded, scheme.labels)
        if coded.values is None:
            raise StudyError(
                f"ordinal needs an ordered scale: the answers to question {question!r} are not "
                f"numbers (first: {coded.answers[0]!r}). Give a scheme, or choose another method."
            )
        return grouped(coded)

    def model(question: str, coded: Coded) -> Estimate:
        del question
        return _estimate(coded, effort)

    scale = ScaleModel(model, prepare)
    return fit_questions(ratings, method="ordinal", model=scale, scheme=scheme, silent=silent)


def in_order(coded: Coded, labels: Sequence[str]) -> Coded:
    """Return the ratings with the labels that occur in the order given."""
    known = tuple(label for label in labels if label in coded.answers)
    place = np.array([known.index(answer) for answer in coded.answers], dtype=np.int32)
    return replace(coded, answer=place[coded.answer], answers=known)


def grouped(coded: Coded) -> Coded:
    """Return the ratings with neighbouring numbers taken together where they are too many."""
    if coded.n_answers <= MOST_ANSWERS:
        return coded
    given = np.bincount(coded.answer, minlength=coded.n_answers)
    middle = (np.cumsum(given) - given / 2) / len(coded.answer)
    groups, group = np.unique((middle * MOST_ANSWERS).astype(np.int64), return_inverse=True)
    names = [
        coded.answers[int(own[np.searchsorted(np.cumsum(given[own]), given[own].sum() / 2)])]
        for own in (np.flatnonzero(group == one) for one in range(len(groups)))
    ]
    return replace(coded, answer=group.astype(np.int32)[coded.answer], answers=tuple(names))


def _estimate(coded: Coded, effort: Effort) -> Estimate:
    posterior = np.full((coded.n_items, coded.n_answers), np.nan)
    competence = np.full(coded.n_annotators, np.nan)
    place = np.full((coded.n_items, 3), np.nan)
    if coded.n_ratings == 0:
        return Estimate(posterior, competence, iterations=0)
    layout = lay_out(coded)
    places = fit(layout, effort)
    posterior[layout.item] = places.answers()
    place[layout.item] = np.column_stack(
        [places.mean(), places.quantile(0.025), places.quantile(0.975)]
    )
    spread = np.exp(places.crowd.log_spread)
    rated = layout.used.any(axis=1)
    competence[rated] = (1 / np.sqrt(1 + spread**2))[rated]
    return Estimate(
        posterior,
        competence,
        places.log_likelihood,
        places.iterations,
        places=Places(place, np.where(rated, places.crowd.shift, np.nan), spread),
        pooled=True,
    )
