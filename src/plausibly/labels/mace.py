"""Multi-Annotator Competence Estimation: who knows, who guesses, and what the label is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError
from plausibly.labels._fitted import fit_questions
from plausibly.labels._mace_fit import Training, fit
from plausibly.labels.known import check_items, control_codes
from plausibly.labels.results import NOBODY, Estimate, Fitted, Silent
from plausibly.measures.coded import Coded, Floats

__all__ = ["Known", "Training", "mace"]

TRAINING = Training()
MOST_RESTARTS = 1_000
MOST_ITERATIONS = 100_000


@dataclass(frozen=True, slots=True)
class Known:
    """What is known before the ratings are looked at.

    Args:
        controls: Known labels by item; the posteriors of these items are fixed.
        priors: Prior weight of each label; all labels must be listed.
        threshold: Share of the items that get a label, those with the surest labels first; ties
            are kept.
    """

    controls: Mapping[str, str] = field(default_factory=dict)
    priors: Mapping[str, float] = field(default_factory=dict)
    threshold: float = 1.0


NOTHING = Known()


def mace(
    ratings: pl.DataFrame,
    *,
    seed: int = 1,
    training: Training = TRAINING,
    known: Known = NOTHING,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
) -> Fitted:
    """Label each item by the answers of annotators weighed by how much they seem to know.

    The model of Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013): an annotator either knows the
    label or answers by a habit of their own. `competence` is the weight of knowing; under
    variational Bayes (the default) it and its complement need not add up to 1, and an annotator
    without data has 0.25. The log likelihood is that of the answers under these weights, as the
    authors' program reports it.

    Like that program this makes 10 restarts of 50 iterations from 1 + 0.5 * uniform numbers and
    keeps the likeliest. Three things differ. The random numbers are hashed from the seed and
    from what an annotator did (`plausibly.labels._starts`), so names and row order never matter;
    where the data are so symmetric that nothing tells two labels apart, they stay tied. The
    likeliest of the last ten iterations (under variational Bayes the likelihood can fall) runs
    on, because 50 iterations often end short of the optimum, at a place that depends on luck:
    under variational Bayes until an iteration gains less than 1e-6 (or 1e-10 of the likelihood),
    under EM, which without priors ends in certainties, until it is 2.5 standard deviations above
    the mean of the restarts. And a tie goes to the smallest label.

    Args:
        ratings: The ratings table.
        seed: Seed for the starts.
        training: Variational Bayes or EM, restarts, iterations, priors on annotators, backend.
        known: Controls, label priors, and the share of items to label.
        scheme: From answers to labels.
        silent: Items and annotators without a rating.

    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t1", "t2", "t2", "t2"],
    ...                         "annotator": ["a", "b", "c"] * 2, "question": ["rating"] * 6,
    ...                         "answer": ["5", "5", "1", "1", "1", "1"]})
    >>> mace(ratings).labels["label"].to_list()
    ['5', '1']
    """
    _check(training, known, seed)
    controls = check_items(known.controls, ratings, silent)

    def model(question: str, coded: Coded) -> Estimate:
        control = control_codes(controls, coded, question)
        prior = _priors(known.priors, coded)
        estimate = fit(coded, training, seed=seed, prior=prior, control=control)
        return replace(estimate, pinned=None if control is None else control >= 0)

    fitted = fit_questions(
        ratings, method="mace", model=model, scheme=scheme, silent=silent, keep=known.threshold
    )
    return replace(fitted, restarts=training.restarts, seed=seed)


def _check(training: Training, known: Known, seed: int) -> None:
    if seed < 0:
        raise StudyError(f"seed must be 0 or more; got {seed}.")
    for name, most in (("restarts", MOST_RESTARTS), ("iterations", MOST_ITERATIONS)):
        if not 1 <= getattr(training, name) <= most:
            raise StudyError(f"{name} must be in 1 to {most}; got {getattr(training, name)}.")
    for name in ("alpha", "beta"):
        _check_prior(name, getattr(training, name), em=training.em)
    if training.smoothing is not None and not 0 <= training.smoothing < inf:
        raise StudyError(f"smoothing must be a number, 0 or more; got {training.smoothing}.")
    if training.smoothing is not None and not training.em:
        raise StudyError(
            "smoothing is an option of EM, not of variational Bayes. Add em, or "
            "leave out smoothing."
        )
    if not 0 <= known.threshold <= 1:
        raise StudyError(f"threshold must be in [0, 1]; got {known.threshold}.")


def _check_prior(name: str, prior: float | None, *, em: bool) -> None:
    if prior is not None and not 0 < prior < inf:
        raise StudyError(f"{name} must be a number greater than 0; got {prior}.")
    if prior is not None and em:
        raise StudyError(f"{name} is a prior of variational Bayes; EM has none. Leave out em.")


def _priors(priors: Mapping[str, float], coded: Coded) -> Floats | None:
    if not priors:
        return None
    missing = sorted(set(coded.answers) - set(priors))
    strangers = sorted(set(priors) - set(coded.answers))
    if missing or strangers:
        wrong = f"no weight for {missing[0]!r}" if missing else f"unknown label {strangers[0]!r}"
        raise StudyError(f"priors: {wrong}. Give a weight for each of: {', '.join(coded.answers)}.")
    weights = np.array([priors[label] for label in coded.answers], dtype=np.float64)
    if not (np.isfinite(weights).all() and (weights > 0).all()):
        raise StudyError("priors: every weight must be a number greater than 0.")
    return np.asarray(weights / weights.sum())
