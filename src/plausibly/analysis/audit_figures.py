"""What an audit draws: ratings per item, answers, reliability by number of ratings, people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from plausibly.analysis.figures.colours import COLOURS
from plausibly.analysis.figures.drawing import (
    WIDTH,
    Axis,
    Bar,
    Dot,
    Figure,
    Segment,
    Span,
    axis,
    draw_bars,
    draw_points,
    draw_spans,
    template,
    thinned,
)
from plausibly.analysis.figures.plots import Ranked, draw_columns, draw_curve
from plausibly.io.wording import plural

MOST_COLUMNS = 18
COUNTED = {
    "parts": " Each bar is a tenth of the scale; a value on a boundary is in the upper bar.",
    "commonest": " The most frequent answers have a bar each; all others share one.",
}
FAINTEST = 0.15
NAMES = {
    "alpha": "Krippendorff's alpha",
    "same_answer": "two people, same answer",
    "one_rating": "reliability, one rating",
    "means": "reliability, item means",
}


def per_item_figure(counts: Sequence[float], suffix: str) -> Figure:
    """Return how many items have how many ratings."""
    numbers = np.asarray(counts, dtype=np.int64)
    values, items = np.unique(numbers, return_counts=True)
    table = pl.DataFrame({"ratings": values, "items": items})
    groups = {str(value): [float(n)] for value, n in zip(values, items, strict=True)}
    if len(values) > MOST_COLUMNS:
        edges = np.unique(np.linspace(values[0], values[-1] + 1, MOST_COLUMNS // 2).astype(int))
        binned = np.histogram(numbers, edges)[0]
        ends = zip(edges[:-1], edges[1:] - 1, binned, strict=True)
        groups = {f"{a} to {b}" if b > a else str(a): [float(n)] for a, b, n in ends}
    title = "Ratings per item"
    drawn = draw_columns(groups, legend=["items"], title=title, x="ratings", y="items")
    caption = f"Number of items by how many ratings they have; {plural(len(numbers), 'item')}."
    return Figure(f"ratings-per-item{suffix}", title, caption, table, drawn)


def grid_figure(grid: Sequence[Sequence[float]], design: Mapping[str, Any], suffix: str) -> Figure:
    """Return who rated what: people by items."""
    left, across, high = 30.0, WIDTH - 46.0, len(grid)
    wide, down = len(grid[0]), min(8.0 * high, 192.0) if high > 3 else 24.0 * high
    cells = [
        {
            "x": round(left + across * x / wide, 2),
            "y": round(8 + down * y / high, 2),
            "depth": round(FAINTEST + (1 - FAINTEST) * share, 3),
        }
        for y, line in enumerate(grid)
        for x, share in enumerate(line)
        if share > 0
    ]
    title = "Who rated what"
    drawn = template("grid.svg.jinja").render(
        title=title,
        cells=cells,
        cell={"width": round(across / wide, 2), "height": round(down / high, 2)},
        names={"x": plural(design["items"], "item"), "y": plural(design["annotators"], "person")},
        left=left,
        top=8,
        across=across,
        down=down,
        colour=COLOURS[0],
        width=WIDTH,
        height=down + 36,
    )
    columns = {f"items_{x + 1}": [line[x] for line in grid] for x in range(wide)}
    table = pl.DataFrame({"people": range(1, high + 1), **columns})
    several = design["items"] > wide or design["annotators"] > high
    caption = "A darker cell has a larger share of its possible ratings." if several else ""
    return Figure(f"design{suffix}", title, caption, table, drawn)


def answers_figure(scale: Mapping[str, Any], suffix: str) -> Figure:
    """Return how often each answer was given."""
    shown = list(scale["counts"])
    table = pl.DataFrame(shown)
    most = max((row["ratings"] for row in shown), default=1) or 1
    whole = sum(row["ratings"] for row in shown) or 1
    bars = [
        Bar(
            str(row["answer"]),
            [Segment(0.0, row["ratings"] / most)],
            f"{row['ratings'] / whole:.0%}",
        )
        for row in shown
    ]
    caption = f"Share of {plural(whole, 'rating')}.{COUNTED.get(scale['counted'], '')}"
    return Figure(f"answers{suffix}", "Answers", caption, table, draw_bars(bars, title="Answers"))


def agreement_figure(measures: Mapping[str, Mapping[str, Any]], suffix: str) -> Figure:
    """Return agreement and reliability with their intervals."""
    keys = ("value", "low", "high", "n")
    rows: list[dict[str, Any]] = [
        {"measure": NAMES[name], **{key: one.get(key) for key in keys}}
        for name, one in measures.items()
        if one.get("value") is not None
    ]
    schema = {"measure": pl.String, **dict.fromkeys(keys[:3], pl.Float64), "n": pl.Int64}
    table = pl.DataFrame(rows, schema=schema)
    spans = [
        Span(str(r["measure"]), r["value"], r["low"], r["high"], f"{r['value']:.2f}") for r in rows
    ]
    least = min([0.0, *(one.low for one in spans if one.low is not None)])
    scale = axis("value", [max(least, -1.0), 1.0])
    title = "Agreement and reliability"
    caption = "Values with 95 % intervals."
    drawn = draw_spans(spans, title=title, scale=scale)
    return Figure(f"agreement{suffix}", title, caption, table, drawn)


def curve_figure(curve: Sequence[Mapping[str, Any]], ratings: float | None, suffix: str) -> Figure:
    """Return the reliability of item means by how many ratings an item has."""
    table = pl.DataFrame(list(curve), schema_overrides={"ratings": pl.Int64})
    rows = [
        Ranked(
            one["value"],
            one["low"] if one["low"] is not None else one["value"],
            one["high"] or one["value"],
            f"{plural(one['ratings'], 'rating')} per item: {one['value']:.2f}",
        )
        for one in curve
    ]
    scale = Axis("reliability", 0.0, 1.0, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0))
    title = "Reliability of item means by ratings per item"
    now = "" if ratings is None else f" Items now have {ratings:.1f} ratings (harmonic mean)."
    caption = f"Spearman-Brown formula, with the band of the 95 % interval; the line is at .8.{now}"
    drawn = draw_curve(rows, title=title, x="ratings per item", y=scale, cut=0.8)
    return Figure(f"reliability-curve{suffix}", title, caption, table, drawn)


def people_figure(people: pl.DataFrame, suffix: str) -> Figure:
    """Return how far people answer as the others do, and how often they repeat one answer.

    Args:
        people: annotator, ratings, commonest_answer, likeness, suspect.
        suffix: Of the name.
    """
    known = people.drop_nulls("likeness")
    drawn, said = thinned(known)
    dots = [
        Dot(r["commonest_answer"], r["likeness"], int(r["suspect"]), str(r["annotator"]))
        for r in drawn.iter_rows(named=True)
    ]
    title = "People: likeness to the others, and share of the commonest answer"
    picture = draw_points(
        dots,
        title=title,
        x=Axis("share of the person's commonest answer", 0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0)),
        y=axis("likeness to the others", [*known["likeness"].to_list(), 1.0], low=0.0),
        legend=["others", "suspect"],
    )
    caption = (
        "Likeness is the correlation of a person's answers with the mean of the others' (for "
        f"categories, agreement beyond chance); {known.height:,} people.{said}"
    )
    return Figure(f"people{suffix}", title, caption, people, picture)
