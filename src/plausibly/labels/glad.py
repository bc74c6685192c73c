"""Labels with able annotators and easy items (Whitehill et al. 2009)."""

from __future__ import annotations

import numpy as np
import polars as pl
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from plausibly.domain import LabelScheme
from plausibly.labels.climb import EFFORT, Effort, Summit, climb, first_posterior, normalised
from plausibly.labels.fitted import fit_questions, latent
from plausibly.labels.layout import Layout
from plausibly.labels.results import Fitted
from plausibly.labels.votes import NOBODY, Silent
from plausibly.measures.coded import Floats

MEAN = 1.0
INNER = 25
STEEPEST = 20.0


def glad(
    ratings: pl.DataFrame,
    *,
    effort: Effort = EFFORT,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
) -> Fitted:
    """Label each item, learning how able each annotator and how easy each item is.

    Whitehill, Ruvolo, Wu, Bergsma and Movellan (2009, "Whose vote should count more"): an answer
    is right with probability sigmoid(ability * ease), else any other label alike. Abilities and
    log eases have normal priors with mean 1 and variance 1; labels are equally likely before.
    `competence` is the ability: 0 is guessing, below 0 is worse than that.
    """

    def fit(layout: Layout) -> Summit:
        return _fit(layout, effort)

    return fit_questions(ratings, method="glad", model=latent(fit), scheme=scheme, silent=silent)


class _Answers:
    """The ratings by annotator and item, and the model's view of them."""

    def __init__(self, layout: Layout) -> None:
        self.people, self.labels = layout.used.shape
        self.items = len(layout.item)
        self.annotator = layout.cell // self.labels
        self.row = np.repeat(np.arange(self.items), np.diff(layout.start[layout.first]))
        self.place = self.row * self.labels + layout.cell % self.labels

    def strength(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Return ability * ease of each rating, and the ease alone."""
        ease = np.exp(np.minimum(parameters[self.people :], STEEPEST))[self.row]
        return parameters[: self.people][self.annotator] * ease, ease

    def loss(self, parameters: Floats, right: Floats) -> tuple[float, Floats]:
        """Return what the M-step makes small, and its slope."""
        strength, ease = self.strength(parameters)
        wrong = log_expit(-strength) - np.log(max(self.labels - 1, 1))
        away = parameters - MEAN
        value = (right * log_expit(strength) + (1 - right) * wrong).sum() - away @ away / 2
        pull = right - expit(strength)
        able = np.bincount(self.annotator, pull * ease, self.people)
        easy = np.bincount(self.row, pull * strength, self.items)
        return -float(value), away - np.concatenate([able, easy])

    def expect(self, parameters: Floats) -> tuple[Floats, float]:
        """Return the posterior of each item, and the log likelihood."""
        strength, _ = self.strength(parameters)
        wrong = log_expit(-strength) - np.log(max(self.labels - 1, 1))
        size = self.items * self.labels
        gain = np.bincount(self.place, log_expit(strength) - wrong, size)
        missed = np.bincount(self.row, wrong, self.items) - np.log(self.labels)
        return normalised(gain.reshape(self.items, self.labels) + missed[:, None])


def _fit(layout: Layout, effort: Effort) -> Summit:
    answers = _Answers(layout)
    parameters = np.full(answers.people + answers.items, MEAN)

    def step(posterior: Floats) -> tuple[Floats, Floats, float]:
        nonlocal parameters
        right = posterior.ravel()[answers.place]
        found = minimize(
            answers.loss,
            parameters,
            args=(right,),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": INNER},
        )
        parameters = np.asarray(found.x)
        following, log_likelihood = answers.expect(parameters)
        return following, parameters[: answers.people], log_likelihood

    start = first_posterior(layout)
    return climb(start, step, ratings=len(layout.cell), effort=effort)
