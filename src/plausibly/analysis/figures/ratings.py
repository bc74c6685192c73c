"""The figures of any study: what was answered, kept, labelled, and how far people agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from plausibly.analysis.figures.addresses import item_address, items_address, person_address
from plausibly.analysis.figures.cells import MOST_DROPS, Cell, draw_rainclouds, every
from plausibly.analysis.figures.colours import OPEN
from plausibly.analysis.figures.drawing import (
    Bar,
    Dot,
    Figure,
    Segment,
    Span,
    axis,
    colour_place,
    draw_bars,
    draw_points,
    draw_spans,
    thinned,
)
from plausibly.analysis.figures.likeness import likeness
from plausibly.analysis.showing import minus
from plausibly.analysis.summaries import item_summaries
from plausibly.io.wording import plural

NONE, ALL = "none", "all items"
MOST_ANSWERS = 12


def answers_figure(
    kept: pl.DataFrame, items: pl.DataFrame, options: Sequence[str] = ()
) -> Figure | None:
    """Return how often each answer was given in each condition; None for very many answers.

    Args:
        kept: The ratings that cleaning kept.
        items: With their conditions.
        options: The answers people could give, in the order of the form, given or not.
    """
    rated = items.select("item", pl.col("condition").fill_null(NONE))
    given = kept.join(rated, on="item").group_by("condition", "answer")
    counts = given.agg(ratings=pl.len(), place=pl.col("value").mean())
    if set(counts["answer"]) <= set(options) and len(options) <= MOST_ANSWERS:
        offered = pl.DataFrame({"answer": options, "place": [*map(float, range(len(options)))]})
        cells = counts.select("condition").unique().join(offered, how="cross")
        ratings = counts.drop("place")
        counts = cells.join(ratings, on=["condition", "answer"], how="left").select(
            "condition", "answer", pl.col("ratings").fill_null(0), "place"
        )
    if counts.is_empty() or counts["answer"].n_unique() > MOST_ANSWERS:
        return None
    share = pl.col("ratings") / pl.col("ratings").sum().over("condition")
    table = counts.with_columns(share=share).sort("condition", "place", "answer").drop("place")
    most, split = max(table["share"].to_list()), has_conditions(table)
    bars = [
        Bar(
            f"{condition}: {answer}" if split else str(answer),
            [
                Segment(
                    0.0, share / most, place, plural(ratings, "rating"), _of_condition(condition)
                )
            ],
            f"{100 * share:.0f} %",
        )
        for place, (_, part) in enumerate(table.group_by("condition", maintain_order=True))
        for condition, answer, ratings, share in part.iter_rows()
    ]
    among = ", condition by condition" if split else ""
    caption = f"Share of each answer among the {plural(kept.height, 'rating')} kept{among}."
    title = "Answers given"
    return Figure("answers", title, caption, table, draw_bars(bars, title=title))


def has_conditions(table: pl.DataFrame) -> bool:
    """Return whether the rows of a figure are about more than items without a condition."""
    return set(table["condition"]) != {NONE}


def _of_condition(condition: str, **filters: str | None) -> str:
    """Return the address of the items of a condition."""
    return items_address(condition=None if condition == NONE else condition, **filters)


def labels_figure(
    labels: pl.DataFrame, items: pl.DataFrame, names: Mapping[str, str]
) -> Figure | None:
    """Return how the items of each condition were labelled; None for very many labels."""
    rated = items.select("item", pl.col("condition").fill_null(NONE))
    named = pl.col("label").replace(dict(names)).fill_null(OPEN)
    counts = labels.join(rated, on="item").with_columns(label=named)
    counts = counts.group_by("condition", "label").len("items")
    legend = [name for name in (*names.values(), OPEN) if name in set(counts["label"])]
    if len(legend) > MOST_ANSWERS + 1:
        return None
    if counts.is_empty() or not set(counts["label"]) <= set(legend):
        return None
    share = pl.col("items") / pl.col("items").sum().over("condition")
    order = pl.col("label").replace_strict(legend, range(len(legend)), return_dtype=pl.Int64)
    table = counts.with_columns(share=share).sort("condition", order)
    method, question = labels["method"][0], labels["question"][0]
    codes = {name: code for code, name in names.items()}
    places = {
        (condition, label): _of_condition(
            condition, question=question, **{f"label:{method}": codes.get(label)}
        )
        for condition, label in table.select("condition", "label").iter_rows()
    }
    parts = table.group_by("condition", maintain_order=True)
    bars = [_stacked(part, legend, places) for _, part in parts]
    split = has_conditions(table)
    title = "Labels by condition" if split else "Labels"
    whose = " of each condition" if split else ""
    caption = f"Share of each label among the items{whose}, n = {labels.height:,}."
    shown = [code for code, name in names.items() if name in legend]
    ordered = all(code.lstrip("-").isdigit() for code in shown)
    drawing = draw_bars(bars, title=title, legend=legend, ordered=ordered)
    return Figure("labels", title, caption, table, drawing)


def numbers_figure(labels: pl.DataFrame, items: pl.DataFrame | None = None) -> Figure | None:
    """Return where labels that are numbers lie, question by question."""
    texts = {} if items is None else item_texts(items)
    known = labels.filter(pl.col("label").is_not_null())
    values = known.select(
        "question", "item", value=pl.col("label").cast(pl.Float64, strict=False)
    ).drop_nulls()
    parts = [one.sort("value", "item") for one in values.partition_by("question")]
    if not parts:
        return None
    cells = [
        Cell(one["question"][0], f"n = {one.height:,}", place) for place, one in enumerate(parts)
    ]
    drawing = draw_rainclouds(
        cells,
        [one["value"].to_list() for one in parts],
        title="Labels",
        name="label of an item",
        known=[
            [
                (item_address(item, question), f"{texts.get(item) or item}: {value:.2f}")
                for question, item, value in one.iter_rows()
            ]
            for one in parts
        ],
    )
    step = max(every(one.height, MOST_DROPS) for one in parts)
    said = "" if step == 1 else f" Only one item in {step} is drawn; the table has all."
    each = plural(values.height, "item")
    caption = f"Each dot is the label of one of {each}, with their density.{said}"
    return Figure("label-values", "Labels", caption, values, drawing)


def item_texts(items: pl.DataFrame) -> dict[str, str]:
    """Return from an item to its text; empty if there are no texts."""
    return dict(items.select("item", "text").iter_rows()) if "text" in items.columns else {}


def _stacked(
    part: pl.DataFrame, legend: Sequence[str], places: Mapping[tuple[str, str], str]
) -> Bar:
    segments, start = [], 0.0
    for condition, label, items, share in part.iter_rows():
        text = f"{label}: {items:,} {'item' if items == 1 else 'items'}, {100 * share:.0f} %"
        colour = colour_place(label, legend.index(label))
        place = places[condition, label]
        segments.append(Segment(start, start + share, colour, text, place))
        start += share
    condition = part["condition"][0]
    name = ALL if condition == NONE else condition
    return Bar(name, segments, f"n = {part['items'].sum():,}")


def agreement_figure(measures: Sequence[Mapping[str, Any]], *, estimand: str) -> Figure | None:
    """Return every measure of agreement with its interval."""
    defined = [row for row in measures if row["value"] is not None]
    if not defined:
        return None
    spans = [
        Span(row["name"], row["value"], row["low"], row["high"], _said(row)) for row in defined
    ]
    numbers = [
        x for row in defined for x in (row["value"], row["low"], row["high"]) if x is not None
    ]
    columns = ("name", "value", "low", "high", "n")
    table = pl.DataFrame(
        [{column: row[column] for column in columns} for row in defined], infer_schema_length=None
    )
    title = "Agreement"
    limits = any(row["low"] is not None for row in defined)
    lines = f", lines 95 % intervals for {estimand} like these" if limits else ""
    caption = (
        f"Dots are values{lines}; n = {plural(defined[0]['n'], 'item')}. Percent agreement and "
        "soft Jaccard are not corrected for chance; alpha, kappa and Gwet's coefficients are: for "
        "them chance gives 0."
    )
    scale = axis("agreement", [*numbers, 0.0, 1.0])
    return Figure("agreement", title, caption, table, draw_spans(spans, title=title, scale=scale))


def _said(row: Mapping[str, Any]) -> str:
    text = f"{row['value']:z.2f}"
    span = "" if row["low"] is None else f" [{row['low']:z.2f}, {row['high']:z.2f}]"
    return minus(text + span)


def step_names(cascade: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what each step of cleaning is called: its row, its rule where rows are alike.

    >>> step_names([{"row": "Raw", "rule": "raw"}, {"row": "A", "rule": "b"}, {"rule": "few_a"}])
    ['Raw', 'A', 'few a']
    """
    rows = [step.get("row") for step in cascade]
    return [
        str(row) if row and rows.count(row) == 1 else str(step["rule"]).replace("_", " ")
        for row, step in zip(rows, cascade, strict=True)
    ]


