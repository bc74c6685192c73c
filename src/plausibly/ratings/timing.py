"""How long people take: for a hundred questions, whatever the size of their batches."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

import polars as pl

HUNDRED = 100


def hundred_seconds(
    ratings: pl.DataFrame, sorts: Mapping[str, str] | None = None
) -> dict[str, float]:
    """Return the seconds of a hundred items by kind of item, in the middle of the batches.

    All items together go by the name `all`; none if nobody has answered.

    Args:
        ratings: With batch, item, submitted and seconds; answers sent together count once.
        sorts: From an item to its sort, where there are several.

    >>> ratings = pl.DataFrame({"item": ["t1", "t2"], "batch": ["a-1", "a-1"],
    ...                         "submitted": ["1", "2"], "seconds": [4.0, 6.0]})
    >>> hundred_seconds(ratings)
    {'all': 500.0}
    """
    source = pl.col("item").str.replace(r"#[^#]*$", "")
    sent = ratings.with_columns(source.alias("item")).unique(["batch", "item", "submitted"])
    per_item = sent.group_by("batch", "item").agg(pl.col("seconds").sort().sum())
    times = {"all": _middle(per_item)}
    known = sorts or {}
    for sort in sorted(set(known.values())):
        names = [item for item, one in known.items() if one == sort]
        times[sort] = _middle(per_item.filter(pl.col("item").is_in(names)))
    return {sort: seconds for sort, seconds in times.items() if seconds is not None}


def _middle(per_item: pl.DataFrame) -> float | None:
    batches = per_item.group_by("batch").agg(pl.col("seconds").sort().mean())
    return HUNDRED * float(median(batches["seconds"].to_list())) if batches.height else None
