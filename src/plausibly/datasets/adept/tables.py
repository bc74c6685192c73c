"""ADEPT as tables: a pair is an item, its released class a label."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from plausibly.datasets.adept import CODES, QUESTION
from plausibly.datasets.adept.pairs import read_pairs, read_splits
from plausibly.tables import ITEMS, LABELS


def tables(folder: Path) -> dict[str, pl.DataFrame]:
    """Return items (with split, both sentences, modifier, noun) and labels of the data folder."""
    splits = read_splits(folder)
    return pair_tables(
        pl.concat(pairs.with_columns(split=pl.lit(name)) for name, pairs in splits.items())
    )


def file_tables(path: Path) -> dict[str, pl.DataFrame]:
    """Return items and labels of one file in ADEPT's form; labels may be missing."""
    return pair_tables(read_pairs(path, labelled=False))


def pair_tables(pairs: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return items and labels of pairs in ADEPT's form; a pair without a label has none.

    The release holds classes two of three people agreed on and not their answers, so `ratings`
    is 0.
    """
    pairs = pairs.with_columns(item=pl.col("idx").cast(pl.String))
    labels = pairs.filter(pl.col("label").is_not_null()).select(
        "item",
        question=pl.lit(QUESTION),
        method=pl.lit("released"),
        label=pl.col("label").cast(pl.String).replace_strict(CODES, return_dtype=pl.String),
        ratings=pl.lit(0, dtype=pl.Int64),
    )
    own = [name for name in ("split",) if name in pairs.columns]
    items = pairs.select(
        "item", "sentence1", "sentence2", "modifier", "noun", *own, text="sentence2"
    )
    return {
        "items": ITEMS.sort(ITEMS.check(items)),
        "labels": LABELS.sort(LABELS.check(labels)),
    }
