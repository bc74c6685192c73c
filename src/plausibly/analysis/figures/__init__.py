"""Figures: SVG drawn from a table that lies beside it."""

from plausibly.analysis.figures.drawing import Figure
from plausibly.analysis.figures.effects import (
    cleaning_agreement_figure,
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
    items_figure,
    labels_figure,
    people_figure,
    step_names,
)
from plausibly.analysis.figures.writing import table_digest, write_figures

__all__ = [
    "Figure",
    "agreement_figure",
    "answers_figure",
    "cascade_figure",
    "cleaning_agreement_figure",
    "items_figure",
    "labels_figure",
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
