"""What a fitted mixed model reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from plausibly.measures.mixed.crossed import Floats


@dataclass(frozen=True)
class Coefficient:
    """One estimate with standard error, 95 % limits, and p where zero is a hypothesis.

    Args:
        name: Of the term: NAME, NAME[level] or a:b.
        value: The estimate.
        se: Its standard error.
        low: Lower limit.
        high: Upper limit.
        p: Two-sided, by t; null for thresholds and the intercept.
        df: Degrees of freedom of t.
    """

    name: str
    value: float
    se: float
    low: float
    high: float
    p: float | None
    df: float


@dataclass(frozen=True)
class JointTest:
    """One test of all columns of a term.

    Args:
        name: Of the term.
        statistic: F.
        numerator: Degrees of freedom of the numerator: columns tested.
        df: Degrees of freedom of the denominator.
        p: Of F.
    """

    name: str
    statistic: float
    numerator: int
    df: float
    p: float


@dataclass(frozen=True)
class CellMean:
    """The mean of one cell, numbers at their mean.

    Args:
        levels: The level of each category.
        mean: On the scale of the link; for ordered answers above the middle of the thresholds.
        answer: On the scale of the answers, for a typical annotator and item: a mean, a share or
            an expected answer; the same as `mean` for a linear model.
    """

    levels: Mapping[str, str]
    mean: Coefficient
    answer: Coefficient


@dataclass(frozen=True)
class LevelContrast:
    """The difference between two levels, averaged over the other terms.

    Args:
        term: Name of the column.
        of: The level that is compared.
        against: The level it is compared with.
        difference: The estimate, with p as if it were the only comparison.
        p_holm: p corrected for all pairs of levels of the term (Holm 1979).
    """

    term: str
    of: str
    against: str
    difference: Coefficient
    p_holm: float


@dataclass(frozen=True, eq=False)
class RandomEffects:
    """The random effects by one factor.

    Args:
        factor: annotator, item or group.
        levels: How many levels it has.
        names: Of the effects.
        deviations: Their standard deviations.
        correlations: Between them; null if the model has none.
        slopes: The terms with slopes.
    """

    factor: str
    levels: int
    names: tuple[str, ...]
    deviations: tuple[float, ...]
    correlations: Floats | None
    slopes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class MixedModel:
    """A fitted mixed model of answers.

    Args:
        family: linear, logistic or ordinal.
        link: identity, logit or probit.
        criterion: REML, ML or Laplace.
        terms: Estimates by name.
        thresholds: Between neighbouring answers; empty unless the family is ordinal.
        tests: Joint tests of terms with more than one column.
        means: Of every cell that has ratings.
        contrasts: Between levels of terms with more than two.
        random: Random effects by factor.
        residual: Standard deviation of the residuals; null unless the family is linear.
        log_likelihood: By the criterion.
        levels: From a column of the terms to its values in order; empty for numbers.
        counts: Ratings, and levels of every grouping.
        warnings: What the reader must know: effects not identified, singular fits.
        converged: Whether the search ended at an optimum.
    """

    family: str
    link: str
    criterion: str
    terms: Mapping[str, Coefficient]
    thresholds: tuple[Coefficient, ...]
    tests: tuple[JointTest, ...]
    means: tuple[CellMean, ...]
    contrasts: tuple[LevelContrast, ...]
    random: tuple[RandomEffects, ...]
    residual: float | None
    log_likelihood: float
    levels: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, int]
    warnings: tuple[str, ...]
    converged: bool
