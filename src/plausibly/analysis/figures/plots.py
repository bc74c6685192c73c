"""Columns side by side, curves with a band, and matrices: the drawings the papers use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plausibly.analysis.figures.colours import COLOURS
from plausibly.analysis.figures.drawing import (
    LEGEND_LINE,
    WIDTH,
    Axis,
    axis,
    legend_entries,
    template,
)

FRAME = {"left": 64.0, "right": WIDTH - 16.0, "top": 20.0, "bottom": 300.0}
FULL = 0.6  # how deep the fullest cell of a matrix is coloured; text stays readable on it


@dataclass(frozen=True, slots=True)
class Ranked:
    """One rank of a curve: its value in a band, and what it stands for."""

    value: float
    low: float
    high: float
    title: str = ""
    address: str = ""


def draw_columns(
    groups: Mapping[str, Sequence[float]], *, legend: Sequence[str], title: str, x: str, y: str
) -> str:
    """Return columns side by side, one group per name, one colour per entry of the legend.

    Args:
        groups: From the name of a group to its values, one per entry of the legend.
        legend: What the colours stand for.
        title: Description for readers who cannot see it.
        x: Name of the groups.
        y: Name of the values.
    """
    scale = axis(y, [0.0, *(value for each in groups.values() for value in each)], low=0.0)
    step = (FRAME["right"] - FRAME["left"]) / max(1, len(groups))
    wide = round(step * 0.8 / max(1, len(legend)), 2)
    drawn = []
    for place, (label, values) in enumerate(groups.items()):
        start = FRAME["left"] + step * place + step * 0.1
        columns = [
            {
                "x": round(start + wide * number, 2),
                "y": scale.place(value, FRAME["bottom"], FRAME["top"]),
                "width": round(wide - 2, 2),
                "height": round(
                    FRAME["bottom"] - scale.place(value, FRAME["bottom"], FRAME["top"]), 2
                ),
                "colour": COLOURS[number % len(COLOURS)],
                "title": f"{label}, {legend[number]}: {value:,g}",
                "text": f"{value:,g}",
            }
            for number, value in enumerate(values)
        ]
        drawn.append({"label": label, "x": round(start + step * 0.4, 2), "columns": columns})
    entries, lines = legend_entries(legend, start=FRAME["left"])
    return template("columns.svg.jinja").render(
        title=title,
        groups=drawn,
        ys=_ticks(scale),
        frame=FRAME,
        names={"x": x, "y": y},
        legend=entries,
        width=WIDTH,
        height=352 + LEGEND_LINE * lines,
    )


def draw_curve(
    rows: Sequence[Ranked],
    *,
    title: str,
    x: str,
    y: Axis,
    cut: float | None = None,
    colour: int = 0,
) -> str:
    """Return a curve over ranks 1, 2, … with a band around it.

    Args:
        rows: In the order of the ranks.
        title: Description for readers who cannot see it.
        x: Name of the ranks.
        y: The scale; what lies outside it is drawn at its edge.
        cut: Where a horizontal line is drawn.
        colour: Which colour.
    """
    ranks = axis(x, [0.0, float(len(rows))], low=0.0)

    def at(place: int, value: float) -> str:
        inside = min(max(value, y.low), y.high)
        across = ranks.place(place + 1, FRAME["left"], FRAME["right"])
        return f"{across},{y.place(inside, FRAME['bottom'], FRAME['top'])}"

    marks = [
        dict(zip(("x", "y"), at(place, one.value).split(","), strict=True))
        | {"address": one.address, "title": one.title}
        for place, one in enumerate(rows)
        if one.title
    ]
    upper = [at(place, one.high) for place, one in enumerate(rows)]
    lower = [at(place, one.low) for place, one in enumerate(rows)]
    return template("curve.svg.jinja").render(
        title=title,
        band=" ".join([*upper, *reversed(lower)]),
        line=" ".join(at(place, one.value) for place, one in enumerate(rows)),
        marks=marks,
        cut=None if cut is None else y.place(cut, FRAME["bottom"], FRAME["top"]),
        xs=[
            {"x": ranks.place(tick, FRAME["left"], FRAME["right"]), "text": f"{tick:g}"}
            for tick in ranks.ticks
        ],
        ys=_ticks(y),
        frame=FRAME,
        names={"x": x, "y": y.name},
        colour=COLOURS[colour % len(COLOURS)],
        width=WIDTH,
    )


def draw_matrix(
    cells: Sequence[Sequence[int]],
    *,
    labels: Sequence[str],
    title: str,
    x: str,
    y: str,
    columns: Sequence[str] | None = None,
) -> str:
    """Return a table of counts whose cells are the deeper coloured the larger part of a row.

    Args:
        cells: The counts, row by row.
        labels: Names of the rows, and of the columns where these have none of their own.
        title: What it shows.
        x: What the columns are.
        y: What the rows are.
        columns: Names of the columns.
    """
    left, cell = 150, 88
    names = labels if columns is None else columns
    rows = [
        {
            "label": label,
            "y": 42 + 38 * place,
            "total": f"n = {sum(row):,}",
            "cells": [
                {
                    "x": left + cell * number,
                    "depth": round(FULL * count / max(1, sum(row)), 3),
                    "text": f"{count:,}",
                }
                for number, count in enumerate(row)
            ],
        }
        for place, (label, row) in enumerate(zip(labels, cells, strict=True))
    ]
    return template("matrix.svg.jinja").render(
        title=title,
        labels=names,
        rows=rows,
        names={"x": x, "y": y},
        left=left,
        cell=cell,
        colour=COLOURS[0],
        width=left + cell * len(names) + 90,
        height=48 + 38 * len(labels),
    )


def _ticks(scale: Axis) -> list[dict[str, object]]:
    return [
        {"y": scale.place(tick, FRAME["bottom"], FRAME["top"]), "text": f"{tick:,g}"}
        for tick in scale.ticks
    ]
