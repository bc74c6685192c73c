"""Means of people's ratings, helped by a model that also judged items nobody rated.

With f the model's prediction, z = y - w (f - mean of f over all N items) has the mean of y, and a
smaller variance where f and y go together: the power-tuned estimator of prediction-powered
inference (Angelopoulos, Duchi and Zrnic 2023, "PPI++"), which is the regression estimator of
survey sampling (Cochran 1977, chapter 7). The variance is that of z, clustered by annotators and
by items or groups of items as in `crossed`, plus that of the mean prediction: the N items are a
sample of all such items too. So both intervals are about the same: new items and new annotators.
What is about these N items alone has intervals of its own, for people and for both, with the
two-stage variance of `finite`. The weight w is that of a regression within the
cell, cross-fitted: that of an item is learnt from the items of other folds. It is nearer to 0 the
less certain it is, so that a useless model costs little.

The rated items must be a random sample of all N, or have known probabilities of being rated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit, logit

from plausibly.measures._grouping import Floats, Ints, sums
from plausibly.measures._intervals import NOTHING
from plausibly.measures._two_way import Clustering, Spreading, clustering, of_ratings, spreading
from plausibly.measures.crossed import Rated, item_weights, limited, quantile, rarer_side
from plausibly.measures.finite import (
    ONE_RATING,
    PARTLY,
    UNEQUAL,
    of_these,
    rated_share,
    within_units,
)

LEAST_ITEMS = 20
LEAST_GROUPS = 10
LEAST_RARER = 5
HELPS = 1.05
"""The gain from which a model helps."""
WORTH_SAYING = 0.05
"""The share of rated items from which the intervals for these items are put in words."""
PERMUTATIONS = 999
UNLIKELY = 0.01

NO_HELP = "the model does not help"
FEW_ITEMS = "{} rated items; it takes {}"
FEW_GROUPS = "the rated items come from {} groups; at least {} are needed"
RARE = "the rarer answer makes up {:.1f} items; at least {} are needed"
ALL_RATED = "every item with a prediction is rated: there is nothing to add"
ALIKE = "all predictions are the same"
OUTSIDE = "the estimate lies outside the scale"
NO_SPREAD = "there is no interval of people's answers alone"
DIFFERENT = (
    "predictions of rated and unrated items differ (permutation test, p = {:.3f}): check that the "
    "rated items are a random sample"
)


@dataclass(frozen=True, eq=False)
class PredictedItems:
    """Predictions of one cell, for items that were rated and for all.

    Args:
        rated: Prediction for each rated item, by its code.
        fold: Fold of each rated item; items of one group are in one fold.
        every: Prediction for each item of the cell, rated or not.
        group: Code of the group of each item of the cell; groups of rated items have the codes
            they have in the ratings, and others follow.
        chance: Probability that each rated item had of being rated; None if all have the same.
        is_rated: Whether each item of the cell was rated.
    """

    rated: Floats
    fold: Ints
    every: Floats
    group: Ints
    is_rated: np.ndarray[tuple[int], np.dtype[np.bool_]]
    chance: Floats | None = None


@dataclass(frozen=True, slots=True)
class TheseItems:
    """Intervals for the mean of the items that have predictions, not of more like them.

    Args:
        share: Share of these items, or of their groups, that is rated.
        low: Lower limit of the interval from people and the model.
        high: Its upper limit.
        people_low: Lower limit of the interval from people alone.
        people_high: Its upper limit.
        reason: Why there are none.
    """

    share: float | None = None
    low: float | None = None
    high: float | None = None
    people_low: float | None = None
    people_high: float | None = None
    reason: str | None = None

    @property
    def words(self) -> str:
        """The intervals in words; empty where there are none, or few items are rated."""
        if self.low is None or self.share is None or self.share < WORTH_SAYING:
            return ""
        return (
            f"{100 * self.share:.0f} % are rated; for these items alone {self.low:.3g} to "
            f"{self.high:.3g}, from people {self.people_low:.3g} to {self.people_high:.3g}"
        )

    def as_json(self) -> dict[str, float | str | None]:
        """Return the part of the entry `hybrid` that is about these items."""
        names = ("share", "low", "high", "people_low", "people_high", "reason")
        known = {f"these_{name}": getattr(self, name) for name in names}
        return {name: one for name, one in known.items() if one is not None}


@dataclass(frozen=True, slots=True)
class Hybrid:
    """An estimate from people and a model, with its 95 % interval.

    Args:
        value: The estimate; None if there is none.
        low: Lower limit of the interval.
        high: Upper limit of the interval.
        weight: How far a difference in predictions moves the estimate (mean over folds).
        rho: Correlation of predictions and item means within the cell.
        gain: Variance of people's estimate divided by that of this one.
        predicted: How many items have predictions.
        warning: What to bear in mind.
        reason: Why there is no estimate.
        these: The intervals for these items alone.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    weight: float | None = None
    rho: float | None = None
    gain: float | None = None
    predicted: int = 0
    warning: str | None = None
    reason: str | None = None
    these: TheseItems | None = None

    @property
    def finding(self) -> str:
        """Whether the model helps, in words; empty if there is no estimate."""
        if self.gain is None:
            return ""
        if self.gain < HELPS:
            return f"{NO_HELP} (gain {self.gain:.2f})"
        return (
            f"the variance is {100 * (1 - 1 / self.gain):.0f} % smaller than that of people alone"
        )

    def as_json(self) -> dict[str, float | int | str | None]:
        """Return the entry `hybrid` of a row of `describe --json`."""
        names = ("value", "low", "high", "weight", "rho", "gain", "predicted")
        document: dict[str, float | int | str | None] = {n: getattr(self, n) for n in names}
        for name in ("finding", "warning", "reason"):
            if getattr(self, name):
                document[name] = getattr(self, name)
        if self.these is not None:
            document |= self.these.as_json()
            document |= {"these_words": self.these.words} if self.these.words else {}
        return document


