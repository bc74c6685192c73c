"""Differences between conditions, paired within groups of items or between different items.

Each group counts once: its difference is the mean of its items in one condition minus the mean
of its items in the other. The variance is clustered by annotators and by groups, as for means
(see `crossed`), from ratings centred on their group: how groups differ in both conditions alike
does not count. Where conditions have different items, every item counts once, and people who
rated both conditions are compared with themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from scipy.special import stdtr, stdtrit

from plausibly.measures._grouping import Ints
from plausibly.measures._intervals import LEVEL, NOTHING
from plausibly.measures._two_way import Spreading
from plausibly.measures.crossed import METHODS, THESE_PEOPLE, THIS_ITEM, Rated
from plausibly.measures.differences import paired_parts, unpaired_parts

UNPAIRED = "no group has items in both conditions"
SOME_PAIRED = "the contrast uses only the groups with items in both conditions ({} of {})"
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
    found = paired_parts(part, side[kept])
    counts = (n_paired, int(part.annotator.max()) + 1, len(part))
    some = SOME_PAIRED.format(n_paired, n_groups) if n_paired < n_groups else None
    most = bounds[1] - bounds[0] if bounds else np.inf
    return _tested(Contrast(*names, found.value, *counts, warning=some), found.spread, most=most)


def _codes(ratings: Rated) -> tuple[Ints, Ints, Ints]:
    return ratings.item, ratings.annotator, ratings.group


def unpaired_contrast(
    ratings: Rated,
    side: Ints,
    *,
    names: tuple[str, str],
    bounds: tuple[float, float] | None = None,
) -> Contrast:
    """Return the difference between two conditions that have different items.

    Args:
        ratings: The columns of both conditions together.
        side: 1 for ratings of the condition that counts positively, 0 for the other.
        names: That condition, and the other.
        bounds: Lowest and highest value of the scale; the interval stays within their difference.
    """
    counts = (int(ratings.group.max()) + 1, int(ratings.annotator.max()) + 1, len(ratings))
    found = unpaired_parts(ratings, side)
    contrast = Contrast(*names, found.value, *counts)
    return _tested(contrast, found.spread, most=bounds[1] - bounds[0] if bounds else np.inf)


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
