"""Labels that mean something only where another question was labelled so: tiers of a form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from plausibly.errors import StudyError, UnknownName
from plausibly.tables import LABELS


@dataclass(frozen=True, slots=True)
class Gate:
    """A condition for a question's label.

    Args:
        question: The question whose labels are kept only where the condition holds.
        other: The question the condition is about.
        label: The label it must have; empty for any label at all.
    """

    question: str
    other: str
    label: str = ""


def parse_gates(text: str) -> tuple[Gate, ...]:
    """Return the conditions a text writes down.

    >>> parse_gates("state: breakpoint; breakpoint: plausible=false")[1]
    Gate(question='breakpoint', other='plausible', label='false')
    """
    gates = []
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        question, colon, condition = (piece.strip() for piece in part.partition(":"))
        other, equals, label = (piece.strip() for piece in condition.partition("="))
        if not (question and colon and other) or bool(equals) != bool(label):
            raise StudyError(
                f"only_if: {part!r} is not a condition. Write QUESTION: OTHER=LABEL, or "
                "QUESTION: OTHER for any label, with ; between several."
            )
        gates.append(Gate(question, other, label))
    return tuple(gates)


def gated(labels: pl.DataFrame, gates: Sequence[Gate]) -> pl.DataFrame:
    """Return the labels without those whose condition does not hold, gate after gate in order.

    An item keeps its other questions; only what was not to be asked of it goes.

    >>> labels = pl.DataFrame({"item": ["a", "a", "b", "b"], "method": ["plurality"] * 4,
    ...     "question": ["plausible", "state"] * 2, "label": ["true", "wet", "false", "open"],
    ...     "support": [1.0] * 4, "ratings": [3] * 4, "distribution": ["{}"] * 4})
    >>> gated(labels, parse_gates("state: plausible=false")).select("item", "question").rows()
    [('a', 'plausible'), ('b', 'plausible'), ('b', 'state')]
    """
    kept = LABELS.check(labels)
    asked = kept["question"].unique().sort().to_list()
    for gate in gates:
        stranger = next((one for one in (gate.question, gate.other) if one not in asked), None)
        if stranger is not None:
            raise UnknownName("question of only_if", stranger, asked)
        met = pl.col("label").is_not_null() if not gate.label else pl.col("label") == gate.label
        open_items = kept.filter((pl.col("question") == gate.other) & met)["item"]
        closed = (pl.col("question") == gate.question) & ~pl.col("item").is_in(open_items.to_list())
        kept = kept.filter(~closed)
    return LABELS.sort(kept)
