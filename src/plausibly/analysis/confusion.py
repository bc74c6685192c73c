"""Labels against what a model predicts, drawn."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from plausibly.analysis.figures import Figure
from plausibly.analysis.figures.plots import draw_matrix


def confusion_figure(
    model: str, scheme: str, labels: Sequence[str], cells: Sequence[Sequence[int]]
) -> Figure:
    """Return the confusion matrix of a model: labels in rows, predictions in columns."""
    title = f"{model}: labels and predictions, {scheme}"
    rows = [(name, *row, sum(row)) for name, row in zip(labels, cells, strict=True)]
    table = pl.DataFrame(rows, schema=["label", *labels, "items"], orient="row")
    drawing = draw_matrix(cells, labels=labels, title=title, x="predicted", y="label")
    caption = (
        f"n = {sum(map(sum, cells)):,} items. Labels are in rows, predictions in columns. The "
        "deeper a cell, the larger its share of the row."
    )
    name = "-".join(("confusion", re.sub(r"[^\w.-]+", "-", model)))
    return Figure(name, title, caption, table, drawing)