def cascade_figure(cascade: Sequence[Mapping[str, Any]], *, several: bool = False) -> Figure | None:
    """Return how many ratings each step of cleaning left, and how far people then agree."""
    if len(cascade) < 2:
        return None
    rows = []
    for name, step in zip(step_names(cascade), cascade, strict=True):
        jaccard = (step.get("agreement") or {}).get("soft_jaccard") or {}
        rows.append(
            {
                "step": name,
                "annotators": step["annotators"]["total"],
                "ratings": step["ratings"]["total"],
                "items": step["items"]["total"],
                "soft_jaccard": jaccard.get("value"),
                "low": jaccard.get("low"),
                "high": jaccard.get("high"),
            }
        )
    table = pl.DataFrame(rows, infer_schema_length=None)
    most = max(1, *(row["ratings"] for row in rows))
    bars = [
        Bar(
            str(row["step"]),
            [Segment(0.0, row["ratings"] / most, 0, plural(row["annotators"], "person"))],
            f"{row['ratings']:,}",
        )
        for row in rows
    ]
    title = "What cleaning left"
    whose = " of all questions" if several else ""
    caption = f"Ratings{whose} left after each step, including rules that removed nothing."
    return Figure("cascade", title, caption, table, draw_bars(bars, title=title))


def items_figure(kept: pl.DataFrame, items: pl.DataFrame) -> Figure | None:
    """Return every item by the mean and the spread of its ratings."""
    texts = item_texts(items)
    question = str(kept["question"][0]) if kept.height else ""
    rated = items.select("item", pl.col("condition").fill_null(NONE))
    joined = kept.join(rated, on="item", maintain_order="left")
    table = item_summaries(joined, by=("item", "condition"))
    table = table.filter(pl.col("ratings") > 1).sort("item")
    if table.is_empty():
        return None
    legend = table["condition"].unique().sort().to_list()
    shown, said = thinned(table)
    points = [
        Dot(
            mean,
            spread,
            legend.index(condition),
            f"{texts.get(item) or item}: {mean:.2f}, n = {n}",
            item_address(item, question),
        )
        for item, condition, mean, spread, n in shown.iter_rows()
    ]
    title = "Items"
    caption = (
        f"Each of the {table.height:,} items with two or more ratings: low items are those people "
        f"agree on, whichever way; high ones are those they disagree on.{said}"
    )
    x = axis("mean rating", table["mean"].to_list())
    y = axis("standard deviation", table["deviation"].to_list(), low=0.0)
    shown_legend = legend if has_conditions(table) else ()
    drawing = draw_points(points, title=title, x=x, y=y, legend=shown_legend)
    return Figure("items", title, caption, table, drawing)


def people_figure(collected: pl.DataFrame, kept: pl.DataFrame) -> Figure | None:
    """Return every person by how much they rated and how often others answer alike."""
    measured = likeness(collected)
    table = measured.table
    stayed = kept.select("annotator").unique().with_columns(kept=pl.lit("kept"))
    table = table.join(stayed, on="annotator", how="left")
    table = table.with_columns(pl.col("kept").fill_null("set aside")).sort("annotator")
    if table.is_empty():
        return None
    legend = ["kept", "set aside"]
    shown, said = thinned(table)
    points = [
        Dot(
            ratings,
            share,
            legend.index(state),
            f"{annotator}: {plural(ratings, 'rating')}, alike {share:.2f}",
            person_address(annotator),
        )
        for annotator, ratings, share, state in shown.iter_rows()
    ]
    title = "People"
    caption = (
        f"Each of {table.height:,} people: how many ratings they gave, and {measured.words}, "
        f"before cleaning.{said}"
    )
    x = axis("ratings", table["ratings"].cast(pl.Float64).to_list(), low=0.0)
    drawing = draw_points(points, title=title, x=x, y=measured.axis, legend=legend)
    return Figure("people", title, caption, table, drawing)