def hybrid_mean(
    ratings: Rated, predicted: PredictedItems, *, bounds: tuple[float, float] | None = None
) -> Hybrid:
    """Return the mean of one cell, estimated from people and a model, every item counting once.

    Args:
        ratings: The columns of the cell.
        predicted: The predictions for its items.
        bounds: Lowest and highest value of the scale; for a share 0 and 1.
    """
    answer = Hybrid(predicted=len(predicted.every))
    reason = _unfit(ratings, predicted, bounds)
    if reason:
        return replace(answer, reason=reason)
    n, n_all = len(predicted.rated), len(predicted.every)
    share = item_weights(n, predicted.chance)
    counts = np.bincount(ratings.item)
    weight = share[ratings.item] / counts[ratings.item]
    mean = sums(ratings.value, ratings.item, n_groups=n) / counts
    slope = cross_fitted_slopes(mean, predicted, share)
    average = float(np.mean(predicted.every))
    moved = ratings.value - (slope * (predicted.rated - average))[ratings.item]
    value = float(np.sum(weight * moved))
    alone = float(np.sum(weight * ratings.value))
    people = _spread(replace(ratings, value=ratings.value), weight, alone, bounds, ratings.value)
    tuned = float(np.sum(share * slope))
    extra = tuned * (predicted.every - average) / n_all, predicted.group
    spread = _spread(replace(ratings, value=moved), weight, value, bounds, ratings.value, extra)
    if people is None or spread is None or people.variance <= 0 or spread.variance <= 0:
        return replace(answer, reason=NO_SPREAD)
    limits = _limits(value, spread, bounds)
    if limits is None:
        return replace(answer, reason=OUTSIDE)
    both = ((replace(ratings, value=moved), value), (ratings, alone))
    these = _these(both, predicted, weight, bounds, ratings.value)
    return replace(
        answer,
        value=value,
        low=limits[0],
        high=limits[1],
        weight=tuned,
        rho=weighted_correlation(mean, predicted.rated, share),
        gain=people.variance / spread.variance,
        warning=sampling_warning(predicted),
        these=these,
    )


def _these(
    both: Sequence[tuple[Rated, float]],
    predicted: PredictedItems,
    weight: Floats,
    bounds: tuple[float, float] | None,
    answers: Floats,
) -> TheseItems:
    """Return the intervals for these items: of people and the model, then of people alone."""
    share = rated_share(predicted.group, predicted.is_rated)
    if predicted.chance is not None or share is None:
        return TheseItems(reason=PARTLY if predicted.chance is None else UNEQUAL)
    ends: list[float] = []
    for ratings, value in both:
        pull = weight * (ratings.value - value)
        within = within_units(pull, ratings.group, ratings.annotator)
        items = clustering(pull, weight, ratings.group)
        spread = _spread(ratings, weight, value, bounds, answers)
        if within is None:
            return TheseItems(share, reason=ONE_RATING)
        if items is None or spread is None:
            return TheseItems(share, reason=NO_SPREAD)
        limits = _limits(value, of_these(spread, items, within=within, share=share), bounds)
        if limits is None:
            return TheseItems(share, reason=OUTSIDE)
        ends += limits
    low, high, people_low, people_high = ends
    return TheseItems(share, low, high, people_low, people_high)


def _unfit(
    ratings: Rated, predicted: PredictedItems, bounds: tuple[float, float] | None
) -> str | None:
    """Return why there is no estimate from people and a model; None if there is one."""
    n, groups = len(predicted.rated), int(ratings.group.max(initial=-1)) + 1
    if n < LEAST_ITEMS:
        return FEW_ITEMS.format(n, LEAST_ITEMS)
    if groups < LEAST_GROUPS:
        return FEW_GROUPS.format(groups, LEAST_GROUPS)
    if bounds == (0.0, 1.0):
        mean = sums(ratings.value, ratings.item, n_groups=n) / np.bincount(ratings.item)
        rarer = min(float(mean.sum()), float((1 - mean).sum()))
        if rarer < LEAST_RARER - NOTHING:
            return RARE.format(rarer, LEAST_RARER)
    if len(predicted.every) <= n:
        return ALL_RATED
    return ALIKE if float(np.ptp(predicted.rated)) <= NOTHING else None


