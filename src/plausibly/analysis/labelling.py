"""What a label method did, as the facts a sentence about it may state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

Kind = Literal["share", "count", "most", "weighed", "model", "scale", "number", "candidates"]

# How a method comes to a label; what is not listed is a fitted model.
_KINDS: Mapping[str, Kind] = {
    "strict-majority": "share",
    "agreed-by": "count",
    "plurality": "most",
    "mean": "number",
    "median": "number",
    "score": "number",
    "share": "number",
    "shares": "candidates",
    "per-option": "most",
    "wawa": "weighed",
    "ordinal": "scale",
}
NAMES = {
    "mace": "MACE",
    "dawid-skene": "Dawid and Skene's model",
    "one-coin": "the one-coin model",
    "glad": "GLAD",
    "wawa": "Wawa",
    "ordinal": "a hierarchical ordered probit",
    "agreed-by": "the agreement of enough people",
    "per-option": "plurality, option by option",
    "share": "shrunken values",
    "shares": "the share of each candidate",
}
_MADE_BY: Mapping[str, str] = {
    "mean": "the mean of an item's ratings",
    "median": "the median of an item's ratings",
    "score": "the mean of the codes of an item's ratings",
}
WITH_PRIOR = ("dawid-skene", "one-coin")
UNSURE = 0.9

# What methods were asked for, as an author would write it and in that order; what is not listed
# needs no mention.
_CHOICES: Mapping[str, str] = {
    "min_share": "with at least {percent:g} % of the ratings of an item",
    "at_least": "namely {value} or more",
    "scheme": "after answers were grouped into classes ({value})",
    "restarts": "with {value} random starts",
    "iterations": "in at most {value} iterations",
    "threshold": "for the {percent:g} % of items it is surest of",
    "controls": "given the items whose label is known",
    "priors": "given how frequent labels are expected to be",
    "only_if": "with a question counted only if another has a label ({value})",
    "em": "fitted by plain expectation maximisation",
    "smoothing": "{value} added to every count",
    "rescale": "moved to another scale",
}


@dataclass(frozen=True, slots=True)
class Labelling:
    """How labels were made."""

    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        """How the method comes to a label."""
        return _KINDS.get(self.method, "model")

    @property
    def name(self) -> str:
        """The method as a reader knows it, with its prior where it has a choice."""
        name = NAMES.get(self.method, self.method.replace("-", " "))
        pooled = self.method in WITH_PRIOR and self.parameters.get("prior") != "none"
        return f"{name} with a pooled prior" if pooled else name

    @property
    def by(self) -> str:
        """What labels were made by, as a methods section puts it."""
        return _MADE_BY.get(self.method, self.name)

    @property
    def min_share(self) -> float:
        """Share of the ratings a strict majority needs."""
        return float(self.parameters.get("min_share") or 0.7)

    @property
    def at_least(self) -> int | None:
        """How many people must share a label."""
        asked = self.parameters.get("at_least")
        return None if asked is None else int(asked)

    @property
    def opens_ties(self) -> bool:
        """Whether a tie is left undecided; else it goes to the smallest label."""
        return self.parameters.get("ties") == "undecided"

    @property
    def choices(self) -> str:
        """What the method was asked for, as a clause of a sentence; empty if nothing was.

        >>> Labelling("strict-majority", {"min_share": 0.7}).choices
        ', with at least 70 % of the ratings of an item'
        >>> Labelling("agreed-by", {"scheme": "adept-5", "at_least": 2}).choices
        ', namely 2 or more, after answers were grouped into classes (adept-5)'
        """
        given = {name: self.parameters[name] for name in _CHOICES if self.parameters.get(name)}
        clauses = (
            _CHOICES[name].format(
                value=one, percent=100 * one if isinstance(one, int | float) else one
            )
            for name, one in given.items()
        )
        return "".join(f", {one}" for one in clauses)

    @property
    def scales(self) -> tuple[str, ...]:
        """The ends of the scale numbers were moved from, then of the one they were moved to."""
        text = str(self.parameters.get("rescale") or "")
        return tuple(end.strip() for end in text.replace("|", ",").split(",")) if text else ()

    def unsure(self, labels: pl.DataFrame) -> int:
        """Return for how many items no label is as probable as `UNSURE`."""
        return labels.filter(pl.col("support") < UNSURE).height

    def unsupported(self, labels: pl.DataFrame) -> int:
        """Return how many items have a label of which nothing shows how probable it is."""
        if self.kind not in ("model", "weighed", "scale"):
            return 0
        return labels.filter(pl.col("support").is_null() & pl.col("label").is_not_null()).height

    def numbers(self, labels: pl.DataFrame) -> tuple[float | None, float | None, float | None]:
        """Return the lowest, the middle and the highest label of a method that gives numbers."""
        values = labels["label"].cast(pl.Float64, strict=False).drop_nulls()
        if self.kind != "number" or values.is_empty():
            return None, None, None
        low, middle, high = values.min(), values.median(), values.max()
        return float(str(low)), float(str(middle)), float(str(high))
