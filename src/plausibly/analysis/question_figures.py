"""The figure of a question: rainclouds of means, or stacked shares, with the items behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from plausibly.analysis.figures.addresses import item_address
from plausibly.analysis.figures.cells import (
    MOST_COLOURS,
    MOST_COLUMNS,
    MOST_DROPS,
    Cell,
    answer_colours,
    draw_rainclouds,
    draw_shares,
    every,
    folded,
    item_shares,
)
from plausibly.analysis.figures.drawing import Figure
from plausibly.analysis.showing import number
from plausibly.domain import label_order

Document = Mapping[str, Any]
Rows = Sequence[Document]
MOST_CELLS = 24
MOST_ORDERED = 20  # ordered answers that have a colour each
ALL = "all items"
WHOLE = 1e-6


def cell_label(row: Document) -> str:
    """Return the name of a cell."""
    return ", ".join(str(value) for value in row["by"].values())


def question_figure(
    key: str, name: str, one: Document, values: pl.DataFrame, texts: Mapping[str, str]
) -> tuple[Figure | None, list[str]]:
    """Return the figure of a question, and a sentence where there is none.

    Args:
        key: The question as part of file names.
        name: The question.
        one: What `describe` reports about it.
        values: The items behind its numbers.
        texts: From an item to its text, shown where it is pointed at.
    """
    if one["scale"] is None:
        return None, []
    reason = _undrawn(one["rows"], values)
    if reason:
        return None, [f"No figure shows the answers to “{name}”: {reason}."]
    shares = values.filter(pl.col("answer").is_not_null())
    ordered = one["scale"] != "nominal"
    different = shares["answer"].n_unique()
    if one["scale"] == "interval" or (ordered and not 0 < different <= MOST_ORDERED):
        return _rainclouds(key, name, one["rows"], values, texts), []
    return _shares(key, name, one["rows"], values, texts), []


def _undrawn(rows: Rows, values: pl.DataFrame) -> str:
    """Return why no figure can be drawn; empty if one can."""
    if not rows:
        return "there are no numbers to draw"
    if values.is_empty():
        return "several options can be chosen at once, so shares do not add up to one"
    cells = len({cell_label(row) for row in rows})
    if cells > MOST_CELLS:
        return f"{cells:,} cells are too many for a drawing; the table has them"
    return ""


def _cells(rows: Rows, values: pl.DataFrame) -> list[tuple[Document, pl.DataFrame]]:
    """Return one row for each cell, with its items."""
    first: dict[str, Document] = {}
    for row in rows:
        first.setdefault(cell_label(row), row)
    return [
        (row, values.filter([pl.col(name) == value for name, value in row["by"].items()] or True))
        for row in first.values()
    ]


def _thinned(counts: Sequence[int], most: int) -> str:
    step = max(every(count, most) for count in counts)
    return "" if step == 1 else f" Only one item in {step} is drawn; the table has all."


def _colour(row: Document, names: Sequence[str]) -> int:
    return names.index(str(next(iter(row["by"].values())))) if row["by"] else 0


def rows_of(part: pl.DataFrame) -> Iterator[tuple[str, float]]:
    """Return the items of a cell with their values."""
    return part.select("item", "value").iter_rows()


def _rainclouds(
    key: str, name: str, rows: Rows, values: pl.DataFrame, texts: Mapping[str, str]
) -> Figure:
    means = values.filter(pl.col("answer").is_null())
    parts = _cells(rows, means)
    names = list(dict.fromkeys(str(next(iter(row["by"].values()), "")) for row, _ in parts))
    cells = [
        Cell(cell_label(row) or ALL, _mean(row), _colour(row, names), *_limits(row))
        for row, _ in parts
    ]
    ordered = [part.sort("value", "item") for _, part in parts]
    question = str(values["question"][0])
    items = [part["value"].to_list() for part in ordered]
    known = [
        [
            (item_address(item, question), f"{texts.get(item) or item}: {number(value)}")
            for item, value in rows_of(part)
        ]
        for part in ordered
    ]
    title = f"Answers to “{name}”"
    drawing = draw_rainclouds(cells, items, title=title, name="mean answer of an item", known=known)
    count = means["item"].n_unique()
    caption = (
        f"Small dots are the means of items (n = {count:,}), the cloud their density; the "
        f"large dot is the mean of the cell with its 95 % interval."
        f"{_thinned([len(one) for one in items], MOST_DROPS)}"
    )
    return Figure(
        f"question-{key}", title, caption, means.drop("question", "answer", "rank"), drawing
    )


def _hover_text(text: str, shares: Mapping[str, float]) -> str:
    """Return an item with the shares of its answers, as a reader sees it."""
    given = [f"{answer} {100 * share:.0f} %" for answer, share in shares.items() if share > 0]
    return f"{text}: {', '.join(given)}"


def _limits(row: Document) -> tuple[float | None, float | None, float | None]:
    return row["value"], row["low"], row["high"]


def _mean(row: Document) -> str:
    if row["value"] is None:
        return "not defined"
    digits = 2 if abs(row["value"]) < 10 else 1
    if row["low"] is None:
        return f"{row['value']:.{digits}f}"
    return f"{row['value']:.{digits}f} [{row['low']:.{digits}f}, {row['high']:.{digits}f}]"


def _shares(
    key: str, name: str, rows: Rows, values: pl.DataFrame, texts: Mapping[str, str]
) -> Figure:
    shares = values.filter(pl.col("answer").is_not_null())
    ordered = "answer" not in rows[0]
    legend = answer_colours(_answers(shares, rows, ordered=ordered), ordered=ordered)
    cells, columns, counts, known = [], [], [], []
    question = str(values["question"][0])
    for row, part in _cells(rows, shares):
        by_item = {item: folded(one, legend) for item, one in item_shares(part).items()}
        own = list(by_item.values())
        total = {answer: sum(one.get(answer, 0.0) for one in own) / len(own) for answer in legend}
        label = cell_label(row)
        text = _mean(row) if ordered else _share(rows, label, counted=len(own))
        cells.append(Cell(label or ALL, text, shares=total))
        drawn = sorted(by_item.items(), key=lambda one: _place(one[1], legend))
        columns.append([one for _, one in drawn])
        known.append(
            [
                (item_address(item, question), _hover_text(texts.get(item) or item, one))
                for item, one in drawn
            ]
        )
        counts.append(len(own))
    title = f"Answers to “{name}”"
    caption = (
        f"Upper bars: the share of each answer in a cell, every item counting once; below, one "
        f"column for each item (n = {shares['item'].n_unique():,})."
        f"{_numbers(rows, ordered=ordered)}"
        f"{_thinned(counts, MOST_COLUMNS)}"
    )
    drawing = draw_shares(cells, columns, title=title, legend=legend, known=known)
    return Figure(f"question-{key}", title, caption, shares.drop("question", "rank"), drawing)


def pair(rows: Rows) -> str:
    """Return the last of two answers, whose share says all; empty if it does not.

    >>> row = {"by": {}, "answer": "no", "value": 0.25}
    >>> pair([row, {**row, "answer": "yes", "value": 0.75}])
    'yes'
    """
    answers = sorted({str(row["answer"]) for row in rows if "answer" in row})
    totals: dict[str, float] = {}
    for row in rows:
        label = cell_label(row)
        totals[label] = totals.get(label, 0.0) + (row["value"] or 0.0)
    whole = all(abs(total - 1) < WHOLE or total == 0 for total in totals.values())
    return answers[1] if len(answers) == 2 and whole else ""


def _share(rows: Rows, label: str, *, counted: int) -> str:
    """Return the share of the last of two answers in a cell, else how many items it has."""
    last = pair(rows)
    row = next((r for r in rows if r.get("answer") == last and cell_label(r) == label), None)
    if row is None or row["value"] is None:
        return "1 item" if counted == 1 else f"{counted:,} items"
    text = f"{100 * row['value']:.0f} %"
    limits = row["low"] is not None
    return f"{text} [{100 * row['low']:.0f}, {100 * row['high']:.0f}]" if limits else text


def _numbers(rows: Rows, *, ordered: bool) -> str:
    if ordered:
        return " Numbers are means with 95 % intervals."
    last = pair(rows)
    return f" Numbers are shares of “{last}” with 95 % intervals." if last else ""


def _answers(shares: pl.DataFrame, rows: Rows, *, ordered: bool) -> list[str]:
    """Return the answers in the order of the rows, or the commonest first where there are many."""
    if ordered:
        ranks = shares.group_by("answer").agg(pl.col("rank").min())
        return list(ranks.sort("rank", "answer")["answer"])
    names = dict.fromkeys(str(row["answer"]) for row in rows)
    if len(names) <= MOST_COLOURS:
        return [*names, *label_order(set(shares["answer"]) - names.keys())]
    totals = shares.group_by("answer").agg(pl.col("value").sum().round(6))
    return list(totals.sort("value", "answer", descending=[True, False])["answer"])


def _place(shares: Mapping[str, float], legend: Mapping[str, str]) -> tuple[float, ...]:
    """Return what sorts columns: the mean rank of an item's answers, then its shares."""
    ranks = {answer: rank for rank, answer in enumerate(legend)}
    return (
        round(sum(ranks[answer] * share for answer, share in shares.items()), 9),
        *(round(shares.get(answer, 0.0), 9) for answer in legend),
    )
