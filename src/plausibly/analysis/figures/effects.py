"""What else moved the ratings: where they stood in a session, how quick people were, thresholds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from types import MappingProxyType
from typing import Any

import polars as pl

from plausibly.analysis.figures.addresses import person_address
from plausibly.analysis.figures.drawing import (
    Axis,
    Dot,
    Figure,
    Span,
    axis,
    draw_points,
    draw_spans,
    thinned,
)
from plausibly.analysis.figures.likeness import Likeness, likeness
from plausibly.analysis.figures.ratings import step_names
from plausibly.analysis.headline import measured
from plausibly.io.wording import plural
from plausibly.measures.coded import spellings
from plausibly.measures.proportion import proportion
from plausibly.measures.timed import PLACES as SHOWN_BY
from plausibly.measures.timed import places_of

SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
PLACES = 6  # stretches a session is cut into
WHEN = "when answered"
SHARED = "each person's answers share a time, so their order is not known."
Z = 1.959963984540054
LEGEND = ("kept", "set aside")
COMPETENCE = Axis("competence", 0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0))
NOBODY: Mapping[str, float] = MappingProxyType({})


def order_figure(kept: pl.DataFrame) -> Figure | None:
    """Return the mean rating by its place in a person's session; None if no order is known.

    People whose answers to several items share a time are left out: theirs have no order.
    """
    ordered = kept.clear() if _unknown(kept) else _ordered(kept)
    if ordered.is_empty():
        return None
    left = kept["annotator"].n_unique() - ordered["annotator"].n_unique()
    placed = ordered.with_columns(
        place=pl.int_range(1, pl.len() + 1).over("annotator").cast(pl.Int64)
    )
    most = int(str(placed["place"].max()))
    step = max(1, -(-most // PLACES))
    stretch = (pl.col("place") - 1) // step
    seconds = pl.col("seconds").median() if "seconds" in placed.columns else pl.lit(None)
    table = (
        placed.group_by(stretch=stretch)
        .agg(mean=pl.col("value").mean(), sd=pl.col("value").std(), n=pl.len(), seconds=seconds)
        .sort("stretch")
        .with_columns(
            first=pl.col("stretch") * step + 1,
            last=pl.min_horizontal((pl.col("stretch") + 1) * step, most),
        )
        .select("first", "last", "mean", "sd", "seconds", "n")
        .with_columns(pl.col("mean").round(6))
    )
    title = "Mean rating by place in a session"
    caption = (
        "Whether people answer differently later on; lines extend 1.96 standard errors to each "
        "side, as if ratings were independent. Next to n, the median time of a rating."
    )
    people = "1 person is" if left == 1 else f"{left} people are"
    caption += f" {people} left out, as the order of their answers is not known." if left else ""
    drawing = order_drawing(table.to_dicts(), _stretch, title=title, scale="mean rating")
    return Figure("order", title, caption, table, drawing)


def order_drawing(
    rows: Sequence[Mapping[str, Any]],
    name: Callable[[Mapping[str, Any]], str],
    *,
    title: str,
    scale: str,
    number: Callable[[float, int], str] = "{:.{}f}".format,
) -> str:
    """Return the table of `order_figure` as a drawing, in the words of any language.

    Args:
        rows: One per stretch of places.
        name: What a stretch is called.
        title: Of the drawing.
        scale: What the axis is called.
        number: How a number is written with so many decimals.
    """
    spans = []
    for row in rows:
        half = Z * (row["sd"] or 0.0) / sqrt(row["n"])
        low, high = row["mean"] - half, row["mean"] + half
        spans.append(Span(name(row), row["mean"], low, high, number(row["mean"], 2)))
    limits = [x for one in spans for x in (one.low, one.high) if x is not None]

    def written(tick: float) -> str:
        return number(tick, len(f"{tick:g}".partition(".")[2]))

    return draw_spans(spans, title=title, scale=replace(axis(scale, limits), written=written))


def _stretch(row: Mapping[str, Any]) -> str:
    pace = "" if row["seconds"] is None else f", {row['seconds']:.0f} s"
    first, last = row["first"], row["last"]
    places = f"rating {first}" if first == last else f"ratings {first} to {last}"
    return f"{places} (n = {row['n']:,}{pace})"


def unordered(kept: pl.DataFrame) -> str:
    """Return why no figure shows ratings by their place in a session; empty if one does."""
    why = _unknown(kept) or (SHARED if _ordered(kept).is_empty() else "")
    return f"No figure shows ratings by place in a session: {why}" if why else ""


def _unknown(kept: pl.DataFrame) -> str:
    """Return why nobody's order is known, as far as the columns show it; empty if they do not."""
    if not any(name in kept.columns and kept[name].count() for name in SHOWN_BY):
        return "the data do not say when each answer was given, so their order is not known."
    if not any(name in kept.columns and kept[name].n_unique() > 1 for name in SHOWN_BY):
        return SHARED
    if places_of(kept) is None:
        return "their times cannot be put in order. Write them as 2026-05-01 10:00:00."
    if "value" not in kept.columns or not kept["value"].count():
        return "the answers are not numbers."
    return ""


