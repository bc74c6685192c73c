"""What the answers to a question are like: means or shares by cell, and contrasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from plausibly.measures.crossed import CrossedMean
from plausibly.measures.hybrid import Hybrid

NUMBERS = ("items", "annotators", "ratings", "value", "low", "high")
HYBRID = ("value", "low", "high", "weight", "rho", "gain")


@dataclass(frozen=True, slots=True)
class DescribedRow:
    """One mean, or the share of one answer, in one cell.

    Args:
        by: From a column to its value in the cell.
        mean: The number with its interval.
        answer: The answer whose share it is; None for a mean.
        hybrid: The same, estimated from people and a model; None if no model was passed.
    """

    by: Mapping[str, str]
    mean: CrossedMean
    answer: str | None = None
    hybrid: Hybrid | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the row as `describe --json` prints it."""
        share = {} if self.answer is None else {"answer": self.answer}
        hybrid = {} if self.hybrid is None else {"hybrid": self.hybrid.as_json()}
        return {"by": dict(self.by), **share, **self.mean.as_json(), **hybrid}


@dataclass(frozen=True, slots=True)
class Description:
    """What the answers to one question are like.

    Args:
        scale: nominal, ordinal, interval or text.
        reason: Why the question is on that scale.
        rows: Means, or shares of each answer, by cell.
        contrasts: Differences between cells, paired within groups of items.
        items: The mean of each item in each cell, and the share of each answer to it.
        order: Words that count as 1, 2 and so on in means; empty for numbers.
    """

    scale: str
    reason: str
    rows: tuple[DescribedRow, ...] = ()
    contrasts: tuple[Mapping[str, Any], ...] = ()
    items: pl.DataFrame = field(default_factory=pl.DataFrame)
    order: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the part of `describe --json` about one question."""
        return {
            "scale": self.scale,
            "reason": self.reason,
            **({"order": list(self.order)} if self.order else {}),
            "rows": [row.as_json() for row in self.rows],
            "contrasts": [dict(one) for one in self.contrasts],
        }


def item_table(questions: Mapping[str, Description]) -> pl.DataFrame:
    """Return the items of all questions that are described by numbers."""
    tables = [one.items for one in questions.values() if one.items.width]
    return pl.concat(tables) if tables else pl.DataFrame()


def means_table(questions: Mapping[str, Description], parts: Sequence[str]) -> pl.DataFrame:
    """Return a row for each mean or share: people's estimate, then the model's help, if any."""
    pairs = [(name, row) for name, one in questions.items() for row in one.rows]
    helped = any(row.hybrid is not None for _, row in pairs)
    rows = [
        {
            "question": name,
            "answer": row.answer,
            **{part: row.by[part] for part in parts},
            **{number: getattr(row.mean, number) for number in NUMBERS},
            "method": row.mean.method,
            "warning": row.mean.warning or row.mean.reason,
            **(_hybrid_columns(row.hybrid) if helped else {}),
        }
        for name, row in pairs
    ]
    text, count, number = pl.String(), pl.Int64(), pl.Float64()
    schema: dict[str, pl.DataType] = {
        "question": text,
        "answer": text,
        **dict.fromkeys(parts, text),
    }
    schema |= dict.fromkeys(NUMBERS[:3], count) | dict.fromkeys(NUMBERS[3:], number)
    schema |= {"method": text, "warning": text}
    if helped:
        schema |= dict.fromkeys(_hybrid_columns(None), number) | {"hybrid_note": text}
    return pl.DataFrame(rows, schema=schema)


def _hybrid_columns(hybrid: Hybrid | None) -> dict[str, float | str | None]:
    columns: dict[str, float | str | None] = {
        f"hybrid_{name}": getattr(hybrid, name, None) for name in HYBRID
    }
    notes = [] if hybrid is None else [hybrid.finding, hybrid.warning, hybrid.reason]
    notes += [hybrid.these.words] if hybrid is not None and hybrid.these is not None else []
    return {**columns, "hybrid_note": "; ".join(filter(None, notes)) or None}
