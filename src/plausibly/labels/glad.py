"""Labels with able annotators and easy items (Whitehill et al. 2009)."""

from __future__ import annotations

import numpy as np
import polars as pl
from scipy.special import expit, log_expit

from plausibly.domain import LabelScheme
from plausibly.labels._climb import Reached, Summit, climb, first_posterior, normalised
from plausibly.labels._fitted import fit_questions, latent
from plausibly.labels._layout import Ints, Layout, Places
from plausibly.labels.results import EFFORT, NOBODY, Effort, Fitted, Silent
from plausibly.measures.coded import Floats

MEAN = 1.0
INNER = 5
LONGEST = 1.0


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

    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t1", "t2", "t2", "t2"],
    ...                         "annotator": ["a", "b", "c"] * 2, "question": ["rating"] * 6,
    ...                         "answer": ["5", "5", "1", "1", "1", "1"]})
    >>> glad(ratings).labels["label"].to_list()
    ['5', '1']
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

    def maximise(self, ability: Floats, ease: Floats, right: Floats) -> tuple[Floats, Floats]:
        """Return abilities and log eases after some steps of Fisher scoring, in turn.

        Args:
            ability: One number per annotator.
            ease: The log of one number per item.
            right: Probability that each rating is right.
        """
        for _ in range(INNER):
            factor = np.exp(ease)[self.row]
            chance = expit(ability[self.annotator] * factor)
            ability = ability + scoring(ability, self.annotator, factor, right - chance, chance)
            factor = factor * ability[self.annotator]
            chance = expit(factor)
            ease = ease + scoring(ease, self.row, factor, right - chance, chance)
        return ability, ease

    def expect(self, ability: Floats, ease: Floats) -> tuple[Floats, float]:
        """Return the posterior of each item, and the log likelihood."""
        strength = ability[self.annotator] * np.exp(ease)[self.row]
        wrong = log_expit(-strength) - np.log(max(self.labels - 1, 1))
        size = self.items * self.labels
        gain = np.bincount(self.place, log_expit(strength) - wrong, size)
        missed = np.bincount(self.row, wrong, self.items) - np.log(self.labels)
        return normalised(gain.reshape(self.items, self.labels) + missed[:, None])


def scoring(
    parameter: Floats, owner: Ints | Places, factor: Floats, surprise: Floats, chance: Floats
) -> Floats:
    """Return the step of Fisher scoring for parameters that the ratings of their owner inform.

    Args:
        parameter: One number per owner, with a normal prior of mean 1 and variance 1.
        owner: Whose parameter each rating informs.
        factor: How fast the argument of the sigmoid grows with the parameter.
        surprise: How much likelier than expected each rating is right.
        chance: Probability that each rating is right.
    """
    slope = np.bincount(owner, surprise * factor, len(parameter)) - (parameter - MEAN)
    information = np.bincount(owner, chance * (1 - chance) * factor**2, len(parameter)) + 1
    return np.clip(slope / information, -LONGEST, LONGEST)


def _fit(layout: Layout, effort: Effort) -> Summit:
    answers = _Answers(layout)
    ability, ease = np.full(answers.people, MEAN), np.full(answers.items, MEAN)

    def step(posterior: Floats) -> Reached:
        nonlocal ability, ease
        ability, ease = answers.maximise(ability, ease, posterior.ravel()[answers.place])
        following, log_likelihood = answers.expect(ability, ease)
        away = ((ability - MEAN) ** 2).sum() + ((ease - MEAN) ** 2).sum()
        return Reached(following, ability, log_likelihood, log_likelihood - float(away) / 2)

    return climb(first_posterior(layout), step, ratings=len(layout.cell), effort=effort)
