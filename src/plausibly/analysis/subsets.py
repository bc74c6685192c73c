"""Parts of a dataset to trust more or less: high confidence, confident and difficult items."""

from __future__ import annotations

import polars as pl

from plausibly.errors import StudyError
from plausibly.tables import ITEMS, LABELS, RATINGS

CONFIDENT, DIFFICULT = "confident", "difficult"


def high_confidence(labels: pl.DataFrame, *, min_support: float) -> pl.DataFrame:
    """Return the labels that at least `min_support` of the ratings give and no expert overturned.

    Labels of items without one are left out. Where experts decided (`crowd_label`, see
    `plausibly.analysis.experts.decide`), the crowd's label must have been upheld.
    """
    if not 0 < min_support <= 1:
        raise StudyError(f"min_support must be in (0, 1]; got {min_support}.")
    labels = LABELS.check(labels)
    sure = pl.col("label").is_not_null() & (pl.col("support") >= min_support)
    if "crowd_label" in labels.columns:
        sure = sure & pl.col("label").eq_missing(pl.col("crowd_label"))
    return LABELS.sort(labels.filter(sure))


def by_variance(
    ratings: pl.DataFrame, items: pl.DataFrame, *, lowest: int, by: str = "relation"
) -> pl.DataFrame:
    """Return for each item whether its ratings vary little (confident) or not (difficult).

    Confident are the `lowest` items of least variance in each group, as in the agreement study of
    SP-10K (Zhang, Ding and Song 2019: 1,000 of 2,000 pairs a relation); ties at the boundary go
    by the item's name. Items with fewer than two numeric ratings have no variance and no subset.

    Columns: item, question, the group, ratings, variance, subset.
    """
    items = ITEMS.check(items)
    if by not in items.columns:
        raise StudyError(f"items: no column {by!r} to group by. Found: {', '.join(items.columns)}.")
    if lowest < 1:
        raise StudyError(f"lowest must be 1 or more; got {lowest}.")
    rated = items.filter(pl.col("kind") == "item").select("item", by)
    varied = (
        RATINGS.check(ratings)
        .join(rated, on="item")
        .group_by("item", "question", by)
        .agg(ratings=pl.col("value").count(), variance=pl.col("value").var())
    )
    rank = pl.int_range(1, pl.len() + 1).over("question", by)
    subset = pl.when(rank <= lowest).then(pl.lit(CONFIDENT)).otherwise(pl.lit(DIFFICULT))
    ranked = varied.sort("variance", "item", nulls_last=True).with_columns(subset=subset)
    known = pl.when(pl.col("variance").is_not_null()).then("subset")
    return ranked.with_columns(subset=known).sort("item", "question")
