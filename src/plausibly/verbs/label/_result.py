"""What `label` returns: labels by question, with how and why each was labelled so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from plausibly.analysis.figures import Figure, labels_figure, numbers_figure
from plausibly.labels import Fitted
from plausibly.labels.calibration import Calibration, calibration_json, calibration_notes
from plausibly.labels.defaults import LabelChoice
from plausibly.labels.results import QUESTION
from plausibly.labels.summaries import (
    positions_of,
    reliability_of,
    shares_of,
    shrinkage_of,
    shrinkage_sentences,
    spread_of,
)
from plausibly.labels.ties import Ties, distributions
from plausibly.labels.ties import ties as tied_in
from plausibly.measures.questions import QuestionScale
from plausibly.ratings.sources import left_out_checks
from plausibly.registry import called
from plausibly.study.results import Result, text_table

COMPUTED = ("mean", "median", "adjusted", "score", "share")
SEVERAL = "by question"


@dataclass(frozen=True, eq=False, repr=False)
class Labelled(Result):
    """Labels with what was learnt on the way.

    Args:
        labels: The labels table.
        competence: annotator, question, competence; None for methods without.
        entropy: item, question, entropy of its distribution in nats; None for methods without.
        method: Name of the method; "by question" where they differ.
        fitted: All a fitted method returns, None for one that only counts.
        checks: Ratings of checks that were left out.
        missing: How often each missing answer occurred.
        notes: How the file was read.
        ties: What a tie becomes: smallest or undecided.
        choices: By question, the method and why it was used; empty if one was asked for.
        scales: By question, its scale and why; empty if nothing depends on it.
        parts: The labels of each method, where questions have several.
        calibration: By question, how posteriors predict ratings left out; None unless asked for.
    """

    labels: pl.DataFrame
    competence: pl.DataFrame | None
    entropy: pl.DataFrame | None
    method: str
    fitted: Fitted | None
    checks: int = 0
    missing: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    ties: Ties = "smallest"
    choices: Mapping[str, LabelChoice] = field(default_factory=dict)
    scales: Mapping[str, QuestionScale] = field(default_factory=dict)
    parts: tuple[Labelled, ...] = ()
    calibration: Calibration | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the document of `label --json`; keys a method does not have are null."""
        parts = self.parts or (self,)
        questions = {
            name: {**inner, **part._top(), **self._reasons(name)}
            for part in parts
            for name, inner in part._questions()
        }
        if len(questions) == 1 and not self._left_out:
            return {**next(iter(questions.values())), **self._missing()}
        return {
            **self._top(),
            **self._missing(),
            "questions": {name: questions[name] for name in sorted(questions)},
            **({"left_out": self._left_out} if self._left_out else {}),
        }

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the ratings cannot support, one sentence or two each."""
        parts = self.parts or (self,)
        return tuple(one for part in parts if part.fitted for one in part.fitted.warnings)

    def _top(self) -> dict[str, Any]:
        return {
            "warnings": list(self.warnings),
            "method": None if self.parts else self.method,
            "restarts": self.fitted.restarts if self.fitted else None,
            "seed": self.fitted.seed if self.fitted else None,
        }

    def _missing(self) -> dict[str, Any]:
        return {"missing": dict(self.missing)} if self.missing else {}

    def _reasons(self, question: str) -> dict[str, Any]:
        """Return the scale a method follows from, and why; nothing for one that was asked for."""
        choice = self.choices.get(question)
        if choice is None or not choice.derived:
            return {}
        why = {"method_reason": choice.reason, "method_options": dict(choice.options)}
        return {**self.scales[question].as_json(), **why}

    @property
    def _left_out(self) -> dict[str, str]:
        """From a question without labels to the reason."""
        return {
            name: f"{self.scales[name].reason}: {one.reason}"
            for name, one in self.choices.items()
            if one.method is None
        }

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """How often each label was given, or where labels that are numbers lie."""
        drawn = [
            numbers_figure(part.labels) if part.method in COMPUTED else _figure(part.labels)
            for part in self.parts or (self,)
        ]
        return tuple(one for one in drawn if one is not None)

    @property
    def numeric_columns(self) -> Mapping[str, tuple[str, ...]]:
        """The labels, where every method computes a number."""
        methods = {part.method for part in self.parts or (self,)}
        return {"labels": ("label",)} if methods <= {*COMPUTED} else {}

    def text(self) -> str:
        """Return how often each label was given, or where the numbers lie, for each question."""
        if self.parts:
            return "\n".join(part._table(several=True) for part in self.parts)
        return self._table(several=self.labels["question"].n_unique() > 1)

    def _table(self, *, several: bool) -> str:
        counts = spread_of(self.labels) if self.method in COMPUTED else shares_of(self.labels)
        columns = counts.columns if several else counts.columns[1:]
        return text_table(columns, counts.select(columns).iter_rows())

    @property
    def talk(self) -> tuple[str, ...]:
        """How many items have no label, and how many ties there were."""
        said = [*self.notes, *left_out_checks(self.checks), *self.remarks]
        parts = self.parts or (self,)
        shrunk = [note for part in parts for note in shrinkage_sentences(part.fitted)]
        held_out = [note for part in parts for note in calibration_notes(part.calibration)]
        return (*said, self._counted(), *shrunk, *held_out, *self.warnings)

    def _counted(self) -> str:
        """Return how many items have no label, and what became of ties, in a sentence."""
        number, without = self.labels.height, self.labels["label"].null_count()
        one = self.labels["question"].n_unique() < 2
        missing = (
            f"{without} of {number} {'items have no label' if one else 'labels are undecided'}"
        )
        whole = f"All {number} {'items have a label' if one else 'labels are decided'}"
        if number == 1:
            missing, whole = "The item has no label", "The item has a label"
        tied = self._ties.height
        resolved = (
            "left undecided" if self.ties == "undecided" else "resolved to the smallest label"
        )
        ties = f"{tied} {'tie was' if tied == 1 else 'ties were'} {resolved}" if tied else "no ties"
        return f"{missing if without else whole}; {ties}."

    @property
    def remarks(self) -> tuple[str, ...]:
        """How each question was labelled, and why, where that follows from its scale."""
        derived = {name: one for name, one in self.choices.items() if one.derived}
        return tuple(
            f"{name}: {self.scales[name].scale} ({self.scales[name].reason}); "
            f"{'not labelled' if one.method is None else f'labelled by {called(one.method)}'} "
            f"({one.reason})."
            for name, one in sorted(derived.items())
        )

    @cached_property
    def _ties(self) -> pl.DataFrame:
        read = self.__dict__.get("_distributions")  # read only if they were
        return tied_in(self.labels, read, open_too=self.ties == "undecided")

    @cached_property
    def _distributions(self) -> list[dict[str, float] | None]:
        return distributions(self.labels)

    def _questions(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each question with what the method says about it."""
        tied, fitted = self._ties, self.fitted
        read = pl.Series(range(self.labels.height), dtype=pl.Int64)
        for question in self.labels["question"].unique().sort().to_list() or [QUESTION]:
            here = pl.col("question") == question
            own = self.labels.filter(here)
            names = own["label"].cast(pl.Float64) if self.method in COMPUTED else own["label"]
            rows = read.filter(self.labels["question"] == question).to_list()
            spread = [self._distributions[row] for row in rows]
            yield (
                question,
                {
                    "labels": dict(zip(own["item"].to_list(), names.to_list(), strict=True)),
                    "distribution": dict(zip(own["item"].to_list(), spread, strict=True)),
                    "entropy": (fitted and _pairs(fitted.entropy.filter(here), "item", "entropy"))
                    or None,
                    "competence": (
                        fitted and _pairs(fitted.competence.filter(here), "annotator", "competence")
                    )
                    or None,
                    "positions": fitted and positions_of(fitted.positions, question),
                    "log_likelihood": fitted and fitted.log_likelihood.get(question),
                    "iterations": fitted and fitted.iterations.get(question),
                    "overtime": fitted and fitted.overtime.get(question),
                    "ties": tied.filter(here)["item"].to_list(),
                    **reliability_of(fitted, question),
                    **shrinkage_of(fitted, question),
                    **calibration_json(self.calibration, question),
                },
            )


def _pairs(table: pl.DataFrame, key: str, value: str) -> dict[str, float | None]:
    return dict(table[key, value].iter_rows())


def _figure(labels: pl.DataFrame) -> Figure | None:
    names = {label: label for label in labels["label"].drop_nulls().unique().sort()}
    return labels_figure(labels, labels.select("item", condition="question").unique(), names)
