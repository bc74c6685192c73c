"""Differences between cells as tables of a report: those of people, and those with a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from plausibly.analysis.hybrid_table import hybrid_rows
from plausibly.analysis.model_part import listed
from plausibly.analysis.section_table import MOST_SHOWN, SectionTable
from plausibly.analysis.showing import MINUS, chance, number

Document = Mapping[str, Any]
Rows = Sequence[Document]


def contrast_table(key: str, rows: Rows) -> SectionTable:
    """Return people's contrasts.

    Args:
        key: Name of the question in names of files.
        rows: Contrasts of `describe`.
    """
    share, paired = "answer" in rows[0], rows[0].get("paired", True)
    cells = [
        (
            *lead,
            _points(row["value"], share=share),
            "not defined"
            if row["low"] is None
            else f"{_points(row['low'], share=share)} to {_points(row['high'], share=share)}",
            chance(row["p"]),
            number(row["groups"]),
        )
        for lead, row in zip(_leads(rows), rows, strict=True)
    ]
    parts = list(rows[0].get("by", {}))
    within = f", within each {listed(parts)}" if parts else ""
    how = "paired within groups of items, every group" if paired else "between items, every item"
    return SectionTable(
        f"Differences{_unit(share=share)} {how} counting once{within}, with 95 % intervals; p is "
        "not corrected",
        (*_header(rows), "value", "95 % interval", "p", "groups" if paired else "items"),
        tuple(cells[:MOST_SHOWN]),
        len(_header(rows)),
        max(0, len(cells) - MOST_SHOWN),
        f"contrasts-of-{key}",
    )


def hybrid_contrast_table(key: str, rows: Rows, models: Document) -> SectionTable:
    """Return the contrasts that a model helps with; the table stands below that of people.

    Args:
        key: Name of the question in names of files.
        rows: Contrasts of `describe`, each with an entry hybrid.
        models: What `describe` says about the model.
    """
    share = "answer" in rows[0]
    shown = hybrid_rows(rows, partial(_points, share=share))
    cells = [(*lead, *numbers) for lead, numbers in zip(_leads(rows), shown, strict=True)]
    return SectionTable(
        f"The same differences{_unit(share=share)} from people and the model {models['model']}, "
        "with 95 % intervals",
        (*_header(rows), "value", "95 % interval", "rho", "gain", "note"),
        tuple(cells[:MOST_SHOWN]),
        len(_header(rows)),
        max(0, len(cells) - MOST_SHOWN),
        f"hybrid-contrasts-of-{key}",
    )


def _header(rows: Rows) -> tuple[str, ...]:
    return (*rows[0].get("by", {}), *(["answer"] if _several(rows) else []), "difference")


def _leads(rows: Rows) -> list[tuple[str, ...]]:
    """Return the first cells of each row: where, which answer, and between what."""
    several = _several(rows)
    return [
        (
            *(str(one) for one in row.get("by", {}).values()),
            *([str(row["answer"])] if several else []),
            f"{row['of']} {MINUS} {row['against']}",
        )
        for row in rows
    ]


def _several(rows: Rows) -> bool:
    return len({row.get("answer") for row in rows}) > 1


def _unit(*, share: bool) -> str:
    return " in percentage points" if share else ""


def _points(value: float | None, *, share: bool) -> str:
    return number(value) if value is None or not share else f"{100 * value:.1f}"
