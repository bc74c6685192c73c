"""What people said in a study: its labels or ratings, with the items they are about."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from plausibly.datasets.adept.pairs import read_pairs
from plausibly.datasets.items import is_items, judged_items
from plausibly.datasets.pairs import read_pair_table
from plausibly.errors import TableError
from plausibly.io import check_rows, read_rows
from plausibly.tables import LABELS

MARKS = frozenset({"item", "question", "method", "label"})


def is_labels(frame: pl.DataFrame) -> bool:
    """Return whether a table is a labels table."""
    return set(frame.columns) >= MARKS


def read_labels(path: Path) -> pl.DataFrame:
    """Return item and label of a labels table of one question and one method.

    Raises:
        TableError: If it holds no labels, or those of several questions or methods.
    """
    labels = check_rows(read_rows(path), LABELS)
    if labels.is_empty():
        raise TableError(f"{path}: no labels in it.")
    for column in ("question", "method"):
        values = labels[column].unique().sort().to_list()
        if len(values) > 1:
            raise TableError(
                f"{path}: labels of {len(values)} {column}s ({', '.join(values)}). "
                "Keep only the rows of the one to evaluate."
            )
    return labels.select("item", "label")


def study_items(path: Path) -> pl.Series:
    """Return the names of a study's items, checks left out."""
    rows = read_rows(path)
    if not is_items(rows.frame):
        raise TableError(
            f"{path}: not an items table. Expected item, text, kind. "
            f"Columns found: {', '.join(rows.frame.columns)}."
        )
    return judged_items(rows).frame["item"].cast(pl.String)


def sentence_pairs(items: Path) -> pl.DataFrame:
    """Return the pairs of sentences of a study: item, sentence1, modifier and noun."""
    study_items(items)
    return read_pairs(items, labelled=False).drop("idx", "label")


def word_pairs(labels: pl.DataFrame, items: Path, *, path: Path) -> pl.DataFrame:
    """Return the pairs of words of a study with people's scores; pairs without one are left out."""
    study_items(items)
    numbers = labels.with_columns(score=pl.col("label").cast(pl.Float64, strict=False))
    odd = numbers.filter(pl.col("label").is_not_null() & pl.col("score").is_null())
    if odd.height:
        raise TableError(
            f"{path}: {odd.height} of {labels.height} labels are not numbers (first: "
            f"{odd['label'][0]!r}). This scheme needs numbers."
        )
    pairs = read_pair_table(items).drop("score")
    return pairs.join(numbers.drop("label"), on="item", maintain_order="left").drop_nulls("score")
