"""Estimates from people and a model, as a table and sentences of a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from plausibly.analysis.description import HYBRID, Description
from plausibly.analysis.showing import number
from plausibly.measures.hybrid import HELPS

Document = Mapping[str, Any]
Show = Callable[[float | None], str]


def hybrid_rows(rows: Sequence[Document], show: Show) -> list[tuple[str, ...]]:
    """Return the cells of the table: estimate, interval, gain, and what to know about it.

    Args:
        rows: Rows of `describe`, each with an entry hybrid.
        show: How a value is shown.
    """
    return [_cells(row["hybrid"], show) for row in rows]


def _cells(hybrid: Document, show: Show) -> tuple[str, ...]:
    note = _note(hybrid)
    if hybrid["value"] is None:
        return "none", "none", "none", "none", note
    low, high = show(hybrid["low"]).removesuffix(" %"), show(hybrid["high"])
    return (
        show(hybrid["value"]),
        f"{low} to {high}",
        number(hybrid["rho"]),
        number(hybrid["gain"]),
        note,
    )


def _note(hybrid: Document) -> str:
    names = ("finding", "warning", "reason", "these_words")
    return "; ".join(str(hybrid[name]) for name in names if hybrid.get(name))


def hybrid_contrast_rows(
    questions: Mapping[str, Description],
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Return header and rows of the contrasts that a model helps with, for a terminal."""
    contrasts = [(n, one) for n, q in questions.items() for one in q.contrasts if "hybrid" in one]
    split = dict.fromkeys(part for _, one in contrasts for part in one.get("by", {}))
    lead = ("answer", *split, "of", "against")
    rows = [
        (
            name,
            *({**one.get("by", {}), **one}.get(column) for column in lead),
            *(one["hybrid"][column] for column in HYBRID),
            _note(one["hybrid"]),
        )
        for name, one in contrasts
    ]
    return ("question", *lead, "people and model", *HYBRID[1:], "note"), rows


def hybrid_sentences(rows: Sequence[Document], models: Document) -> list[str]:
    """Return what a reader should know about estimates from people and a model.

    >>> rows = [{"hybrid": {"gain": 1.2}}, {"hybrid": {"gain": 1.01}}, {"hybrid": {"gain": None}}]
    >>> hybrid_sentences(rows, {"model": "m", "items": 90, "learnt": "elsewhere"})[1]
    'The model helps with 1 of 3 estimates and does not help with 1; 1 cannot be made.'
    """
    helped = [row["hybrid"] for row in rows if row.get("hybrid")]
    if not helped:
        return []
    known = [one["gain"] for one in helped if one["gain"] is not None]
    useful = sum(gain >= HELPS for gain in known)
    useless, none = len(known) - useful, len(helped) - len(known)
    learnt = {
        "elsewhere": "it is taken not to have learnt from these ratings",
        "cross-fitted": "each item is taken to be predicted without having learnt from it",
    }[str(models["learnt"])]
    return [
        f"People's estimates come first and do not use the model. The table below them adds "
        f"estimates from people and {models['model']}, which predicted {models['items']:,} items; "
        f"{learnt}.",
        f"The model helps with {useful} of {len(helped)} estimates and does not help with "
        f"{useless}; {none} cannot be made.",
    ]
