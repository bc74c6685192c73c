"""How well predictions go with what people say, every measure with its interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.domain import Measure
from plausibly.evaluation.pairs import Undefined
from plausibly.evaluation.people import judgements
from plausibly.evaluation.report import Evaluation
from plausibly.evaluation.scoring import evaluations, strangers
from plausibly.evaluation.truth import read_truth
from plausibly.io.frames import Source
from plausibly.study.made import Made, making
from plausibly.study.results import Result, text_table
from plausibly.tables import SCORES

RESAMPLES = 1000


@dataclass(frozen=True, eq=False, repr=False)
class Evaluated(Result):
    """How well each model did.

    Args:
        scores: metric, slice, model, value, low, high, n.
        models: The evaluation of each model.
        strangers: How many predictions are about items the file does not have.
        made: How this came about.
    """

    scores: pl.DataFrame
    models: tuple[Evaluation, ...]
    strangers: int
    made: Made = making()

    def as_json(self) -> dict[str, Any]:
        """Return the document of `evaluate --json`: one model flat, several under `models`."""
        if len(self.models) == 1:
            return self.models[0].as_json()
        return {"models": {one.model: one.as_json() for one in self.models}}

    def text(self) -> str:
        """Return the measures as a table for people."""
        header = ("model", "slice", "metric", "value", "low", "high", "n", "note")
        own = slice(0 if len(self.models) > 1 else 1, None)
        return text_table(header[own], [row[own] for row in self._rows()])

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for one in self.models:
            for part, measures in one.slices.items():
                for metric, found in measures.items():
                    numbers = (found.value, found.low, found.high, found.n)
                    yield one.model, part, metric, *numbers, found.reason or _heads(found)

    @property
    def talk(self) -> tuple[str, ...]:
        """Which models were evaluated under which scheme."""
        names = ", ".join(one.model for one in self.models)
        drawn = self.made.parameters.get("clusters")
        said = f"{names}: scheme {self.models[0].scheme}, intervals from draws by {drawn}."
        if not self.strangers:
            return (said,)
        left = f"{self.strangers} predictions are about items the file does not have; left out."
        return (said, left)


def _heads(found: Measure) -> str:
    """Return how many heads a mean over heads leaves out or counts as zero."""
    out, zero = (found.counts.get(f"heads_{kind}", 0) for kind in ("undefined", "zero"))
    notes = [f"{out} heads undefined, dropped"] if out else []
    return "; ".join([*notes, *([f"{zero} heads undefined, counted as 0"] if zero else [])])


def evaluate_labels(
    predictions: Source,
    *,
    against: str | Path,
    scheme: str,
    items: str | Path | None = None,
    relation: str | None = None,
    train: str | Path | None = None,
    undefined: Undefined | None = None,
    clusters: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Evaluated:
    """Evaluate predictions against a file of labels, pairs, events or ratings, by a scheme."""
    table = judgements(predictions, scheme)
    known, learnt = (None if one is None else Path(one) for one in (items, train))
    truth = read_truth(
        Path(against), scheme, relation=relation, train=learnt, items=known, clusters=clusters
    )
    truth = truth.treating(undefined)
    models = tuple(evaluations(table, truth, resamples=resamples, seed=seed))
    scores = SCORES.sort(pl.concat([one.scores for one in models]))
    return Evaluated(scores, models, strangers(table, truth))
