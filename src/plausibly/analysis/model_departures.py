"""Where models depart from people, as the tables of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
ALL = "all"


def departed_rows(found: Sequence[Row]) -> list[dict[str, Any]]:
    """Return one row per model, question, cell and answer: what the model says less people.

    Args:
        found: The entries `departures` of `evaluate --ratings`.

    >>> cell = {"by": {}, "answer": "yes", "model": 0.9, "people": 0.5, "difference": 0.4,
    ...         "low": 0.1, "high": 0.6, "items": 20, "annotators": 9, "ratings": 90}
    >>> [row] = departed_rows([{"model": "m", "question": "seen", "by": [], "cells": [cell]}])
    >>> row["cell"], row["difference"]
    ('all', 0.4)
    """
    names = list(dict.fromkeys(name for one in found for name in one["by"]))
    kept = ("answer", "model", "people", "difference", "low", "high", "items", "ratings")
    return [
        {
            "asked": one["model"],
            "question": one["question"],
            **{name: cell["by"].get(name, ALL) for name in names},
            "cell": ", ".join(cell["by"].values()) or ALL,
            **{name: cell[name] for name in kept},
            "over": cell.get("over"),
            "warning": cell.get("warning") or cell.get("reason"),
        }
        for one in found
        for cell in one["cells"]
    ]


def certain_rows(found: Sequence[Row]) -> list[dict[str, Any]]:
    """Return one row per model, question and part: items it is most certain about, and others."""
    return [
        {"asked": one["model"], "question": one["question"], "graded": one["graded"], **row}
        for one in found
        for row in one["certain"]
    ]


def departing_rows(found: Sequence[Row]) -> list[dict[str, Any]]:
    """Return one row per item on which people disagree with a model, the most certain first."""
    return [
        {
            "asked": one["model"],
            "question": one["question"],
            "graded": one["graded"],
            **{name: row.get(name) for name in ("item", "text", "condition", "language")},
            **row,
        }
        for one in found
        for row in one["items"]
    ]


def departure_sentences(found: Sequence[Row]) -> list[str]:
    """Return on how many items people disagree with each model, and what is not known."""
    sentences = []
    for one in found:
        about = f"{one['question']}, {one['model']}"
        number, listed = one["disagreed"], len(one["items"])
        if number:
            how = (
                "the 95 % interval of people's mean excludes what the model says"
                if one["graded"]
                else "more people give another answer than the model's"
            )
            rest = "" if listed == number else f"; the table has {listed} of them"
            items = "one item" if number == 1 else f"{number:,} items"
            sentences.append(f"{about}: on {items}, {how}{rest}.")
        if one["reason"]:
            sentences.append(f"{about}: {one['reason']}.")
    return sentences
