"""Where models depart from people: the columns that split items, and what a reader is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from plausibly.analysis.in_study import joined, splitting
from plausibly.measures.crossed import CrossedMean
from plausibly.measures.departures import Departures, departures, said_by_item
from plausibly.study.results import text_table

GROUP, TEXT = "item_group", "text"
LISTED = 3
"""Items of each model and question that a table for the screen shows."""
LONGEST = 60
"""Characters of a text that a table for the screen shows."""


@dataclass(frozen=True, slots=True)
class ModelDepartures:
    """Where one model departs from people in the answers to one question.

    Args:
        model: The model, over all ways of asking.
        question: What it was asked.
        graded: Whether answers are compared as numbers.
        by: The columns that split the items.
        found: The differences.
        facts: From an item to its text and the columns that split items.
    """

    model: str
    question: str
    graded: bool
    by: tuple[str, ...]
    found: Departures
    facts: Mapping[str, Mapping[str, str | None]]

    def as_json(self) -> dict[str, Any]:
        """Return the entry of `evaluate --ratings --json`."""
        document = self.found.as_json()
        rows = [{**self.facts.get(row["item"], {}), **row} for row in document["items"]]
        about = {"model": self.model, "question": self.question, "graded": self.graded}
        return {**about, "by": list(self.by), **document, "items": rows}


def model_departures(
    ratings: pl.DataFrame,
    items: pl.DataFrame | None,
    said: pl.DataFrame,
    kinds: Mapping[tuple[str, str], bool],
) -> tuple[ModelDepartures, ...]:
    """Return where every model departs from people, question by question.

    Args:
        ratings: People's.
        items: Their items; None if nothing is known about them.
        said: item, question, label, score, distribution and the model that was asked.
        kinds: From a model and a question to whether answers are compared as numbers.
    """
    table = joined(ratings, items)
    known = [] if items is None else [n for n in (GROUP, TEXT) if n in items.columns]
    more = [name for name in known if name not in table.columns]
    if items is not None and more:
        table = table.join(items.select("item", *more), on="item", how="left")
    by = splitting(table)[0]
    shown = [name for name in (TEXT, *by) if name in table.columns]
    table = table.with_columns(pl.col(shown).cast(pl.String)) if shown else table
    facts = {
        str(row.pop("item")): row
        for row in table.select("item", *shown).unique("item", keep="first").to_dicts()
    }
    found = []
    for (model, question), graded in sorted(kinds.items()):
        theirs = table.filter(pl.col("question") == question)
        answers = theirs.with_columns(answer=pl.col("value" if graded else "answer"))
        own = said.filter(pl.col("asked") == model, pl.col("question") == question)
        apart = departures(answers, said_by_item(own, graded=graded), by)
        found.append(ModelDepartures(model, question, graded, tuple(by), apart, facts))
    return tuple(found)


def departure_tables(found: Sequence[ModelDepartures]) -> Iterator[str]:
    """Yield the differences by cell, by certainty, and the items, as far as there are any."""
    by = list(dict.fromkeys(name for one in found for name in one.by))
    cells = [
        (
            *(one.model, one.question, row.answer),
            *(row.by.get(name, "all") for name in by),
            *(row.model, row.people, row.gap.value, _span(row.gap), row.gap.items),
        )
        for one in found
        for row in one.found.cells
    ]
    header = ("model", "question", "answer", *by, "model says", "people say", "difference")
    if cells:
        yield text_table((*header, "95 % interval", "items"), cells)
    certain = [
        (one.model, one.question, row.part, row.near.value, _span(row.near), row.near.items)
        for one in found
        for row in one.found.certain
    ]
    if certain:
        header = ("model", "question", "items it is", "near people", "95 % interval", "items")
        yield text_table(header, certain)
    items = [
        (
            *(one.model, one.question, _named(one, row.item), row.said),
            *(_certainty(one, row.certainty), row.people),
            None if row.low is None else f"{row.low:.2f} to {row.high:.2f}",
        )
        for one in found
        for row in one.found.items[:LISTED]
    ]
    if items:
        people = ("people", "95 % interval")
        yield text_table(("model", "question", "item", "model says", "certainty", *people), items)


def departure_notes(found: Sequence[ModelDepartures]) -> Iterator[str]:
    """Yield how to read the differences, and why some are missing."""
    if any(one.found.cells for one in found):
        yield (
            "difference: the model minus people, the mean over items and ways of asking; intervals "
            "are for new items and new annotators."
        )
    if any(one.found.certain for one in found):
        yield (
            "most certain: the upper quarter of items, with ties, by the largest share of one "
            "answer or, for numbers, the smallest spread. near people: the share of people's "
            "answers that are the model's; for numbers, the mean distance."
        )
    for one in found:
        if one.found.disagreed:
            listed = min(len(one.found.items), LISTED)
            most = "" if listed == one.found.disagreed else f" ({listed} of them are shown)"
            how = (
                "people's 95 % interval excludes the model's number"
                if one.graded
                else "more people give another answer than the model's"
            )
            yield f"{one.model}, {one.question}: on {one.found.disagreed} items {how}{most}."
        if one.found.reason:
            yield f"{one.model}, {one.question}: {one.found.reason}."


def _span(mean: CrossedMean) -> str | None:
    return None if mean.low is None else f"{mean.low:.2f} to {mean.high:.2f}"


def _named(one: ModelDepartures, item: str) -> str:
    text = one.facts.get(item, {}).get(TEXT) or item
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _certainty(one: ModelDepartures, certainty: float | None) -> str | None:
    if certainty is None:
        return None
    return f"sd {abs(certainty):.2f}" if one.graded else f"{certainty:.2f}"
