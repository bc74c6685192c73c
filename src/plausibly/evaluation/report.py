"""What an evaluation comes to: measures by slice, and what cannot be said in one number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from plausibly.domain import Measure
from plausibly.tables import SCORES

WHOLE = "all"
Measures = Mapping[str, Measure]


@dataclass(frozen=True)
class Evaluation:
    """How well one model did under one scheme.

    Args:
        scheme: Name of the scheme.
        model: Name of the model.
        slices: Measures of all rows (`all`) and of parts of them.
        details: What is not a measure: confusion tables, labels, notes.
        nested: Key under which slices `outer/inner` are in the document; without, the measures
            of `all` stand at the top.
        judged: item, label and predicted of every row, for schemes of classes.
    """

    scheme: str
    model: str
    slices: Mapping[str, Measures]
    details: Mapping[str, object] = field(default_factory=dict)
    nested: str | None = None
    judged: pl.DataFrame | None = field(default=None, compare=False, repr=False)

    @property
    def scores(self) -> pl.DataFrame:
        """The measures as a scores table."""
        rows = [
            {
                "metric": metric,
                "slice": part,
                "model": self.model,
                "value": measure.value,
                "low": measure.low,
                "high": measure.high,
                "n": measure.n,
            }
            for part, measures in self.slices.items()
            for metric, measure in measures.items()
        ]
        return SCORES.sort(SCORES.check(pl.DataFrame(rows, schema=dict(SCORES.schema))))

    def as_json(self) -> dict[str, object]:
        """Return the evaluation as `evaluate --json` prints it."""
        document: dict[str, object] = {"scheme": self.scheme, "model": self.model}
        if self.nested is not None:
            return {**document, self.nested: self._parts(), **self.details}
        whole = _shown(self.slices[WHOLE])
        parts = {part: _shown(found) for part, found in self.slices.items() if part != WHOLE}
        return {**document, **whole, **self.details, **({"slices": parts} if parts else {})}

    def _parts(self) -> dict[str, dict[str, object]]:
        nested: dict[str, dict[str, object]] = {}
        for part, measures in self.slices.items():
            outer, _, inner = part.partition("/")
            nested.setdefault(outer, {})[inner] = _shown(measures)
        return nested


def _shown(measures: Measures) -> dict[str, object]:
    return {metric: measure.as_json() for metric, measure in measures.items()}