def _ordered(kept: pl.DataFrame) -> pl.DataFrame:
    """Return ratings with time and number, in order, of people whose order can be read."""
    shown = places_of(kept)
    if shown is None:
        return kept.clear()
    timed = kept.with_columns(shown[1].alias(WHEN)).drop_nulls([WHEN, "value"])
    times = timed.group_by("annotator", "item").agg(pl.col(WHEN).min())
    people = times.group_by("annotator").agg(items=pl.len(), times=pl.col(WHEN).n_unique())
    known = people.filter((pl.col("items") > 1) & (pl.col("times") == pl.col("items")))
    known_rows = timed.join(known, on="annotator", how="semi")
    return known_rows.sort("annotator", WHEN, "item").drop(WHEN)


def speed_figure(
    collected: pl.DataFrame, kept: pl.DataFrame, competence: Mapping[str, float] = NOBODY
) -> Figure | None:
    """Return every person by median time and competence, or agreement; None without times."""
    if "seconds" not in collected.columns or collected["seconds"].null_count() == collected.height:
        return None
    what = ("annotators", "seconds", "speed", "median time of a rating")
    people = _annotators(collected, kept, competence)
    return _map(people, likeness(collected), what, "median seconds", low=0.0)


def side_figure(
    collected: pl.DataFrame, kept: pl.DataFrame, competence: Mapping[str, float] = NOBODY
) -> Figure | None:
    """Return every person by the side they lean to and competence, or agreement.

    None without numbers.
    """
    if "value" not in collected.columns or collected["value"].null_count() == collected.height:
        return None
    what = (
        "annotator-sides",
        "mean",
        "side",
        "the mean of their ratings, which is the side they lean to",
    )
    people = _annotators(collected, kept, competence)
    return _map(people, likeness(collected), what, "mean rating")


def _annotators(
    collected: pl.DataFrame, kept: pl.DataFrame, competence: Mapping[str, float]
) -> pl.DataFrame:
    """Return for every person speed, agreement, side, competence, and whether they were kept."""
    shared = collected.filter(pl.len().over("item", "question") > 1)
    seconds = pl.col("seconds").median() if "seconds" in shared.columns else pl.lit(None)
    value = pl.col("value").mean().round(6) if "value" in shared.columns else pl.lit(None)
    stayed = kept.select("annotator").unique().with_columns(state=pl.lit(LEGEND[0]))
    known = {"annotator": pl.String(), "competence": pl.Float64()}
    able = pl.DataFrame(list(competence.items()), schema=known, orient="row")
    alike = likeness(collected).table.select("annotator", pl.col("alike").round(6))
    return (
        shared.group_by("annotator")
        .agg(seconds=seconds, mean=value, ratings=pl.len())
        .join(alike, on="annotator")
        .select("annotator", "seconds", "alike", "mean", "ratings")
        .join(able.with_columns(pl.col("competence").round(6)), on="annotator", how="left")
        .join(stayed, on="annotator", how="left")
        .with_columns(pl.col("state").fill_null(LEGEND[1]))
        .sort("annotator")
    )


def _map(
    people: pl.DataFrame,
    measured: Likeness,
    what: tuple[str, str, str, str],
    unit: str,
    *,
    low: float | None = None,
) -> Figure | None:
    """Return people as points: one of their numbers against competence, or how alike others are.

    Args:
        people: One row per person.
        measured: How their answers go with the others'.
        what: Name of the figure, its column, and that column in a title and in a sentence.
        unit: What is written at the axis of the column.
        low: Where that axis begins.
    """
    name, column, word, sentence = what
    table = people.drop_nulls(column)
    if table.height < 2:
        return None
    fitted = table["competence"].null_count() == 0
    y, against = ("competence", "competence") if fitted else ("alike", "agreement")
    sentence_of_items = (
        "how competent MACE takes them to be, fitted to all ratings (0: their answers say nothing "
        "about the items, 1: always the likeliest label)"
        if fitted
        else measured.words
    )
    shown, said = thinned(table)
    points = [
        Dot(
            row[column],
            row[y],
            LEGEND.index(row["state"]),
            _said_of(row, y),
            person_address(row["annotator"]),
        )
        for row in shown.iter_rows(named=True)
    ]
    title = f"Annotators: {word} and {against}"
    x = axis(unit, table[column].to_list(), low=low)
    scale = COMPETENCE if fitted else measured.axis
    drawing = draw_points(points, title=title, x=x, y=scale, legend=LEGEND)
    caption = f"Each of {table.height:,} people: {sentence}, and {sentence_of_items}.{said}"
    return Figure(name, title, caption, table, drawing)


