"""Figures: SVG drawn from a table that is next to it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import polars as pl

from plausibly.analysis.figures.addresses import item_address, model_address
from plausibly.analysis.figures.drawing import Figure
from plausibly.analysis.figures.effects import (
    cleaning_agreement_figure,
    order_drawing,
    order_figure,
    sensitivity_figure,
    side_figure,
    speed_figure,
    unordered,
)
from plausibly.analysis.figures.ratings import (
    agreement_figure,
    answers_figure,
    cascade_figure,
    item_texts,
    items_figure,
    labels_figure,
    numbers_figure,
    people_figure,
    step_names,
)
from plausibly.analysis.showing import latex, markdown
from plausibly.io import make_folder, write_frame, write_text
from plausibly.io.pictures import drawable_kinds, write_picture
from plausibly.study.exhibits import ExhibitPart


def table_digest(table: pl.DataFrame) -> str:
    """Return the SHA-256 of a table as people read it: to four digits, whatever sums of floats do.

    >>> table_digest(pl.DataFrame({"n": [0.1 + 0.2]})) == table_digest(pl.DataFrame({"n": [0.3]}))
    True
    """
    return sha256(markdown(table).encode()).hexdigest()


def write_figures(figures: Iterable[ExhibitPart], folder: Path) -> None:
    """Write figures/NAME as SVG, PNG and PDF, and tables/NAME as CSV, Markdown and LaTeX.

    PNG and PDF need the extra `figures`; without it there is the SVG.
    """
    for part in ("figures", "tables"):
        make_folder(folder / part)
    for one in figures:
        if one.svg:
            for kind in drawable_kinds():
                write_picture(one.svg, folder / "figures" / f"{one.name}{kind}")
        write_frame(one.table, folder / "tables" / f"{one.name}.csv")
        write_text(folder / "tables" / f"{one.name}.md", markdown(one.table))
        write_text(folder / "tables" / f"{one.name}.tex", latex(one.table))


__all__ = [
    "Figure",
    "agreement_figure",
    "answers_figure",
    "cascade_figure",
    "cleaning_agreement_figure",
    "item_address",
    "item_texts",
    "items_figure",
    "labels_figure",
    "model_address",
    "numbers_figure",
    "order_drawing",
    "order_figure",
    "people_figure",
    "sensitivity_figure",
    "side_figure",
    "speed_figure",
    "step_names",
    "table_digest",
    "unordered",
    "write_figures",
]
