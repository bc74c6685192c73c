"""Which words fill most of a condition, and how many items rest on a light verb or a copula."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass

import polars as pl


@dataclass(frozen=True, slots=True)
class WordShare:
    """The most frequent word of one slot in one condition."""

    slot: str
    condition: str
    word: str
    items: int
    share: float

    def as_json(self) -> dict[str, str | int | float]:
        """Return the share as it is written."""
        return asdict(self)


def most_frequent(items: pl.DataFrame, slots: Sequence[str], *, by: str) -> tuple[WordShare, ...]:
    """Return the most frequent word of every slot and condition; of equals, the first by name."""
    found = []
    for slot in slots:
        counts = (
            items.with_columns(pl.col(slot).cast(pl.String).str.to_lowercase().alias("word"))
            .drop_nulls("word")
            .group_by(by, "word")
            .agg(items=pl.len().cast(pl.Int64))
            .with_columns(share=pl.col("items") / pl.col("items").sum().over(by))
            .sort(by, "items", "word", descending=[False, True, False])
            .unique(by, keep="first", maintain_order=True)
        )
        found += [
            WordShare(slot, *row) for row in counts.select(by, "word", "items", "share").rows()
        ]
    return tuple(found)


def light_verbs(
    items: pl.DataFrame, verbs: Collection[str], *, by: str
) -> dict[str, dict[str, int | float]]:
    """Return by condition how many items have a light verb or a copula; none without verbs."""
    column = next((name for name in ("verb", "head") if name in items.columns), None)
    if column is None or not verbs:
        return {}
    light = pl.col(column).cast(pl.String).str.to_lowercase().is_in(list(verbs)).fill_null(False)
    counts = items.group_by(by).agg(items=light.sum().cast(pl.Int64), share=light.mean()).sort(by)
    return {name: {"items": n, "share": share} for name, n, share in counts.rows()}
