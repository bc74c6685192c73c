"""How well predictions go with what people say, every measure with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import polars as pl

from plausibly.analysis.confusion import confusion_figure
from plausibly.analysis.figures import Figure
from plausibly.datasets.adept.pairs import read_pairs
from plausibly.domain import Measure
from plausibly.errors import StudyError, option
from plausibly.evaluation.classes import examples_of
from plausibly.evaluation.pairs import Undefined
from plausibly.evaluation.people import judgements
from plausibly.evaluation.report import Evaluation
from plausibly.evaluation.scoring import evaluations, strangers
from plausibly.evaluation.truth import read_truth
from plausibly.io.frames import Source
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
        examples: model, item, text, label, predicted, right: items predicted rightly and wrongly;
            None if none were asked for.
    """

    scores: pl.DataFrame
    models: tuple[Evaluation, ...]
    strangers: int
    examples: pl.DataFrame | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the document of `evaluate --json`: one model flat, several under `models`."""
        if len(self.models) == 1:
            return {**self.models[0].as_json(), **self._shown(self.models[0].model)}
        models = {one.model: {**one.as_json(), **self._shown(one.model)} for one in self.models}
        return {"models": models}

    def _shown(self, model: str) -> dict[str, Any]:
        """Return the examples of a model under their key, where there are any."""
        if self.examples is None:
            return {}
        return {"examples": self.examples.filter(model=model).drop("model").to_dicts()}

    @property
    def documents(self) -> Mapping[str, object]:
        """The confusion matrix of every model, drawn, for schemes of classes."""
        return {f"{one.name}.svg": one.svg for one in self.figures}

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """The confusion matrix of every model; none for a scheme without classes."""
        return tuple(
            confusion_figure(
                one.model,
                one.scheme,
                cast("list[str]", one.details["labels"]),
                cast("list[list[int]]", one.details["confusion"]),
            )
            for one in self.models
            if "confusion" in one.details
        )

    def text(self) -> str:
        """Return the measures as a table for people."""
        header = ("model", "slice", "metric", "value", "low", "high", "n", "note")
        own = slice(0 if len(self.models) > 1 else 1, None)
        table = text_table(header[own], [row[own] for row in self._rows()])
        if self.examples is None:
            return table
        return f"{table}\n{text_table(self.examples.columns, self.examples.iter_rows())}"

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for one in self.models:
            for part, measures in one.slices.items():
                if _absent(measures):
                    continue
                for metric, found in measures.items():
                    numbers = (found.value, found.low, found.high, found.n)
                    yield one.model, part, metric, *numbers, found.reason or _heads(found)

    @property
    def talk(self) -> tuple[str, ...]:
        """Which models were evaluated under which scheme."""
        names = ", ".join(one.model for one in self.models)
        drawn = self.made.parameters.get("clusters")
        by = f", intervals from draws by {drawn}" if drawn else ""
        said = f"{names}: scheme {self.models[0].scheme}{by}."
        without = [
            f"{part} is not shown: {why}."
            for part, measures in self.models[0].slices.items()
            if (why := _absent(measures))
        ]
        if not self.strangers:
            return (said, *without)
        left = (
            f"{self.strangers} predictions are left out, because their items are not in the file."
        )
        return (said, *without, left)


def _absent(measures: Mapping[str, Measure]) -> str:
    """Return why no measure of a part has a value, where it is the same for all; else empty."""
    reasons = {one.reason for one in measures.values() if one.value is None}
    missing = all(one.value is None for one in measures.values())
    return next(iter(reasons)) or "" if missing and len(reasons) == 1 else ""


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
    examples: int = 0,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Evaluated:
    """Evaluate predictions against a file of labels, pairs, events or ratings, by a scheme."""
    if examples < 0:
        what = f"{option('examples')} must be 0 or more; got {examples}."
        raise StudyError(what, parameter="examples")
    table = judgements(predictions, scheme)
    known, learnt = (None if one is None else Path(one) for one in (items, train))
    truth = read_truth(
        Path(against), scheme, relation=relation, train=learnt, items=known, clusters=clusters
    )
    truth = truth.treating(undefined)
    models = tuple(evaluations(table, truth, resamples=resamples, seed=seed))
    scores = SCORES.sort(pl.concat([one.scores for one in models]))
    cases = None
    if examples:
        place = Path(against) if known is None else known
        cases = _examples(models, place, count=examples, seed=seed)
    return Evaluated(scores, models, strangers(table, truth), cases)


def _texts(path: Path) -> pl.DataFrame:
    """Return item and text of the file that labels are about."""
    pairs = read_pairs(path, labelled=False)
    name = "item" if "item" in pairs.columns else "idx"
    return pairs.select(item=pl.col(name).cast(pl.String), text="sentence2")


def _examples(models: Sequence[Evaluation], place: Path, *, count: int, seed: int) -> pl.DataFrame:
    judged = {one.model: one.judged for one in models if one.judged is not None}
    if not judged:
        raise StudyError(
            f"{option('examples')} is for schemes of classes; {models[0].scheme} has none.",
            parameter="examples",
        )
    texts = _texts(place)
    parts = [
        examples_of(rows, texts, count=count, seed=seed).select(pl.lit(model).alias("model"), "*")
        for model, rows in judged.items()
    ]
    return pl.concat(parts)
