"""The measure of agreement that suits the scale of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plausibly.analysis.showing import number
from plausibly.io.wording import plural

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
        scale: Of the question; empty if it is not known.
        value: Of the measure; None if it is not defined.
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
    def clause(self) -> str:
        """The number as a methods section gives it; empty if it is not defined."""
        if self.value is None:
            return ""
        limits = "" if self.low is None else f" [{number(self.low)}, {number(self.high)}]"
        over = "" if self.n is None else f" over {plural(self.n, 'item')}"
        return f"{_in_brackets(self.name)} = {number(self.value)}{limits}{over}"

    @property
    def sentence(self) -> str:
        """The number in a sentence; empty if it is not defined."""
        if self.value is None:
            return ""
        limits = "" if self.low is None else f", 95 % interval {number(self.low)} to "
        limits += "" if self.low is None else number(self.high)
        over = "" if self.n is None else f", over {plural(self.n, 'item')}"
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
    named = named if measured(agreement, named) else OTHERWISE
    one = measured(agreement, named)
    return Headline(
        NAMES.get(named, named),
        str(agreement.get("scale") or ""),
        one.get("value"),
        one.get("low"),
        one.get("high"),
        one.get("n"),
    )


def step_measure(
    agreement: Mapping[str, Any], cascade: Sequence[Mapping[str, Any]], *, sides: bool
) -> tuple[str, str]:
    """Return the measure by which steps of cleaning are compared, and its name.

    Args:
        agreement: What `agree` says about the question.
        cascade: What each step of cleaning left, with the agreement on the question.
        sides: Whether answers count as one by side, which the soft Jaccard coefficient is for.

    >>> step_measure({"headline": "krippendorff_alpha.interval"}, [], sides=False)
    ('soft_jaccard', 'soft Jaccard')
    """
    path = str(agreement.get("headline") or "")
    known = [measured(step.get("agreement") or {}, path) for step in cascade]
    if sides or not any(one.get("value") is not None for one in known):
        return "soft_jaccard", "soft Jaccard"
    return path, _in_brackets(NAMES.get(path, path))


def _in_brackets(name: str) -> str:
    """Return a measure with its metric in brackets.

    >>> _in_brackets("Krippendorff's alpha, ordinal")
    "Krippendorff's alpha (ordinal)"
    """
    measure, _, metric = name.partition(", ")
    return f"{measure} ({metric})" if metric else measure


def measured(agreement: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    """Return a measure by its path; empty if it is not there.

    >>> measured({"alpha": {"nominal": {"value": 0.5}}}, "alpha.nominal")
    {'value': 0.5}
    """
    measure: Any = agreement
    for key in path.split("."):
        measure = measure.get(key, {}) if isinstance(measure, Mapping) else {}
    return measure if isinstance(measure, Mapping) else {}
