"""Baselines of ADEPT by name (Emami et al. 2021, section 5.2): rules, and counts of labels."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.datasets.adept import CLASSES, QUESTION
from plausibly.errors import TableError
from plausibly.tables import PREDICTIONS

IMPOSSIBLE, LESS_LIKELY, EQUALLY_LIKELY = 0, 1, 2
# How many labels of a shorter key a longer one is worth before it has labels itself.
MASS = 3.0
# What decides between labels that are equally common, and where a key was never seen.
NUDGE = 1e-3

Floats = npt.NDArray[np.float64]


def always(pairs: pl.DataFrame) -> Floats:
    """Return "equally likely", the commonest label, for every pair."""
    return np.eye(len(CLASSES))[[EQUALLY_LIKELY] * pairs.height]


def by_rule(pairs: pl.DataFrame, listed: Collection[str], *, label: int) -> Floats:
    """Return `label` for pairs with a listed modifier, "equally likely" for the rest."""
    known = pairs["modifier"].str.to_lowercase().is_in(list(listed)).to_numpy()
    return np.eye(len(CLASSES))[np.where(known, label, EQUALLY_LIKELY)]


def by_key(train: pl.DataFrame, pairs: pl.DataFrame, keys: Sequence[str]) -> Floats:
    """Return the shares of labels a key has in `train`; unseen keys and ties are equally likely."""
    counts = _counts(train, pairs, keys)
    counts[:, EQUALLY_LIKELY] += NUDGE
    shares: Floats = counts / counts.sum(axis=1, keepdims=True)
    return shares


def _counts(train: pl.DataFrame, pairs: pl.DataFrame, keys: Sequence[str]) -> Floats:
    """Return how often each label (column) stands with the key of each pair (row)."""
    if train.is_empty():
        raise TableError("the pairs to count labels in have no rows.")
    columns = [(pl.col("label") == code).sum().alias(f"_{code}") for code in range(len(CLASSES))]
    counted = train.group_by(keys).agg(columns)
    joined = pairs.select(keys).join(counted, on=keys, how="left", maintain_order="left")
    table = joined.select(f"_{code}" for code in range(len(CLASSES))).fill_null(0).to_numpy()
    return table.astype(np.float64)


def predictions_from(pairs: pl.DataFrame, shares: Floats, *, model: str) -> pl.DataFrame:
    """Return predictions with the class names, the most probable one as label."""
    texts = [
        json.dumps({name: round(float(p), 6) for name, p in zip(CLASSES, row, strict=True)})
        for row in shares
    ]
    table = pairs.select(
        item=pl.col("item" if "item" in pairs.columns else "idx").cast(pl.String),
        question=pl.lit(QUESTION),
        model=pl.lit(model),
        label=pl.Series([CLASSES[place] for place in shares.argmax(axis=1)], dtype=pl.String),
        distribution=pl.Series(texts, dtype=pl.String),
    )
    return PREDICTIONS.sort(PREDICTIONS.check(table))
