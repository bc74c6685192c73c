"""How well predictions go with what people say, every measure with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.domain import Measure
from plausibly.errors import StudyError
from plausibly.evaluation.in_study import (
    ITEMS_FILE,
    LABELS_FILE,
    PREDICTIONS_FILE,
    judges,
    study_files,
)
from plausibly.evaluation.pairs import Undefined
from plausibly.evaluation.people import judgements
from plausibly.evaluation.report import Evaluation
from plausibly.evaluation.scoring import evaluations, strangers
from plausibly.evaluation.truth import read_truth
from plausibly.io.frames import Source
from plausibly.study.results import Made, Result, finite, text_table
from plausibly.study.steps import Parameters, Step, Work
from plausibly.tables import SCORES

SCORED = "scores.parquet"
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
    made: Made

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
    made = Made(
        "evaluate",
        inputs={"predictions": predictions, "against": against, "items": items, "train": train},
        parameters={
            "scheme": scheme,
            "relation": relation,
            "undefined": undefined,
            "clusters": truth.clusters,
            "resamples": resamples,
        },
        seed=seed,
    )
    return Evaluated(scores, models, strangers(table, truth), made)


def _in_study(work: Work, kept: str) -> None:
    chosen = {name: value for name, value in work.parameters.items() if value is not None}
    files = study_files(str(chosen.get("scheme", "")), kept=kept)
    if "train" in chosen:
        files["train"] = str(chosen.pop("train"))
    chosen |= {name: work.path(one) for name, one in files.items()}
    if not work.has(PREDICTIONS_FILE):
        raise StudyError(
            f"{work.path('study.toml')}: nothing to evaluate. "
            "Name models or files in [models_predict]."
        )
    result = evaluate_labels(work.path(PREDICTIONS_FILE), seed=work.seed, **chosen)
    work.write(SCORED, result.scores, SCORES)
    work.write_json("evaluate.json", finite(result.as_json()))


def evaluate_step(*, scheme: str | None, kept: str, source: str = "") -> Step:
    """Return the step that holds what models say against what the people of a study say.

    A study has it where it has predictions and a scheme.

    Args:
        scheme: That of the protocol, None where it has none.
        kept: The ratings left after cleaning.
        source: Where the defaults are published.
    """

    def wanted(sections: Mapping[str, Parameters]) -> bool:
        chosen = sections["evaluate"]["scheme"]
        return bool(chosen) and (bool(judges(sections)) or chosen != scheme)

    def learnt(parameters: Parameters) -> tuple[str, ...]:
        return tuple(str(parameters[name]) for name in ("train",) if parameters[name])

    return Step(
        "evaluate",
        partial(_in_study, kept=kept),
        inputs=(PREDICTIONS_FILE, ITEMS_FILE, LABELS_FILE, kept),
        outputs=(SCORED, "evaluate.json"),
        parameters={"scheme": scheme, "train": None, "resamples": RESAMPLES},
        source=source,
        external=learnt,
        wanted=wanted,
    )
