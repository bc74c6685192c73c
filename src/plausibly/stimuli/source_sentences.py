"""The sentence of the corpus that an item was read from, where a study kept it."""

from __future__ import annotations

from pathlib import Path

import polars as pl

KEPT = "build/examples.parquet"
"""Where the step `build` of a study writes them."""


def with_sentences(items: pl.DataFrame, path: Path) -> pl.DataFrame:
    """Return items with the first sentence that each was read from, if there are any.

    Args:
        items: Items table.
        path: File of the sentences, which need not exist.
    """
    if not path.is_file() or "source_sentence" in items.columns:
        return items
    first = pl.read_parquet(path).sort("item", "rank").unique("item", keep="first")
    own = first.select("item", source_sentence="sentence", source_document="document")
    return items.join(own, on="item", how="left", maintain_order="left")
