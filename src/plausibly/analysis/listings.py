"""The tables of a report's page as tables, so that each can be taken along."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from plausibly.analysis.figures import Figure, step_names
from plausibly.analysis.headline import measured
from plausibly.measures.timed import ISO_TIME

Rows = Sequence[Mapping[str, Any]]
WHOLE = "the whole survey"


def listing(name: str, title: str, rows: Rows) -> Figure | None:
    """Return rows as a table without a drawing; None for none."""
    if not rows:
        return None
    return Figure(name, title, "", pl.DataFrame(list(rows), infer_schema_length=None), "")


def counted(rows: Rows, group: str) -> list[dict[str, Any]]:
    """Return rows of counts by label with one column per label.

    >>> cells = [{"name": "plausible", "count": 3}]
    >>> counted([{"group": "x", "total": 3, "cells": cells}], "condition")
    [{'condition': 'x', 'plausible': 3, 'items': 3}]
    """
    return [
        {
            group: row["group"],
            **{_column(cell["name"], group): cell["count"] for cell in row["cells"]},
            "items": row["total"],
        }
        for row in rows
    ]


def _column(label: str, group: str) -> str:
    """Return the column of a label; one that is called like another column shows what it is."""
    return f"label {label}" if label in (group, "items") else label


def steps(cascade: Rows, measure: tuple[str, str]) -> Iterator[dict[str, Any]]:
    """Yield what each step of cleaning left, with how far people then agree by a measure."""
    path, _ = measure
    for name, one in zip(step_names(cascade), cascade, strict=True):
        agreed = measured(one.get("agreement") or {}, path)
        yield {
            "step": name,
            "rule": one["rule"],
            "people": one["annotators"]["total"],
            "ratings": one["ratings"]["total"],
            "items": one["items"]["total"],
            path: agreed.get("value"),
            "low": agreed.get("low"),
            "high": agreed.get("high"),
        }


def flat(rows: Rows) -> list[dict[str, Any]]:
    """Return rows whose measures are one column each, limits next to them.

    >>> flat([{"system": "a", "best": {"value": 0.5, "low": 0.4, "high": 0.6, "n": 9}}])
    [{'system': 'a', 'best': 0.5, 'best_low': 0.4, 'best_high': 0.6, 'best_n': 9}]
    """
    return [
        dict(cell for name, value in row.items() for cell in _cells(name, value)) for row in rows
    ]


def _cells(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(value, Mapping):
        yield name, value
        return
    yield name, value.get("value")
    for part in ("low", "high", "n"):
        yield f"{name}_{part}", value.get(part)


def comment_table(
    collected: pl.DataFrame, items: pl.DataFrame, remarks: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Return what people wrote about items of their own accord, by item; then about the whole.

    >>> comment_table(pl.DataFrame(), pl.DataFrame(), ["Item 2 was odd."])[0]["text"]
    'the whole survey'
    """
    whole = [{"item": "", "text": WHOLE, "answer": "", "comment": one} for one in remarks]
    if "comment" not in collected.columns:
        return whole
    said = collected.filter(pl.col("comment").fill_null("").str.strip_chars() != "")
    texts = items.select("item", "text")
    about_items: list[dict[str, Any]] = (
        said.join(texts, on="item", maintain_order="left")
        .select("item", "text", "answer", "comment")
        .unique(maintain_order=True)
        .sort("item", "comment")
        .to_dicts()
    )
    return about_items + whole


def collection_dates(collected: pl.DataFrame) -> tuple[str, str] | None:
    """Return the first and the last day of the collection; None if no times are known.

    Days are known only where times begin with one as in 2026-05-01; others cannot be sorted.
    """
    if "submitted" not in collected.columns:
        return None
    times = collected["submitted"].drop_nulls().cast(pl.String)
    if times.is_empty() or not times.str.contains(ISO_TIME).all():
        return None
    return str(times.min())[:10], str(times.max())[:10]
