"""ADEPT's Figures 2 to 4, Tables 1, 4 and 6, and the labels of each modifier, from any study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from plausibly.analysis.figures import Figure
from plausibly.analysis.figures.drawing import draw_bars, stacked
from plausibly.analysis.figures.plots import draw_matrix
from plausibly.datasets.adept import CHANGES, CLASSES, QUESTION
from plausibly.evaluation.in_study import COMPARED_FILE, PREDICTIONS_FILE
from plausibly.protocols.adept.people import direction_table, identity_table, predictions_table
from plausibly.study.exhibits import Exhibit, omitted
from plausibly.study.protocol import Finished

SHORT = {"equally likely": "equally", "less likely": "less", "more likely": "more"}
KINDS = ("non-subsective", "subsective")
THREE = ("decrease", "equal", "increase")
MOST_MODIFIERS = 30
"""Modifiers that are drawn; the table has all."""
UNNAMED = "the items have no column modifier"


def exhibits(study: Finished) -> tuple[Exhibit, ...]:
    """Return what the paper draws, from the labels of a study."""
    items = study.items.filter(pl.col("kind") == "item")
    labels = study.labels.filter(pl.col("question") == QUESTION)
    pairs = items.join(labels.select("item", "label", "support", "ratings"), on="item")
    return tuple(_exhibits(study, pairs))


def _exhibits(study: Finished, pairs: pl.DataFrame) -> Iterator[Exhibit]:
    labelled = pairs.filter(pl.col("label").is_in(CLASSES))
    foreign = pairs.filter(pl.col("label").is_not_null() & ~pl.col("label").is_in(CLASSES))
    has_modifier = "modifier" in pairs.columns
    for name, heading, draw, why in (
        ("table-1", "Table 1: examples", examples_table, "" if has_modifier else UNNAMED),
        ("table-4", "Table 4: labels and agreement", None, ""),
        ("figure-4", "Figure 4: kinds of adjectives", kinds_figure, _no_kinds(labelled)),
        ("modifiers", "Labels of each modifier", spread_figure, "" if has_modifier else UNNAMED),
    ):
        reason = _no_labels(labelled, foreign) or why
        if reason:
            yield omitted(name, heading, reason)
        elif draw is None:
            yield Exhibit(
                name,
                heading,
                [_agreement(pairs, study.ratings.filter(pl.col("question") == QUESTION))],
            )
        else:
            yield Exhibit(name, heading, [draw(labelled)])
    yield from _matrices(study.folder, labelled)
    yield _table_6(study, labelled)
    yield _direction(study.ratings.filter(pl.col("question") == QUESTION))
    yield _identity(labelled)


def _table_6(study: Finished, labelled: pl.DataFrame) -> Exhibit:
    name, heading = "table-6", "Table 6: right and wrong predictions"
    best = _best(study.folder, labelled)
    if best is None:
        why = "no model of this study predicts the classes of labelled pairs"
        return omitted(name, heading, why)
    model, both = best
    table = predictions_table(model, both, labelled.select("item", "text"), seed=study.seed)
    return Exhibit(name, heading, [table])


def _direction(ratings: pl.DataFrame) -> Exhibit:
    name, heading = "direction", "Direction of disagreement"
    if not ratings["answer"].is_in(CLASSES).any():
        return omitted(name, heading, "no answer is one of the five classes")
    return Exhibit(name, heading, [direction_table(ratings)])


def _identity(labelled: pl.DataFrame) -> Exhibit:
    name, heading = "identity", "Labels by identity term"
    if not {"modifier", "noun"} <= set(labelled.columns):
        return omitted(name, heading, "the items have no columns modifier and noun")
    table = identity_table(labelled)
    if table is None:
        return omitted(name, heading, "no adjective groups the people that a noun names")
    return Exhibit(name, heading, [table])


def _no_labels(labelled: pl.DataFrame, foreign: pl.DataFrame) -> str:
    if foreign.height:
        return f"{foreign.height:,} labels are not among the five classes"
    return "" if labelled.height else "no pair has a label"


def _no_kinds(labelled: pl.DataFrame) -> str:
    known = "condition" in labelled.columns and set(labelled["condition"]) <= set(KINDS)
    return "" if known else f"not every pair is {' or '.join(KINDS)}"


def examples_table(labelled: pl.DataFrame) -> Figure:
    """Return Table 1: of each class, the pair people agree on most."""
    place = pl.col("label").replace_strict(CLASSES, range(len(CLASSES)), return_dtype=pl.Int8)
    best = labelled.sort("support", "ratings", "item", descending=[True, True, False])
    first = best.group_by("label", maintain_order=True).first().sort(place)
    shown = [
        one for one in ("label", "modifier", "sentence1", "text", "support") if one in best.columns
    ]
    named = {"text": "sentence", "sentence1": "without the modifier"}
    table = first.select(shown).rename({old: new for old, new in named.items() if old in shown})
    absent = [name for name in CLASSES if name not in set(table["label"])]
    without = f" No pair is {' or '.join(absent)}." if absent else ""
    caption = f"Of each label, the pair with the greatest share of ratings for it.{without}"
    return Figure("adept-table-1", "Examples", caption, table, "")


def _agreement(pairs: pl.DataFrame, ratings: pl.DataFrame) -> Figure:
    """Return Table 4: pairs of each label on which all people, or only most, agree."""
    answers = ratings.group_by("item").agg(different=pl.col("answer").n_unique())
    judged = pairs.join(answers, on="item")
    rows: list[tuple[str, int, float | None, int, int, int]] = []
    decided = judged["label"].count()
    for name in CLASSES:
        own = judged.filter(pl.col("label") == name)
        unanimous = own.filter(pl.col("different") == 1).height
        share = own.height / decided if decided else None
        rows.append((name, own.height, share, unanimous, own.height - unanimous, 0))
    none = judged["label"].null_count()
    rows.append(("no agreement", none, None, 0, 0, none))
    columns = ["label", "pairs", "share", "unanimous", "majority", "none"]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    caption = (
        f"n = {judged.height:,} pairs. Unanimous: everybody gave the label; majority: enough "
        "people did for a label, but not everybody; none: the pair has no label. Shares are of "
        "the pairs with a label."
    )
    return Figure("adept-table-4", "Labels and agreement", caption, table, "")


def kinds_figure(labelled: pl.DataFrame) -> Figure:
    """Return Figure 4: the labels of each kind of adjective."""
    counts = {kind: _counts(labelled.filter(pl.col("condition") == kind)) for kind in KINDS}
    counts = {kind: each for kind, each in counts.items() if sum(each)}
    rows = [
        (kind, name, count, count / sum(each))
        for kind, each in counts.items()
        for name, count in zip(CLASSES, each, strict=True)
    ]
    table = pl.DataFrame(rows, schema=["adjective", "label", "pairs", "share"], orient="row")
    title = "Labels by kind of adjective"
    bars = [stacked(kind, CLASSES, each) for kind, each in counts.items()]
    drawing = draw_bars(bars, title=title, legend=CLASSES)
    caption = f"n = {labelled.height:,} pairs with a label."
    return Figure("adept-figure-4", title, caption, table, drawing)


def spread_figure(labelled: pl.DataFrame) -> Figure:
    """Return how the labels of each modifier spread, most frequent modifiers first."""
    totals = labelled.group_by("modifier").len().sort("len", "modifier", descending=[True, False])
    counts = {
        name: _counts(labelled.filter(pl.col("modifier") == name))
        for name in totals["modifier"].drop_nulls()
    }
    rows = [
        (name, sum(each), sum(1 for count in each if count), *each) for name, each in counts.items()
    ]
    columns = ["modifier", "pairs", "different labels", *CLASSES]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    drawn = list(counts.items())[:MOST_MODIFIERS]
    cut = f" The {len(drawn)} most frequent are drawn." if len(drawn) < len(counts) else ""
    title = "Labels of each modifier"
    caption = f"n = {len(counts):,} modifiers in {labelled.height:,} pairs with a label.{cut}"
    bars = [stacked(name, CLASSES, each) for name, each in drawn]
    drawing = draw_bars(bars, title=title, legend=CLASSES)
    return Figure("adept-modifiers", title, caption, table, drawing)


def _counts(pairs: pl.DataFrame) -> list[int]:
    return [pairs.filter(pl.col("label") == name).height for name in CLASSES]


def _matrices(folder: Path, labelled: pl.DataFrame) -> Iterator[Exhibit]:
    """Yield Figures 2 and 3: labels against what the best model of the study predicts."""
    headings = {2: "Figure 2: five classes", 3: "Figure 3: three classes"}
    best = _best(folder, labelled)
    for figure, heading in headings.items():
        if best is None:
            why = "no model of this study predicts the classes of labelled pairs"
            yield omitted(f"figure-{figure}", heading, why)
            continue
        model, both = best
        names = CLASSES if figure == 2 else THREE
        pairs = (
            both
            if figure == 2
            else both.with_columns(pl.col("label", "predicted").replace_strict(CHANGES))
        )
        cells = [
            [pairs.filter(label=name, predicted=other).height for other in names] for name in names
        ]
        caption = f"n = {both.height:,} pairs that {model} predicts."
        yield Exhibit(f"figure-{figure}", heading, [matrix_figure(figure, cells, caption)])


def _best(folder: Path, labelled: pl.DataFrame) -> tuple[str, pl.DataFrame] | None:
    """Return the model that predicts most labels, with labels and predictions; None for none."""
    places = [folder / one for one in (PREDICTIONS_FILE, COMPARED_FILE)]
    tables = [
        pl.read_parquet(one).select("item", "model", predicted="label")
        for one in places
        if one.is_file()
    ]
    if not tables:
        return None
    classes = pl.concat(tables).filter(pl.col("predicted").is_in(CLASSES))
    both = labelled.select("item", "label").join(classes, on="item")
    if both.is_empty():
        return None
    right = both.group_by("model").agg(right=(pl.col("label") == pl.col("predicted")).mean())
    model = str(right.sort("right", "model", descending=[True, False])["model"][0])
    return model, both.filter(pl.col("model") == model)


def matrix_figure(figure: int, cells: Sequence[Sequence[int]], caption: str) -> Figure:
    """Return Figure 2 or 3: labels in rows, predictions in columns."""
    names = CLASSES if figure == 2 else THREE
    rows = [(name, *row, sum(row)) for name, row in zip(names, cells, strict=True)]
    table = pl.DataFrame(rows, schema=["label", *names, "pairs"], orient="row")
    title = f"Predicted by the best model, {len(names)} classes"
    labels = [SHORT.get(name, name) for name in names]
    drawing = draw_matrix(cells, labels=labels, title=title, x="predicted", y="label")
    deeper = "The deeper a cell, the larger its share of the row."
    return Figure(f"adept-figure-{figure}", title, f"{caption} {deeper}", table, drawing)
