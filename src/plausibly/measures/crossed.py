"""Means and shares of ratings, with intervals for new items and new annotators.

An interval that treats ratings as independent covers the true mean in a quarter to three quarters
of cases, because an item's ratings resemble each other, and so do a person's. Here the variance
is clustered by annotators and by items (or groups of items), with Student's t. Shares and means
on a scale with ends get their limits on the logit scale.

A rare answer often comes from a few people or items, and the next few can differ. Degrees of
freedom are therefore limited by how many clusters the rarer side of the scale comes from, but are
at least `LEAST_FREEDOM`. Where shares are .02 or less, or there are few people, this errs on the
wide side. No interval of a share or a mean on a scale with ends is wider than the exact binomial
limits would be if all ratings by one annotator, or all of one item, were the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from scipy.special import betaincinv, expit, logit, stdtrit

from plausibly.errors import StudyError, UnknownName
from plausibly.measures._grouping import Floats, Ints, sums
from plausibly.measures._intervals import LEVEL, NOTHING, unseen
from plausibly.measures._two_way import (
    FEW_PEOPLE,
    Clustering,
    Spreading,
    clustering,
    of_ratings,
    rarity_freedom,
    spreading,
)
from plausibly.measures.coded import codes_of

WEIGHINGS = ("items", "ratings")
SHARE = (0.0, 1.0)
LEAST_FREEDOM = 2.0
FEW_SOURCES = 5.0

METHODS = {
    "both": "two-way robust variance, Welch's t",
    "items": "robust variance over items, Student's t",
    "annotators": "robust variance over annotators, Student's t",
}
LOGIT = " on the logit scale, within exact binomial limits"
EXACT = "exact binomial limit"
THESE_PEOPLE = f"fewer than {FEW_PEOPLE} annotators: the interval is for new items only"
THIS_ITEM = "all items belong together: the interval is for new annotators only"
ONE_END = (
    "all answers are the same: the limit allows for other answers by new annotators or to new items"
)
RARE = "the rarer answers come from few annotators or items: the interval is wide"
NO_RATINGS = "there are no ratings"
ALL_ALIKE = "no interval: all values are the same"
TOO_FEW = f"no interval: fewer than {FEW_PEOPLE} annotators and all items belong together"


@dataclass(frozen=True, eq=False)
class Rated:
    """One number per rating, with the item and the annotator it comes from.

    Args:
        value: The number; for shares, the code of the answer.
        item: Code of the item; every code occurs.
        annotator: Code of the annotator; every code occurs.
        group: Code of the group of items that belong together; items alone are their own group.
    """

    value: Floats
    item: Ints
    annotator: Ints
    group: Ints

    def __len__(self) -> int:
        return len(self.value)


@dataclass(frozen=True, slots=True)
class CrossedMean:
    """A mean or share with its 95 % interval.

    Args:
        value: The mean; None if there are no ratings.
        items: How many items it is over.
        annotators: How many annotators rated them.
        ratings: How many ratings there are.
        low: Lower limit of the interval.
        high: Upper limit of the interval.
        method: How the interval was computed.
        over: What the interval generalises to: items, annotators or both.
        warning: What to bear in mind when reading the interval.
        reason: Why there is no value, or no interval.
    """

    value: float | None
    items: int
    annotators: int
    ratings: int
    low: float | None = None
    high: float | None = None
    method: str | None = None
    over: str | None = None
    warning: str | None = None
    reason: str | None = None

    def as_json(self) -> dict[str, float | int | str | None]:
        """Return the row as `plausibly describe --json` prints it."""
        document: dict[str, float | int | str | None] = {
            name: getattr(self, name)
            for name in ("items", "annotators", "ratings", "value", "low", "high")
        }
        for name in ("method", "over", "warning", "reason"):
            if getattr(self, name) is not None:
                document[name] = getattr(self, name)
        return document


def rated(ratings: pl.DataFrame) -> Rated:
    """Return the ratings of one question and one cell as codes, without missing values.

    Args:
        ratings: Columns item, annotator, value and, if items come in groups, item_group.
    """
    known = ratings.drop_nulls("value")
    columns = (known["item"], known["annotator"], group_names(known))
    item, annotator, group = (codes_of(column)[0].astype(np.int64) for column in columns)
    return Rated(known["value"].cast(pl.Float64).to_numpy(), item, annotator, group)


def group_names(table: pl.DataFrame) -> pl.Series:
    """Return the group of each row: that of its item, or the item where it is in no group."""
    alone = pl.concat_str(pl.lit("item "), "item")
    if "item_group" in table.columns:
        alone = pl.coalesce(pl.concat_str(pl.lit("group "), "item_group"), alone)
    return table.select(group=alone)["group"]


def crossed_mean(
    ratings: Rated, *, weigh: str = "items", bounds: tuple[float, float] | None = None
) -> CrossedMean:
    """Return the mean of one cell with its interval for new items and new annotators.

    Args:
        ratings: The columns of the cell.
        weigh: Count every item once ("items") or every rating once ("ratings").
        bounds: Lowest and highest value of the scale; None if it has no ends.

    >>> table = pl.DataFrame({"item": ["t1", "t1", "t2", "t2"], "annotator": ["a", "b", "a", "b"],
    ...                       "value": [1.0, 2.0, 4.0, 3.0]})
    >>> mean = crossed_mean(rated(table))
    >>> mean.value, mean.over
    (2.5, 'items')
    """
    weight = weights(ratings, weigh)
    if len(ratings) == 0:
        return CrossedMean(None, 0, 0, 0, reason=NO_RATINGS)
    _check_bounds(ratings.value, bounds)
    value = float(np.sum(weight * ratings.value))
    counts = (_count(ratings.item), _count(ratings.annotator), len(ratings))
    mean = CrossedMean(value, *counts)
    spread = _spread(ratings, weight, value, bounds)
    if spread is None:
        return replace(mean, reason=TOO_FEW)
    if bounds is None:
        return _plain(mean, spread)
    return _bounded(mean, spread, bounds, ratings, weight)


def crossed_shares(
    ratings: Rated, *, answers: Sequence[str], weigh: str = "items"
) -> dict[str, CrossedMean]:
    """Return the share of each answer with its interval; `ratings.value` holds answer codes."""
    return {
        answer: crossed_mean(
            replace(ratings, value=(ratings.value == code).astype(np.float64)),
            weigh=weigh,
            bounds=SHARE,
        )
        for code, answer in enumerate(answers)
    }


def weights(ratings: Rated, weigh: str) -> Floats:
    """Return the weight of each rating in the mean; the weights add up to 1."""
    if weigh not in WEIGHINGS:
        raise UnknownName("weighing", weigh, WEIGHINGS)
    if weigh == "ratings":
        return np.full(len(ratings), 1 / max(len(ratings), 1))
    counts = np.bincount(ratings.item)
    return np.asarray(1 / (counts[ratings.item] * max(len(counts), 1)), dtype=np.float64)


def item_weights(n: int, chance: Floats | None = None) -> Floats:
    """Return the weight of each item; the weights add up to 1.

    Args:
        n: How many items there are.
        chance: Probability that each had of being rated; None if all have the same.

    >>> item_weights(2, np.array([0.5, 0.25])).round(3).tolist()
    [0.333, 0.667]
    """
    once = np.ones(n) if chance is None else 1 / chance
    return np.asarray(once / once.sum(), dtype=np.float64)


def _check_bounds(values: Floats, bounds: tuple[float, float] | None) -> None:
    if bounds is None:
        return
    low, high = bounds
    if not low < high:
        raise StudyError(
            f"bounds must be two numbers in ascending order; got {low:g} and {high:g}."
        )
    outside = (values < low) | (values > high)
    if outside.any():
        raise StudyError(
            f"{int(outside.sum())} of {len(values)} values are outside {low:g} to {high:g} "
            f"(first: {values[outside][0]:g}). Set the scale's ends to include them."
        )


def _count(codes: Ints) -> int:
    return int(codes.max()) + 1


def _spread(
    ratings: Rated, weight: Floats, value: float, bounds: tuple[float, float] | None
) -> Spreading | None:
    pull = weight * (ratings.value - value)
    people = clustering(pull, weight, ratings.annotator)
    items = clustering(pull, weight, ratings.group)
    if bounds is not None:
        amount = weight * rarer_side(ratings.value, value, bounds)
        people = limited(people, amount, ratings.annotator)
        items = limited(items, amount, ratings.group)
    return spreading(people, items, of_ratings(pull, ratings.group, ratings.annotator))


def rarer_side(values: Floats, value: float, bounds: tuple[float, float]) -> Floats:
    """Return the distance of each value from the end of the scale that is nearer to the mean."""
    low, high = bounds
    return values - low if value - low <= high - value else high - values


def limited(part: Clustering | None, amount: Floats, cluster: Ints) -> Clustering | None:
    """Return a part of the variance whose degrees of freedom heed how few clusters matter."""
    if part is None or not amount.any():
        return part
    most = max(rarity_freedom(amount, cluster), LEAST_FREEDOM)
    return replace(part, freedom=min(part.freedom, most))


def _plain(mean: CrossedMean, spread: Spreading) -> CrossedMean:
    error = float(np.sqrt(spread.variance))
    if mean.value is None or error <= NOTHING * max(abs(mean.value), 1.0):
        return replace(mean, reason=ALL_ALIKE)
    half = quantile(spread) * error
    return replace(
        mean,
        low=mean.value - half,
        high=mean.value + half,
        method=METHODS[spread.over],
        over=spread.over,
        warning=_caution(spread),
    )


def _bounded(
    mean: CrossedMean,
    spread: Spreading,
    bounds: tuple[float, float],
    ratings: Rated,
    weight: Floats,
) -> CrossedMean:
    value, (low, high) = float(mean.value or 0.0), bounds
    width = high - low
    place, error = (value - low) / width, float(np.sqrt(spread.variance)) / width
    if error <= NOTHING or min(place, 1 - place) <= NOTHING:
        ends, method = unseen(value, bounds, units=_units(ratings, spread.over)), EXACT
        warning: str | None = "; ".join(filter(None, (_caution(spread), ONE_END)))
    else:
        half = quantile(spread) * error / (place * (1 - place))
        lower, upper = (low + width * float(expit(logit(place) + by)) for by in (-half, half))
        first, last = (low + width * one for one in _widest(place, ratings, weight, spread.over))
        ends, method = (max(lower, first), min(upper, last)), METHODS[spread.over] + LOGIT
        warning = _caution(spread) or _rarity(ratings, value, bounds)
    return replace(
        mean, low=ends[0], high=ends[1], method=method, over=spread.over, warning=warning
    )


def _units(ratings: Rated, over: str) -> int:
    """Return how many units an exact limit rests on: the smaller number of those drawn."""
    people, groups = _count(ratings.annotator), _count(ratings.group)
    return {"items": groups, "annotators": people}.get(over, min(people, groups))


def _widest(place: float, ratings: Rated, weight: Floats, over: str) -> tuple[float, float]:
    """Return the exact binomial limits of a share if all ratings of a unit were the same.

    With weights w a mean of values from 0 to 1 then varies by `place * (1 - place) * sum(w ** 2)`,
    the most it can, as if `1 / sum(w ** 2)` units had been drawn. Where one answer comes from one
    item, the logit of its share has too large a standard error for Student's t to be of use.
    """
    codes = {"items": (ratings.group,), "annotators": (ratings.annotator,)}
    parts = [
        1 / float(np.sum(np.square(sums(weight, one, n_groups=_count(one)))))
        for one in codes.get(over, (ratings.group, ratings.annotator))
    ]
    n, tail = min(parts), (1 - LEVEL) / 2
    hits = place * n
    low = betaincinv(hits, n - hits + 1, tail)
    return float(low), float(betaincinv(hits + 1, n - hits, 1 - tail))


def _rarity(ratings: Rated, value: float, bounds: tuple[float, float]) -> str | None:
    """Return a warning if few of the annotators or few of the items account for the rarer side."""
    amount = weights(ratings, "items") * rarer_side(ratings.value, value, bounds)
    for cluster in (ratings.annotator, ratings.group):
        if rarity_freedom(amount, cluster) < min(FEW_SOURCES, _count(cluster) / 2):
            return RARE
    return None


def quantile(spread: Spreading) -> float:
    """Return how many standard errors the interval reaches to each side."""
    return float(stdtrit(spread.freedom, (1 + LEVEL) / 2))


def _caution(spread: Spreading) -> str | None:
    return {"items": THESE_PEOPLE, "annotators": THIS_ITEM}.get(spread.over)
