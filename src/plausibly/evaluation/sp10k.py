"""The five groups of plausibility SP-10K speaks of (Zhang et al. 2019, Tables 8, 10 and 11)."""

from __future__ import annotations

import polars as pl

# Lowest score of each group, best first. The paper prints ranges that share their ends (8-10,
# 6-8 …); its examples at 2.00 and 4.00 show that the lower end belongs to the group.
GROUPS = {"perfect": 8.0, "good": 6.0, "normal": 4.0, "unusual": 2.0, "impossible": 0.0}


def plausibility_group(score: pl.Expr, *, upper_inclusive: bool = False) -> pl.Expr:
    """Return the group of a score from 0 to 10.

    Args:
        score: The score.
        upper_inclusive: Give a score on a bound to the lower group instead of the upper one.

    >>> frame = pl.DataFrame({"score": [10.0, 8.0, 7.9, 0.0]})
    >>> frame.select(plausibility_group(pl.col("score"))).to_series().to_list()
    ['perfect', 'perfect', 'good', 'impossible']
    """
    names = list(GROUPS)
    group = pl.lit(names[-1])
    for name in reversed(names[:-1]):
        reaches = score > GROUPS[name] if upper_inclusive else score >= GROUPS[name]
        group = pl.when(reaches).then(pl.lit(name)).otherwise(group)
    return group
