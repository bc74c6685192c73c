"""The measure of agreement that suits the scale of a question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plausibly.analysis.showing import number

NAMES = {
    "krippendorff_alpha.nominal": "Krippendorff's alpha, nominal",
    "krippendorff_alpha.ordinal": "Krippendorff's alpha, ordinal",
    "krippendorff_alpha.interval": "Krippendorff's alpha, interval",
    "krippendorff_alpha_masi": "Krippendorff's alpha with MASI, for sets",
}
OTHERWISE = "krippendorff_alpha.nominal"


@dataclass(frozen=True, slots=True)
class Headline:
    """Agreement on a question in one number.

    Args:
        name: Of the measure.
        scale: Of the question; empty where it is not known.
        value: Of the measure; None where it is not defined.
        low: Lower limit.
        high: Upper limit.
        n: Items it is over.
    """

    name: str
    scale: str
    value: float | None
    low: float | None
    high: float | None
    n: int | None

    @property
    def sentence(self) -> str:
        """The number in a sentence; empty where it is not defined."""
        if self.value is None:
            return ""
        limits = "" if self.low is None else f", 95 % interval {number(self.low)} to "
        limits += "" if self.low is None else number(self.high)
        over = "" if self.n is None else f", over {number(self.n)} items"
        return (
            f"Agreement ({self.name}) is {number(self.value)}{limits}{over}; 1 is perfect, and 0 "
            "is what chance gives."
        )


def headline(agreement: Mapping[str, Any]) -> Headline:
    """Return the measure that suits the scale, from what `agree` says about one question.

    >>> alpha = {"nominal": {"value": 0.5, "low": None, "high": None, "n": 9}}
    >>> headline({"krippendorff_alpha": alpha}).sentence
    "Agreement (Krippendorff's alpha, nominal) is 0.50, over 9 items; 1 is perfect, and 0 is what \
chance gives."
    """
    named = str(agreement.get("headline") or OTHERWISE)
    named = named if _measured(agreement, named) else OTHERWISE
    one = _measured(agreement, named)
    return Headline(
        NAMES.get(named, named),
        str(agreement.get("scale") or ""),
        one.get("value"),
        one.get("low"),
        one.get("high"),
        one.get("n"),
    )


def _measured(agreement: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    measure: Any = agreement
    for key in path.split("."):
        measure = measure.get(key, {}) if isinstance(measure, Mapping) else {}
    return measure if isinstance(measure, Mapping) else {}