def _said_of(row: Mapping[str, Any], y: str) -> str:
    """Return what is shown about a person."""
    mean = "" if row["mean"] is None else f", mean {row['mean']:.2f}"
    return f"{row['annotator']}: {plural(row['ratings'], 'rating')}{mean}, {y} {row[y]:.2f}"


def sensitivity_figure(
    collected: pl.DataFrame, kept: pl.DataFrame, *, of: Mapping[str, str], chosen: float | None
) -> Figure | None:
    """Return how many items stay undecided under other thresholds, before and after cleaning.

    Args:
        collected: Every rating.
        kept: The ratings left after cleaning.
        of: From answer to label; empty if answers are labels.
        chosen: The threshold that was used, None if none was.
    """
    rows = []
    for name, ratings in (("as collected", collected), ("cleaned", kept)):
        shares = _top_shares(ratings, of)
        for share in SHARES:
            above = (
                pl.col("share") > share if share == SHARES[0] else pl.col("share") >= share - 1e-9
            )
            undecided = shares.filter(~above).height
            limits = proportion(undecided, shares.height)
            rows.append((name, share, undecided, shares.height, limits.low, limits.high))
    if not rows or not rows[0][3]:
        return None
    columns = ["ratings", "at least", "undecided", "items", "low", "high"]
    table = pl.DataFrame(rows, schema=columns, orient="row").with_columns(
        share=pl.col("undecided") / pl.col("items")
    )
    rows.sort(key=lambda row: (row[2] / max(1, row[3]), row[0], row[1]))
    spans = [
        Span(
            f"{name}, {'more than' if share == SHARES[0] else 'at least'} {100 * share:.0f} %"
            + (" (used)" if share == chosen and name == "cleaned" else ""),
            undecided / items,
            low,
            high,
            f"{undecided:,} of {items:,}",
        )
        for name, share, undecided, items, low, high in rows
        if items
    ]
    title = "Specification curve: undecided items under other choices"
    caption = (
        "The share of items without a label if a label needs another share of the ratings, with "
        "and without cleaning, lowest first. It shows how far the result depends on these choices. "
        "Lines are 95 % intervals for items like these (Wilson)."
    )
    scale = Axis("share undecided", 0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0))
    drawing = draw_spans(spans, title=title, scale=scale)
    return Figure("sensitivity", title, caption, table, drawing)


def _top_shares(ratings: pl.DataFrame, of: Mapping[str, str]) -> pl.DataFrame:
    """Return the share of all ratings of an item that its commonest label has, as labels do."""
    label = pl.col("answer").replace(spellings(ratings["answer"].unique(), known=of))
    label = label.replace_strict(dict(of), default=None) if of else label
    counts = ratings.group_by("item", "question", label=label).len("votes")
    most = pl.col("votes").filter(pl.col("label").is_not_null()).max().fill_null(0)
    return counts.group_by("item", "question").agg(share=most / pl.col("votes").sum())


def cleaning_agreement_figure(
    cascade: Sequence[Mapping[str, Any]], by: tuple[str, str] = ("soft_jaccard", "soft Jaccard")
) -> Figure | None:
    """Return how far people agree after each step of cleaning, the first before any.

    Args:
        cascade: The steps.
        by: Path of the measure in the agreement of a step, and its name.
    """
    rows = []
    path, measured_by = by
    for name, step in zip(step_names(cascade), cascade, strict=True):
        measure = measured(step.get("agreement") or {}, path)
        if measure.get("value") is not None:
            low, high = measure.get("low"), measure.get("high")
            rows.append((name, measure["value"], low, high, step["items"]["total"]))
    if len(rows) < 2:
        return None
    columns = {"step": pl.String, **dict.fromkeys(("value", "low", "high"), pl.Float64)}
    table = pl.DataFrame(rows, schema={**columns, "items": pl.Int64}, orient="row")
    spans = [Span(name, value, low, high, f"{value:.2f}") for name, value, low, high, _ in rows]
    title = "Agreement before and after cleaning"
    caption = (
        f"{measured_by[:1].upper()}{measured_by[1:]} of the ratings left after each step. It rises "
        "where people who disagree are removed, so the last value does not estimate agreement "
        "among people who were not selected."
    )
    values = [x for _, *each, _ in rows for x in each if x is not None]
    drawing = draw_spans(spans, title=title, scale=axis(measured_by, values))
    return Figure("cleaning-agreement", title, caption, table, drawing)
