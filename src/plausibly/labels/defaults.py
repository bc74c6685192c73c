"""Which label method suits a question: what its scale asks for, unless somebody chose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from plausibly.measures.questions import BEST, SET, QuestionScale

ASKED = "asked for"


@dataclass(frozen=True, slots=True)
class LabelChoice:
    """How one question is labelled.

    Args:
        method: Name of the method, or a function; None for a question that gets no labels.
        options: What the method is asked for, schemes and scales among it.
        reason: Why this method.
    """

    method: str | Callable[..., Any] | None
    options: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ASKED

    @property
    def derived(self) -> bool:
        """Whether the method follows from the scale."""
        return self.reason != ASKED


_TEXT = LabelChoice(None, {}, "texts have no labels")
_BY_TYPE = {
    SET: LabelChoice("per-option", {}, "each option of a set is chosen or not"),
    BEST: LabelChoice("shares", {}, "candidates have shares, and no label"),
}
_BY_SCALE = {
    "nominal": LabelChoice("plurality", {}, "nominal answers have a most frequent one"),
    "ordinal": LabelChoice("score", {}, "ordinal, without declared sides that would be classes"),
    "interval": LabelChoice("mean", {}, "interval answers have a mean"),
}


def default_choice(scale: QuestionScale) -> LabelChoice:
    """Return the label method that suits the scale of a question, with the reason.

    Nominal answers have a plurality. Ordinal ones have a strict majority over the sides that are
    declared; without sides no class is made up, and an item has a score. Interval answers have a
    mean. Texts have no label.

    >>> default_choice(QuestionScale("fit", "interval", "a slider", "declared")).method
    'mean'
    """
    if scale.scale == "text" or scale.type in _BY_TYPE:
        return _TEXT if scale.scale == "text" else _BY_TYPE[scale.type]
    scale.require()
    sides = scale.facts.sides
    if scale.scale != "ordinal" or not sides:
        return _BY_SCALE[scale.scale]
    scheme = "|".join(f"{side}={side}" for side in sides.split("|"))
    return LabelChoice("strict-majority", {"scheme": scheme}, f"ordinal, with the sides {sides}")
