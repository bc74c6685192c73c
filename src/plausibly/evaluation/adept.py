"""Baselines for ADEPT (Emami et al. 2021, section 5.2) and the accuracy of any prediction."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import polars as pl

from plausibly.domain import LabelScheme

# The classes as released: 0 impossible, 1 less likely, 2 equally likely, 3 more likely,
# 4 necessarily true.
IMPOSSIBLE, LESS_LIKELY, EQUALLY_LIKELY = 0, 1, 2


def majority(pairs: pl.DataFrame) -> pl.Series:
    """Return "equally likely", the commonest label, for every pair."""
    return pl.repeat(EQUALLY_LIKELY, pairs.height, dtype=pl.Int64, eager=True).alias("label")


def normative(
    pairs: pl.DataFrame, non_subsective: Collection[str], *, label: int = LESS_LIKELY
) -> pl.Series:
    """Return `label` for pairs with a non-subsective modifier, "equally likely" for the rest.

    The paper says that the label is "less likely"; its printed five-class figure comes out with
    "impossible" instead.
    """
    listed = pl.col("modifier").is_in(list(non_subsective))
    said = pl.when(listed).then(pl.lit(label)).otherwise(pl.lit(EQUALLY_LIKELY))
    return pairs.select(label=said.cast(pl.Int64))["label"]


def backoff(train: pl.DataFrame, pairs: pl.DataFrame, *, keys: Sequence[str]) -> pl.Series:
    """Return the commonest label the key has in `train`, "equally likely" for unseen keys.

    Labels that are equally common go to "equally likely" if it is among them, else to the
    smallest.
    """
    distance = (pl.col("label") != EQUALLY_LIKELY).cast(pl.Int64)
    commonest = (
        train.group_by(*keys, "label")
        .len("count")
        .sort("count", distance, "label", descending=[True, False, False])
        .unique(keys, keep="first", maintain_order=True)
        .select(*keys, said="label")
    )
    known = pairs.select(keys).join(commonest, on=keys, how="left", maintain_order="left")
    return known["said"].fill_null(EQUALLY_LIKELY).alias("label")


def accuracy(truth: pl.Series, predicted: pl.Series, scheme: LabelScheme) -> float | None:
    """Return the share of pairs whose label is predicted under a scheme of classes.

    Pairs whose true label the scheme leaves out do not count; None if none is left.
    """
    classes = dict(scheme.of)
    mapped = pl.DataFrame({"truth": truth, "said": predicted}).select(
        pl.all().cast(pl.String).replace_strict(classes, default=None)
    )
    counted = mapped.drop_nulls("truth")
    right = counted.filter(pl.col("truth") == pl.col("said")).height
    return right / counted.height if counted.height else None
