"""Posteriors with priors: annotators shrunk towards their crowd, each item judged without itself.

Every quantity that enters the posterior of an item is the mean of what the other items' ratings
leave open (collapsed variational Bayes of order zero; Asuncion, Welling, Smyth and Teh 2009, "On
smoothing and inference for topic models"). A rating therefore never vouches for itself, and an
annotator with few ratings is taken for an average member of the crowd.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from plausibly.labels._climb import DIGITS, Summit, clamped, first_posterior, normalised
from plausibly.labels._digamma import digamma
from plausibly.labels._layout import Ints, Layout, Places
from plausibly.labels.results import Effort
from plausibly.measures.coded import Floats

# Chosen on random crowds that no benchmark uses; neighbouring values do as well.
ACCURACY, ACCURACY_RATINGS = 0.7, 20.0
WEIGHT, WEIGHT_SHAPE, WEIGHT_RATE = 4.0, 2.0, 0.1
LEAST_WEIGHT, MOST_WEIGHT = 0.5, 500.0
LABEL_WEIGHT = 0.25
POWERS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
STANDARD_ERRORS = 0.75
POWER_ITEMS = 30.0
TRIAL = 20
GAIN = 1e-5
FEW_RATINGS = 200_000
EQUAL = 1e-9
BY_CHANCE, CLEARLY = 0.1, 6.0


class CrowdTable(NamedTuple):
    """What annotators have in common.

    Args:
        table: Probability of each outcome (row) for each label (column).
        weight: How many ratings of an annotator weigh as much as the crowd's table.
    """

    table: Floats
    weight: float


class Learnt(NamedTuple):
    """What the posterior of all items implies about annotators.

    Args:
        chance: Probability of each rating (row) under each label (column), given the ratings of
            the other items.
        competence: One number per annotator.
        crowd: What annotators have in common.
    """

    chance: Floats
    competence: Floats
    crowd: CrowdTable


Learn = Callable[[Floats, CrowdTable], Learnt]


@dataclass(frozen=True, eq=False)
class RatingRows:
    """The ratings of a layout, one row each.

    Args:
        item: Place of the item among those with ratings.
        annotator: Code of the annotator.
        answer: Code of the label.
        opens: First rating of each item.
    """

    item: Places
    annotator: Ints
    answer: Ints
    opens: Places


def rows_of(layout: Layout) -> RatingRows:
    """Return the ratings of a layout, one row each."""
    ends = layout.start[layout.first]
    item = np.repeat(np.arange(len(layout.item)), np.diff(ends))
    annotator, answer = np.divmod(layout.cell, np.int32(layout.n_labels))
    return RatingRows(item, annotator, answer, ends[:-1])


def shrunk(counts: Floats, crowd: CrowdTable, prior: Floats) -> CrowdTable:
    """Return the crowd's table and weight after one step towards their most probable values.

    The rows of annotators are draws from a Dirichlet distribution around the crowd's table; the
    step is Minka's (2000, "Estimating a Dirichlet distribution") for table and weight, with a
    Dirichlet prior on the table and a gamma prior on the weight.

    Args:
        counts: How often each annotator had each outcome (second axis) for each label (third).
        crowd: Before the step.
        prior: Ratings that the prior on the table is worth, by outcome and label.
    """
    expected = crowd.weight * crowd.table
    shares = expected * (digamma(counts + expected) - digamma(expected))
    totals = counts.sum(axis=1)
    spread = digamma(totals + crowd.weight) - digamma(np.array(crowd.weight))
    weight = (WEIGHT_SHAPE - 1 + shares.sum()) / (WEIGHT_RATE + spread.sum())
    table = shares.sum(axis=0) + prior
    table /= table.sum(axis=0)
    return CrowdTable(table, float(np.clip(weight, LEAST_WEIGHT, MOST_WEIGHT)))


class _State(NamedTuple):
    posterior: Floats
    learnt: Learnt
    log_weight: Floats
    height: float
    iterations: int


class _Fit:
    """One question and one model: what stays the same over all iterations."""

    def __init__(self, layout: Layout, learn: Learn, *, even: bool = False) -> None:
        self.layout = layout
        self.rows = rows_of(layout)
        self.learn = learn
        self.even = even
        self.shares = first_posterior(layout)
        answers = self.shares.mean(axis=0)
        self.labels = 1.0 + LABEL_WEIGHT * len(self.shares) * answers

    def step(self, posterior: Floats, crowd: CrowdTable, iterations: int) -> _State:
        """Return the state after one iteration; its height is the log score of items left out."""
        posterior = np.round(posterior, DIGITS)
        learnt = self.learn(posterior, crowd)
        log_weight = self.left_out(posterior)
        log_weight += np.add.reduceat(np.log(learnt.chance), self.rows.opens, axis=0)
        following, height = normalised(log_weight)
        following = clamped(following, self.layout)
        return _State(following, learnt, log_weight, height, iterations)

    def left_out(self, posterior: Floats) -> Floats:
        """Return the log share of each label among the other items."""
        if self.even:
            return np.full_like(posterior, -np.log(posterior.shape[1]))
        share = posterior.sum(axis=0) - posterior + self.labels
        return np.asarray(np.log(share / share.sum(axis=1, keepdims=True)))

    def run(self, state: _State, effort: Effort, *, until: int) -> _State:
        """Return the state after so many iterations, or when the height hardly moves any more."""
        enough = effort.tolerance * len(self.rows.item)
        while state.iterations < min(until, effort.iterations):
            further = self.step(state.posterior, state.learnt.crowd, state.iterations + 1)
            moved = abs(further.height - state.height)
            state = further
            if moved <= enough:
                break
        return state

    def starts(self) -> Iterator[Floats]:
        """Yield posteriors to start from, none of which depends on a name or an order."""
        yield self.shares
        if len(self.rows.item) > FEW_RATINGS:
            return
        top = (self.shares == self.shares.max(axis=1, keepdims=True)).astype(np.float64)
        yield top / top.sum(axis=1, keepdims=True)
        yield self._weighted()
        yield (self.shares + self.shares.mean(axis=0)) / 2

    def _weighted(self) -> Floats:
        """Return the votes, each weighted by how often its annotator agrees with the others."""
        rows, size = self.rows, self.shares.size
        agreed = self.shares[rows.item, rows.answer]
        people = len(self.layout.used)
        rated = np.maximum(self.layout.used.sum(axis=1), 1.0)
        weight = (np.bincount(rows.annotator, agreed, people) / rated) ** 2
        place = rows.item * self.layout.n_labels + rows.answer
        votes = np.bincount(place, weight[rows.annotator], size).reshape(self.shares.shape)
        return np.asarray(votes / votes.sum(axis=1, keepdims=True))

    def kappa(self) -> float:
        """Return how far ratings of one item agree beyond chance (Fleiss 1971)."""
        votes = self.shares * np.bincount(self.rows.item)[:, None]
        n = votes.sum(axis=1)
        several = n > 1
        if not several.any():
            return 1.0
        pairs = (np.square(votes).sum(axis=1) - n)[several] / (n * (n - 1))[several]
        chance = float(np.square(votes.sum(axis=0) / n.sum()).sum())
        return float(pairs.mean() - chance) / (1 - chance) if chance < 1 else 1.0

    def power(self, state: _State) -> float:
        """Return the power of the posterior that best predicts held-out ratings.

        Where the ratings of an item err together (a hard item, a borderline one), they say less
        than as many independent ratings. Each rating is predicted from the other ratings of its
        item, and the lowest of the powers within 0.75 standard errors of the best is chosen. Few
        items say little about the power: it is the mean of the one chosen and, with the weight of
        30 items, 1.
        """
        rows, chance = self.rows, state.learnt.chance
        others = state.log_weight[rows.item] - np.log(chance)
        scores = np.array([self._score(others, chance, power) for power in POWERS])
        worse = scores[scores.sum(axis=1).argmax()] - scores
        near = STANDARD_ERRORS * np.sqrt(worse.shape[1]) * worse.std(axis=1)
        power = POWERS[int(np.argmax(worse.sum(axis=1) <= near + EQUAL))]
        items = len(rows.opens)
        return (items * power + POWER_ITEMS) / (items + POWER_ITEMS)

    def _score(self, others: Floats, chance: Floats, power: float) -> Floats:
        """Return the log score of each item's ratings, each predicted from the others."""
        posterior = clamped(normalised(power * others)[0], self.layout, self.rows.item)
        return np.add.reduceat(np.log((posterior * chance).sum(axis=1)), self.rows.opens)


