"""Differences between conditions, paired within groups of items.

Each group counts once: its difference is the mean of its items in one condition minus the mean
of its items in the other. The variance is clustered by annotators and by groups, as for means
(see `crossed`), from ratings centred on their group: how groups differ in both conditions alike
does not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from scipy.special import stdtr, stdtrit

from plausibly.measures._grouping import Floats, Ints, quotients, sums
from plausibly.measures._intervals import LEVEL, NOTHING
from plausibly.measures._two_way import Spreading, clustering, of_ratings, spreading
from plausibly.measures.crossed import METHODS, THESE_PEOPLE, THIS_ITEM, Rated

UNPAIRED = "no group has items in both conditions"
SOME_PAIRED = "{} of {} groups have items in both conditions; the contrast uses only these"
ALL_ALIKE = "no interval: the difference is the same everywhere"
TOO_FEW = "no interval: fewer than two groups, and too few annotators"


@dataclass(frozen=True, slots=True)
class Contrast:
    """The difference between two conditions, with its 95 % interval and its test.

    Args:
        of: The condition whose mean counts positively.
        against: The condition that is subtracted.
        value: The difference; None if no group has both conditions.
        groups: How many groups have both conditions.
        annotators: How many annotators rated them.
        ratings: How many ratings there are.
        low: Lower limit of the interval.
        high: Upper limit of the interval.
        p: Two-sided p of a difference of 0.
        method: How the interval was computed.
        warning: What to bear in mind when reading the interval.
        reason: Why there is no value, or no interval.
    """

    of: str
    against: str
    value: float | None
    groups: int
    annotators: int
    ratings: int
    low: float | None = None
    high: float | None = None
    p: float | None = None
    method: str | None = None
    warning: str | None = None
    reason: str | None = None

    def as_json(self) -> dict[str, float | int | str | None]:
        """Return the contrast as `plausibly describe --json` prints it."""
        names = ("of", "against", "value", "low", "high", "p", "groups", "annotators", "ratings")
        document = {name: getattr(self, name) for name in names}
        extra = {name: getattr(self, name) for name in ("method", "warning", "reason")}
        return document | {name: text for name, text in extra.items() if text is not None}


def paired_contrasts(
    ratings: Rated,
    condition: Ints,
    *,
    names: Sequence[str],
    bounds: tuple[float, float] | None = None,
) -> list[Contrast]:
    """Return the contrast of every two conditions, the later name against the earlier.

    Args:
        ratings: The columns of all conditions together.
        condition: Code of the condition of each rating.
        names: The conditions by code.
        bounds: Lowest and highest value of the scale; None if it has no ends.
    """
    codes = range(len(names))
    return [
        paired_contrast(
            ratings,
            condition,
            of=(names[second], second),
            against=(names[first], first),
            bounds=bounds,
        )
        for first, second in combinations(codes, 2)
    ]


def paired_contrast(
    ratings: Rated,
    condition: Ints,
    *,
    of: tuple[str, int],
    against: tuple[str, int],
    bounds: tuple[float, float] | None = None,
) -> Contrast:
    """Return the difference between two conditions over the groups that have both.

    Args:
        ratings: The columns of all conditions together.
        condition: Code of the condition of each rating.
        of: Name and code of the condition whose mean counts positively.
        against: Name and code of the condition that is subtracted.
        bounds: Lowest and highest value of the scale; the interval stays within their difference.
    """
    either = (condition == of[1]) | (condition == against[1])
    side = (condition == of[1]).astype(np.int64)
    has = np.zeros((2, int(ratings.group.max(initial=-1)) + 1), dtype=np.bool_)
    has[side[either], ratings.group[either]] = True
    paired, n_groups = has[0] & has[1], int((has[0] | has[1]).sum())
    kept = either & paired[ratings.group]
    n_paired = int(paired.sum())
    names = of[0], against[0]
    if n_paired == 0:
        return Contrast(*names, None, 0, 0, 0, reason=UNPAIRED)
    columns = [np.unique(codes[kept], return_inverse=True)[1] for codes in _codes(ratings)]
    part = Rated(ratings.value[kept], *columns)
    value, spread = _difference(part, side[kept])
    counts = (n_paired, int(part.annotator.max()) + 1, len(part))
    some = SOME_PAIRED.format(n_paired, n_groups) if n_paired < n_groups else None
    most = bounds[1] - bounds[0] if bounds else np.inf
    return _tested(Contrast(*names, value, *counts, warning=some), spread, most=most)


def _codes(ratings: Rated) -> tuple[Ints, Ints, Ints]:
    return ratings.item, ratings.annotator, ratings.group


def _difference(part: Rated, side: Ints) -> tuple[float, Spreading | None]:
    """Return the mean difference over groups and its variance."""
    n_groups = int(part.group.max()) + 1
    cell = 2 * part.group + side
    weight = _weights(part, side, cell)
    means = sums(weight * part.value, cell, n_groups=2 * n_groups).reshape(n_groups, 2)
    value = float(np.mean(means[:, 1] - means[:, 0]))
    sign = (2 * side - 1).astype(np.float64)
    rest = part.value - means.mean(axis=1)[part.group] - sign * value / 2
    weight /= n_groups
    pull = sign * weight * rest
    people = clustering(pull, weight / 2, part.annotator)
    groups = clustering(pull, weight / 2, part.group)
    return value, spreading(people, groups, of_ratings(pull, part.group, part.annotator))


def _weights(part: Rated, side: Ints, cell: Ints) -> Floats:
    """Return weights that add up to 1 in each group and condition, every item counting once."""
    known, unit = np.unique(2 * part.item + side, return_inverse=True)
    size = sums(np.ones(len(unit)), unit, n_groups=len(known))
    once = 1 / size[unit]
    return quotients(once, sums(once, cell, n_groups=int(cell.max()) + 1)[cell])


def _tested(contrast: Contrast, spread: Spreading | None, *, most: float) -> Contrast:
    if contrast.value is None or spread is None:
        return replace(contrast, reason=TOO_FEW)
    error = float(np.sqrt(spread.variance))
    if error <= NOTHING * max(abs(contrast.value), 1.0):
        return replace(contrast, reason=ALL_ALIKE)
    half = float(stdtrit(spread.freedom, (1 + LEVEL) / 2)) * error
    cautions = [{"items": THESE_PEOPLE, "annotators": THIS_ITEM}.get(spread.over), contrast.warning]
    return replace(
        contrast,
        low=max(contrast.value - half, -most),
        high=min(contrast.value + half, most),
        p=2 * float(stdtr(spread.freedom, -abs(contrast.value) / error)),
        method=METHODS[spread.over],
        warning="; ".join(filter(None, cautions)) or None,
    )
