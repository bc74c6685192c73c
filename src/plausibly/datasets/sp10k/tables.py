"""SP-10K as tables: a pair is an item, its released mean on 0 to 10 a label."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from plausibly.datasets.sp10k import FREQUENT_PER_HEAD, QUESTION
from plausibly.datasets.sp10k.pairs import read_relations
from plausibly.tables import ITEMS, LABELS


def tables(folder: Path) -> dict[str, pl.DataFrame]:
    """Return items (relation, head, dependent, source frequent or random) and labels.

    The release holds means and not the answers, so `ratings` is 0.
    """
    pairs = pl.concat(read_relations(folder).values())
    frequent = pl.col("slot") < FREQUENT_PER_HEAD
    pairs = pairs.with_columns(
        item=pl.concat_str("relation", "head", "dependent", separator="|"),
        source=pl.when(frequent).then(pl.lit("frequent")).otherwise(pl.lit("random")),
    )
    items = pairs.select(
        "item",
        "relation",
        "head",
        "dependent",
        "source",
        text=pl.concat_str("head", "dependent", separator=" "),
        condition="source",
    )
    labels = pairs.select(
        "item",
        question=pl.lit(QUESTION),
        method=pl.lit("released-mean"),
        label=pl.col("score").cast(pl.String),
        ratings=pl.lit(0, dtype=pl.Int64),
    )
    return {
        "items": ITEMS.sort(ITEMS.check(items)),
        "labels": LABELS.sort(LABELS.check(labels)),
    }
