"""What the answers to a question are like: means or shares by cell, and contrasts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from plausibly.measures.crossed import CrossedMean


@dataclass(frozen=True, slots=True)
class DescribedRow:
    """One mean, or the share of one answer, in one cell.

    Args:
        by: From a column to its value in the cell.
        mean: The number with its interval.
        answer: The answer whose share it is; None for a mean.
    """

    by: Mapping[str, str]
    mean: CrossedMean
    answer: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the row as `describe --json` prints it."""
        share = {} if self.answer is None else {"answer": self.answer}
        return {"by": dict(self.by), **share, **self.mean.as_json()}


@dataclass(frozen=True, slots=True)
class Description:
    """What the answers to one question are like.

    Args:
        scale: nominal, ordinal, interval or text.
        reason: Why the question is on that scale.
        rows: Means, or shares of each answer, by cell.
        contrasts: Differences between cells, paired within groups of items.
        items: The mean of each item in each cell, and the share of each answer to it.
    """

    scale: str
    reason: str
    rows: tuple[DescribedRow, ...] = ()
    contrasts: tuple[Mapping[str, Any], ...] = ()
    items: pl.DataFrame = field(default_factory=pl.DataFrame)

    def as_json(self) -> dict[str, Any]:
        """Return the part of `describe --json` about one question."""
        return {
            "scale": self.scale,
            "reason": self.reason,
            "rows": [row.as_json() for row in self.rows],
            "contrasts": [dict(one) for one in self.contrasts],
        }
