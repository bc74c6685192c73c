"""How the items of each condition were labelled, as tables of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from plausibly.analysis.material import Material
from plausibly.domain import label_order

UNDECIDED, LABELLED = "undecided", "labelled"
MOST_LABELS = 12
"""Different labels up to which a table has a column for each."""


def label_table(material: Material) -> list[dict[str, Any]]:
    """Return how many items of each condition got each label; empty for labels that are numbers."""
    if material.labelling.kind == "number":
        return []
    rated = material.items.filter(pl.col("kind") == "item").select("item", "condition")
    labels = material.labels.join(rated, on="item").select("condition", "label")
    return _rows(labels, label_names(material), by="condition")


def number_table(material: Material) -> list[dict[str, Any]]:
    """Return where the labels of each condition lie, for labels that are numbers."""
    if material.labelling.kind != "number":
        return []
    rated = material.items.filter(pl.col("kind") == "item").select("item", "condition")
    number = pl.col("label").cast(pl.Float64)
    grouped = material.labels.join(rated, on="item").group_by("condition")
    summary = grouped.agg(
        items=pl.len(), lowest=number.min(), middle=number.median(), highest=number.max()
    )
    rows = summary.sort("condition").to_dicts()
    other = "none" if len(rows) > 1 else "all"
    return [{**row, "group": row["condition"] or other} for row in rows]


def label_names(material: Material) -> dict[str, str]:
    """Return the word of each label: the study's, or the label itself."""
    return named_labels(material.labels, material.label_names)


def named_labels(labels: pl.DataFrame, names: Mapping[str, str]) -> dict[str, str]:
    """Return the word of each label in the order of the words, which is that of their colours.

    >>> labels = pl.DataFrame({"label": ["0", "1", "2"]})
    >>> named_labels(labels, {"1": "plausible", "0": "implausible"})
    {'1': 'plausible', '0': 'implausible', '2': '2'}
    """
    given = set(labels["label"].drop_nulls().to_list())
    own = {label: name for label, name in names.items() if label in given}
    if given <= set(names):
        own = dict(names)
    return {**own, **{label: label for label in label_order(given - set(own))}}


def combination_table(material: Material) -> list[dict[str, Any]]:
    """Return the labels of each combination, conditions apart; empty if items have none."""
    if "combination" not in material.items.columns or material.labelling.kind == "number":
        return []
    own = material.items.filter(pl.col("kind") == "item")
    several = own["condition"].n_unique() > 1
    name = pl.concat_str("condition", "combination", separator=", ", ignore_nulls=True)
    rated = own.select("item", group=name if several else pl.col("combination"))
    labels = material.labels.join(rated, on="item").select("group", "label")
    return _rows(labels, label_names(material), by="group")


def _rows(labels: pl.DataFrame, names: Mapping[str, str], *, by: str) -> list[dict[str, Any]]:
    counts = labels.group_by(by, "label").len("count").sort(by, "label", nulls_last=True)
    rows: list[dict[str, Any]] = []
    other = "none" if counts[by].n_unique() > 1 else "all"
    for (group,), part in counts.group_by(by, maintain_order=True):
        found = dict(part.select("label", "count").iter_rows())
        total = sum(found.values())
        cells = [(name, found.get(label, 0)) for label, name in names.items()]
        if len(cells) > MOST_LABELS:
            cells = [(LABELLED, total - found.get(None, 0))]
        cells.append((UNDECIDED, found.get(None, 0)))
        rows.append(
            {
                "group": group or other,
                "total": total,
                "cells": [{"name": n, "count": c, "share": c / total} for n, c in cells],
            }
        )
    return rows
