"""How reliable the mean of an item's ratings is: intraclass correlations and split halves.

A rating is taken as the sum of its item, its annotator and a rest, each with a variance of its
own. The three variances come from sums of squares as in Henderson's first method (1953), which is
the analysis of variance where every annotator rated every item and needs no such design elsewhere.
The intraclass correlations follow Shrout and Fleiss (1979, "Intraclass correlations: uses in
assessing rater reliability").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Literal, get_args

import numpy as np

from plausibly.domain import Measure
from plausibly.errors import UnknownName
from plausibly.measures._crossing import Crossing
from plausibly.measures._estimating import estimate
from plausibly.measures._grouping import sums
from plausibly.measures._sample import Number, Sample, Statistic
from plausibly.measures._undefined import ONE_ANSWER, not_numbers, unpaired
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.resampling import Resampling

Form = Literal["1,1", "1,k", "2,1", "2,k"]
FORMS: tuple[Form, ...] = get_args(Form)
WANTED = (0.8, 0.9)
# What a reliability of means cannot fall below; one rating's has a limit of its own.
LEAST = -1.0
ONE_RATING = "1,1"

FINEST = 1e-8

_SAME_MEANS = "the means of items do not differ"
_OPPOSED = "the halves are opposed"
_NOT_CROSSED = "not every annotator rated every item; variance_components are reported instead"
_TOO_FEW = "an intraclass correlation needs two items and two annotators"


def icc(coded: Coded, form: Form = "1,1", *, resampling: Resampling | None = None) -> Measure:
    """Return an intraclass correlation of the numbers given to items rated twice or more.

    `1,1` is the reliability of one rating by whoever rates, `1,k` that of the mean of the
    ratings an item has; `2,1` and `2,k` are the same when every annotator rates every item, with
    the annotators' own levels counted as error.

    >>> import polars as pl
    >>> from plausibly.measures.coded import code
    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2", "t3", "t3"],
    ...                         "annotator": ["a", "b"] * 3,
    ...                         "answer": ["1", "1", "4", "5", "5", "5"]})
    >>> round(icc(code(ratings), "1,1").value, 3)
    0.966
    """
    least = smallest(Crossing(coded)) if form == ONE_RATING else LEAST
    return estimate(intraclass(form), coded, resampling, least=least)


def split_half(coded: Coded, *, resampling: Resampling | None = None) -> Measure:
    """Return the split-half reliability of mean ratings, corrected by Spearman and Brown (1910).

    The ratings of each item are split into halves in every possible way at once: covariances and
    variances of half means are averaged over the splits, so nothing is drawn.

    >>> import polars as pl
    >>> from plausibly.measures.coded import code
    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2", "t3", "t3"],
    ...                         "annotator": ["a", "b"] * 3,
    ...                         "answer": ["1", "1", "4", "5", "5", "5"]})
    >>> round(split_half(code(ratings)).value, 3)
    0.982
    """
    return estimate(halves, coded, resampling, least=LEAST)


def intraclass(form: Form) -> Statistic:
    """Return the statistic of one form."""
    if form not in FORMS:
        raise UnknownName("form of icc", form, FORMS)

    def statistic(sample: Sample) -> Number:
        if reason := _undefined(sample):
            return Number(None, reason)
        if form.startswith("2") and not sample.crossing.complete:
            return Number(None, _NOT_CROSSED)
        return _one_way(sample, form) if form.startswith("1") else _two_way(sample, form)

    return statistic


def smallest(crossing: Crossing) -> float:
    """Return the least ICC(1,1) can be: -1 / (k - 1) for k ratings per item."""
    sample = Sample(crossing)
    ratings = sample.ratings[sample.paired > 0]
    each = _ratings_each(ratings) if len(ratings) > 1 else 2.0
    return -1 / (each - 1)


def _ratings_each(ratings: Floats) -> float:
    """Return how many ratings an item has, as the one-way analysis of variance averages them."""
    total = float(ratings.sum())
    return (total - float(np.square(ratings).sum()) / total) / (len(ratings) - 1)


def _undefined(sample: Sample) -> str | None:
    if sample.coded.values is None:
        return not_numbers(sample.coded)
    if reason := unpaired(sample):
        return reason
    if sample.paired.sum() < 2:
        return _TOO_FEW
    used = sample.marginal > 0
    return ONE_ANSWER if np.count_nonzero(used) < 2 else None


@dataclass(frozen=True, slots=True)
class _Items:
    """Items with two ratings or more: how many ratings, their sum, and the sum of squares."""

    k: Floats
    total: Floats
    squares: Floats


def _items(sample: Sample) -> _Items:
    kept = sample.paired > 0
    first, second = sample.moments
    return _Items(sample.ratings[kept], first[kept], second[kept])


def _one_way(sample: Sample, form: Form) -> Number:
    items = _items(sample)
    n, ratings = len(items.k), float(items.k.sum())
    means = float(np.sum(np.square(items.total) / items.k))
    within = (float(items.squares.sum()) - means) / (ratings - n)
    between = (means - float(items.total.sum()) ** 2 / ratings) / (n - 1)
    each = _ratings_each(items.k)
    whole = between + (each - 1) * within if form == ONE_RATING else between
    if whole <= FINEST * (between + within):
        return Number(None, _SAME_MEANS)
    return Number((between - within) / whole)


def _two_way(sample: Sample, form: Form) -> Number:
    parts = components(sample)
    if parts is None:
        return Number(None, _TOO_FEW)
    items = _items(sample)
    each = 1.0 if form == "2,1" else float(items.k.sum()) / len(items.k)
    whole = parts["item"] + (parts["annotator"] + parts["residual"]) / each
    if whole <= FINEST * sum(map(abs, parts.values())):
        return Number(None, _SAME_MEANS)
    return Number(parts["item"] / whole)


def components(sample: Sample) -> dict[str, float] | None:
    """Return the variances of items, annotators and the rest; None if they mix.

    An estimate can fall below 0, as in every analysis of variance.
    """
    items = _items(sample)
    person, person_total = _annotators(sample)
    n, people, ratings = len(items.k), len(person), float(items.k.sum())
    mean = float(items.total.sum()) ** 2 / ratings
    by_item = float(np.sum(np.square(items.total) / items.k))
    by_person = float(np.sum(np.square(person_total) / person))
    k1 = float(np.square(items.k).sum()) / ratings
    k2 = float(np.square(person).sum()) / ratings
    matrix = np.array(
        [
            [ratings - k1, n - k2, n - 1],
            [people - k1, ratings - k2, people - 1],
            [k1 - people, k2 - n, ratings - n - people + 1],
        ]
    )
    if people < 2 or np.linalg.cond(matrix) > 1e10:
        return None
    whole = float(items.squares.sum())
    squares = [by_item - mean, by_person - mean, whole - by_item - by_person + mean]
    solution = np.linalg.solve(matrix, np.array(squares)).tolist()
    return dict(zip(("item", "annotator", "residual"), solution, strict=True))


def _annotators(sample: Sample) -> tuple[Floats, Floats]:
    """Return how many ratings each annotator gave to paired items, and their sum."""
    coded, numbers = sample.coded, sample.crossing.numbers
    kept = (
        sample.paired[coded.item]
        if sample.kept is None
        else (sample.paired[coded.item] * sample.kept)
    )
    total = sums(
        kept * (numbers - numbers.mean())[coded.answer],
        coded.annotator,
        n_groups=coded.n_annotators,
    )
    given = sums(kept, coded.annotator, n_groups=coded.n_annotators)
    return given[given > 0], total[given > 0]


def halves(sample: Sample) -> Number:
    """Return the split-half reliability of a sample."""
    if reason := _undefined(sample):
        return Number(None, reason)
    items = _items(sample)
    n, mean = len(items.k), items.total / items.k
    product = (np.square(items.total) - items.squares) / (items.k * (items.k - 1))
    half = np.floor(items.k / 2)
    alone = items.squares / items.k

    def spread(square: Floats) -> float:
        return float(square.mean() - mean.mean() ** 2 - (square - mean**2).sum() / n**2)

    one, other = (
        spread(alone / size + (size - 1) / size * product) for size in (half, items.k - half)
    )
    least = FINEST * float(np.mean(alone) + 1e-300)
    if one <= least or other <= least:
        return Number(None, _SAME_MEANS)
    r = spread(product) / sqrt(one * other)
    return Number(2 * r / (1 + r)) if 1 + r > FINEST else Number(None, _OPPOSED)


def variance_components(crossing: Crossing) -> dict[str, float] | None:
    """Return the variances of items, annotators and the rest, none below 0; None without any."""
    sample = Sample(crossing)
    parts = None if _undefined(sample) else components(sample)
    return parts and {name: max(part, 0.0) for name, part in parts.items()}


def ratings_needed(reliability: float | None) -> Mapping[str, int | None]:
    """Return how many ratings an item needs for a mean of reliability .8 and .9.

    Args:
        reliability: That of one rating, ICC(1,1).

    >>> ratings_needed(0.5)
    {'0.8': 4, '0.9': 9}
    """
    if reliability is None or not 0 < reliability <= 1:
        return dict.fromkeys(map(str, WANTED))
    odds = (1 - reliability) / reliability
    return {str(wanted): max(1, ceil(wanted / (1 - wanted) * odds - 1e-9)) for wanted in WANTED}
