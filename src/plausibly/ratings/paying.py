"""How long people work for one batch, which shows what an hour of it is paid."""

from __future__ import annotations

from statistics import median

import polars as pl


def batch_seconds(ratings: pl.DataFrame, *, items: int) -> float | None:
    """Return how long the people of whole batches took for one, in the middle of them; or None.

    Checks, fillers and repeats take time as well, but do not make a batch whole.

    Args:
        ratings: With batch, item, submitted, seconds and perhaps kind; answers sent together
            count once.
        items: Items a whole batch has, without checks, fillers and repeats.

    >>> columns = {"item": ["a", "b"], "submitted": ["1", "2"], "seconds": [4.0, 8.0]}
    >>> batch_seconds(pl.DataFrame({"batch": ["x", "x"], **columns}), items=2)
    12.0
    """
    if ratings.is_empty() or not {"batch", "submitted", "seconds"} <= set(ratings.columns):
        return None
    source = pl.col("item").str.replace(r"#[^#]*$", "")
    sent = ratings.with_columns(source.alias("item")).unique(["batch", "item", "submitted"])
    kind = pl.col("kind") if "kind" in sent.columns else pl.lit("item")
    judged = kind.fill_null("item") == "item"
    batches = sent.group_by("batch").agg(
        pl.col("seconds").sort().sum(), pl.col("item").filter(judged).n_unique().alias("size")
    )
    whole = batches.filter(pl.col("size") >= items)["seconds"].sort().to_list()
    return float(median(whole)) if whole else None
