"""Would another panel of the same size give the same labels?

How people would answer about an item is known only from its few ratings. To take these for the
truth would promise too much: an item with three equal answers is not one on which all agree. So
the distributions of answers are estimated over all items at once, as a mixture whose weights
maximise the likelihood of all counts (Kiefer and Wolfowitz 1956; Laird 1978), and an item is what
its counts and the other items make probable. From each distribution, panels are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.domain import Measure
from plausibly.measures._crossing import Crossing
from plausibly.measures._estimating import estimates
from plausibly.measures._sample import Number, Sample
from plausibly.measures.coded import Coded, Floats, code
from plausibly.measures.resampling import Resampling

Ints = npt.NDArray[np.int64]
Contest = Literal["most", "ends"]
"""Who wins: the answer most people gave, or the larger of the first and the last class."""

MOST_POINTS = 90
FEWEST_SHRUNK, MOST_SHRUNK = 3, 12
LEAST_SHRUNK, FURTHEST_SHRUNK = 0.98, 0.3
PANELS = 240
SIZES = 6
FIRST_STEPS, FURTHER_STEPS = 120, 25
UNDECIDED = -1


@dataclass(frozen=True, eq=False)
class Classes:
    """Answers sorted into the classes that labels are made of.

    Args:
        of_answer: The class of each answer, by its code.
        size: How many classes there are.
        contest: Which class an item's label is.
    """

    of_answer: Ints
    size: int
    contest: Contest

    def counts(self, table: Floats) -> Ints:
        """Return how often each item (row) got each class, from how often it got each answer."""
        own = np.zeros((len(table), self.size))
        for answer, place in enumerate(self.of_answer):
            own[:, place] += table[:, answer]
        return own.astype(np.int64)

    def labels(self, counts: Ints) -> Ints:
        """Return the label of each row of counts; a tie is undecided."""
        if self.contest == "ends":
            low, high = counts[..., 0], counts[..., -1]
            return np.where(low == high, UNDECIDED, np.where(low > high, 0, self.size - 1))
        most = counts.max(axis=-1)
        alone = (counts == most[..., None]).sum(axis=-1) == 1
        return np.where(alone, counts.argmax(axis=-1), UNDECIDED)


def label_stability(
    coded: Coded, classes: Classes, *, resampling: Resampling | None = None
) -> Measure:
    """Return the share of items that another panel of the same size would label the same.

    Args:
        coded: The ratings of one question; all items count, those with one rating too.
        classes: From answers to labels.
        resampling: What is left out in turn; without it there is no interval.
    """
    crossing = Crossing(coded)
    table = classes.counts(Sample(crossing).tally.table())
    seed = 0 if resampling is None else resampling.seed
    mixture = _Mixture(table, classes, seed)

    def statistic(sample: Sample) -> Number:
        counts = table if sample.kept is None else classes.counts(sample.tally.table())
        rated = counts.sum(axis=1) > 0
        if not rated.any():
            return Number(None, "no item has a rating")
        return Number(mixture.stability(counts[rated], mixture.size_of[rated]))

    plan = resampling or Resampling(resamples=0)
    return estimates({"": statistic}, crossing, plan, least={"": 0.0})[""]


def halves_of_scale(coded: Coded, bounds: tuple[float, float]) -> Classes:
    """Return the classes of a graded question: below, at and above the middle of the scale."""
    values, middle = coded.values, (bounds[0] + bounds[1]) / 2
    if values is None:
        raise ValueError("answers are not numbers")
    side = np.sign(np.round(values - middle, 9)).astype(np.int64)
    if (side == 0).any():
        return Classes(side + 1, 3, "ends")
    return Classes((side > 0).astype(np.int64), 2, "ends")


def answers_as_classes(coded: Coded) -> Classes:
    """Return each answer as a class of its own."""
    return Classes(np.arange(coded.n_answers), coded.n_answers, "most")


def some_items(ratings: pl.DataFrame, *, most: int, seed: int) -> Coded:
    """Return the ratings of all items, or of `most` items drawn at random, as codes."""
    items = ratings["item"].unique().sort()
    if len(items) > most:
        generator = np.random.default_rng(seed)
        chosen = np.sort(generator.choice(len(items), size=most, replace=False))
        ratings = ratings.join(pl.DataFrame({"item": items[chosen]}), on="item", how="semi")
    return code(ratings)


@dataclass(frozen=True, eq=False)
class _Mixture:
    """Distributions that items may have, and what labels panels of each size give to them."""

    table: Ints
    classes: Classes
    seed: int

    @cached_property
    def points(self) -> Floats:
        """Distributions of classes, one per row: those of items, moved towards that of all."""
        rows = np.unique(self.table[self.table.sum(axis=1) > 0], axis=0)
        if len(rows) > MOST_POINTS // FEWEST_SHRUNK:
            generator = np.random.default_rng(self.seed)
            chosen = generator.choice(len(rows), MOST_POINTS // FEWEST_SHRUNK, replace=False)
            rows = rows[np.sort(chosen)]
        shares = rows / rows.sum(axis=1, keepdims=True)
        whole = self.table.sum(axis=0) / self.table.sum()
        steps = min(max(MOST_POINTS // len(rows), FEWEST_SHRUNK), MOST_SHRUNK)
        kept = np.linspace(LEAST_SHRUNK, FURTHEST_SHRUNK, steps)
        moved = [keep * shares + (1 - keep) * whole for keep in kept]
        corners = 0.98 * np.eye(self.classes.size) + 0.02 * whole
        points: Floats = np.vstack([whole, corners, *moved])
        return np.asarray(points / points.sum(axis=1, keepdims=True))

    @cached_property
    def sizes(self) -> Ints:
        """A few sizes of panels that stand for all of them."""
        ratings = self.table.sum(axis=1)
        places = np.quantile(ratings[ratings > 0], np.linspace(0, 1, SIZES), method="nearest")
        return np.unique(places).astype(np.int64)

    @cached_property
    def size_of(self) -> Ints:
        """The place of the nearest of these sizes, for each item."""
        gap = np.abs(self.table.sum(axis=1)[:, None] - self.sizes[None, :])
        return np.asarray(gap.argmin(axis=1), dtype=np.int64)

    @cached_property
    def chances(self) -> Floats:
        """How probable each label (the last: undecided) is, by size of panel and distribution."""
        generator = np.random.default_rng(self.seed)
        found = np.zeros((len(self.sizes), len(self.points), self.classes.size + 1))
        for place, size in enumerate(self.sizes):
            drawn = generator.multinomial(size, self.points, size=(PANELS, len(self.points)))
            labels = self.classes.labels(drawn)
            for label in range(UNDECIDED, self.classes.size):
                found[place, :, label] = (labels == label).mean(axis=0)
        return found

    @cached_property
    def alike(self) -> Floats:
        """How probably two panels give the same label, by their size and the distribution."""
        return np.asarray(np.square(self.chances).sum(axis=2))

    @cached_property
    def weights(self) -> Floats:
        """How frequent each distribution is among the items."""
        equal = np.full(len(self.points), 1 / len(self.points))
        return self._climbed(*_distinct(self.table), equal, FIRST_STEPS)[0]

    def _climbed(
        self, rows: Ints, many: Floats, weights: Floats, steps: int
    ) -> tuple[Floats, Floats]:
        """Return weights of greater likelihood, and the likelihood of each row up to a factor."""
        log = rows @ np.log(np.maximum(self.points, 1e-12)).T
        likelihood = np.exp(log - log.max(axis=1, keepdims=True))
        for _ in range(steps):
            ratio = many / (likelihood @ weights)
            weights = weights * (ratio @ likelihood) / many.sum()
        return weights, likelihood

    def stability(self, counts: Ints, size_of: Ints) -> float:
        """Return the share of items that two panels would label the same."""
        keyed = np.hstack([counts, size_of[:, None]])
        rows, many = _distinct(keyed)
        own, place = rows[:, :-1], rows[:, -1]
        weights, likelihood = self._climbed(own, many, self.weights, FURTHER_STEPS)
        posterior = likelihood * weights
        posterior /= posterior.sum(axis=1, keepdims=True)
        same = np.einsum("us,us->u", posterior, self.alike[place])
        return float(np.average(same, weights=many))


def _distinct(rows: Ints) -> tuple[Ints, Floats]:
    """Return the different rows, and how often each occurs."""
    distinct, many = np.unique(rows, axis=0, return_counts=True)
    kept = distinct.sum(axis=1) > 0
    return distinct[kept], many[kept].astype(np.float64)