def fit_pooled(
    layout: Layout,
    learn: Learn,
    crowd: CrowdTable,
    effort: Effort,
    *,
    alike: bool = False,
    even: bool = False,
) -> Summit:
    """Return the posterior from the start whose items, left out, are predicted best.

    Args:
        layout: The ratings.
        learn: The model: from a posterior to chances of ratings.
        crowd: What annotators have in common before any rating.
        effort: When to stop.
        alike: Take annotators for equally good where they agree hardly more than by chance
            (a kappa below .1) and differences between them do not predict the ratings of items
            left out clearly better (by 6 standard errors). There, differences are mostly noise
            that confirms itself.
        even: Take all labels for equally likely before the ratings.
    """
    fit = _Fit(layout, learn, even=even)
    first, *others = (
        fit.run(fit.step(clamped(start, layout), crowd, 1), effort, until=TRIAL)
        for start in fit.starts()
    )
    best = first
    for state in others:
        if state.height > best.height + GAIN * len(layout.cell):
            best = state
    best = fit.run(best, effort, until=effort.iterations)
    power = fit.power(best)
    if alike and fit.kappa() < BY_CHANCE:
        same = _Fit(layout, lambda posterior, given: _equal(learn(posterior, _heavy(given))))
        start = same.step(clamped(same.shares, layout), _heavy(crowd), 1)
        state = same.run(start, effort, until=effort.iterations)
        gain = _evidence(best) - _evidence(state)
        if gain.sum() < CLEARLY * np.sqrt(len(gain)) * gain.std() + EQUAL:
            best, power = state, 1.0
    posterior = clamped(normalised(power * best.log_weight)[0], layout)
    return Summit(posterior, best.learnt.competence, best.height, best.iterations)


def _heavy(crowd: CrowdTable) -> CrowdTable:
    return crowd._replace(weight=MOST_WEIGHT)


def _equal(learnt: Learnt) -> Learnt:
    return learnt._replace(crowd=_heavy(learnt.crowd))


def _evidence(state: _State) -> Floats:
    """Return the log score of each item left out."""
    most = state.log_weight.max(axis=1)
    return np.asarray(most + np.log(np.exp(state.log_weight - most[:, None]).sum(axis=1)))