def cross_fitted_slopes(mean: Floats, predicted: PredictedItems, share: Floats) -> Floats:
    """Return for each rated item the slope of means on predictions, from other folds."""
    slope = np.zeros(len(mean))
    for fold in np.unique(predicted.fold):
        others = predicted.fold != fold
        weight = share[others] / share[others].sum()
        slope[~others] = _slope(mean[others], predicted.rated[others], weight)
    return slope


def _slope(mean: Floats, predicted: Floats, weight: Floats) -> float:
    """Return the slope, nearer to 0 the less certain it is, so that a useless model costs little.

    With F the square of the slope over its standard error, it is multiplied by 1 - 1 / F, or 0.
    """
    x, y = (column - np.sum(weight * column) for column in (predicted, mean))
    spread, whole = float(np.sum(weight * x**2)), float(np.sum(weight * y**2))
    if spread <= NOTHING or whole <= NOTHING:
        return 0.0
    slope = float(np.sum(weight * x * y)) / spread
    explained = slope**2 * spread / whole
    doubt = (1 - explained) / (len(mean) - 2)
    return slope * max(1 - doubt / explained, 0.0) if explained > NOTHING else 0.0


def _spread(
    ratings: Rated,
    weight: Floats,
    value: float,
    bounds: tuple[float, float] | None,
    answers: Floats,
    extra: tuple[Floats, Ints] | None = None,
) -> Spreading | None:
    """Return the variance of a mean; `extra` is what each item adds by its prediction."""
    pull = weight * (ratings.value - value)
    people = clustering(pull, weight, ratings.annotator)
    items = clustering(pull, weight, ratings.group)
    if bounds is not None:
        alone = float(np.sum(weight * answers))
        amount = weight * rarer_side(answers, alone, bounds)
        people = limited(people, amount, ratings.annotator)
        items = limited(items, amount, ratings.group)
    if extra is not None and items is not None:
        items = with_predictions(items, pull, ratings.group, *extra)
    return spreading(people, items, of_ratings(pull, ratings.group, ratings.annotator))


def with_predictions(
    items: Clustering, pull: Floats, cluster: Ints, added: Floats, group: Ints
) -> Clustering:
    """Return the part of items with that of the mean prediction, which groups share."""
    n = int(group.max()) + 1
    own = sums(added, group, n_groups=n)
    rated = np.zeros(n)
    rated[: int(cluster.max()) + 1] = sums(pull, cluster, n_groups=int(cluster.max()) + 1)
    more = max(float(np.sum(own**2 + 2 * own * rated)) * n / max(n - 1, 1), 0.0)
    whole, freedom = items.variance + more, max(items.freedom - 1, 1.0)
    doubt = items.variance**2 / freedom + more**2 / max(n - 1, 1)
    return replace(items, variance=whole, freedom=whole**2 / doubt if doubt > 0 else freedom)


def _limits(
    value: float, spread: Spreading, bounds: tuple[float, float] | None
) -> tuple[float, float] | None:
    half = quantile(spread) * float(np.sqrt(spread.variance))
    if bounds is None:
        return value - half, value + half
    low, width = bounds[0], bounds[1] - bounds[0]
    place = (value - low) / width
    if not NOTHING < place < 1 - NOTHING:
        return None
    half /= width * place * (1 - place)
    lower, upper = (low + width * float(expit(logit(place) + by)) for by in (-half, half))
    return lower, upper


def weighted_correlation(mean: Floats, predicted: Floats, share: Floats) -> float | None:
    """Return the correlation of two columns; None if one of them does not vary."""
    one, other = (column - np.sum(share * column) for column in (mean, predicted))
    scale = float(np.sqrt(np.sum(share * one**2) * np.sum(share * other**2)))
    return float(np.sum(share * one * other)) / scale if scale > NOTHING else None


def sampling_warning(predicted: PredictedItems) -> str | None:
    """Return a warning if rated items have other predictions than the rest; else nothing.

    Whether rated items are a random sample follows from how they were drawn: that the test finds
    nothing does not show it. With unequal chances, predictions may well differ.
    """
    if predicted.chance is not None:
        return None
    n = int(predicted.group.max()) + 1
    sizes = sums(np.ones(len(predicted.group)), predicted.group, n_groups=n)
    middle = sums(predicted.every, predicted.group, n_groups=n) / np.maximum(sizes, 1)
    chosen = sums(predicted.is_rated.astype(np.float64), predicted.group, n_groups=n)
    chosen = chosen / np.maximum(sizes, 1)
    middle, chosen = middle - middle.mean(), chosen - chosen.mean()
    seen = abs(float(middle @ chosen))
    draw = np.random.default_rng(1)
    drawn = [abs(float(middle @ draw.permutation(chosen))) for _ in range(PERMUTATIONS)]
    p = (1 + sum(one >= seen - NOTHING for one in drawn)) / (PERMUTATIONS + 1)
    return DIFFERENT.format(p) if p < UNLIKELY else None
