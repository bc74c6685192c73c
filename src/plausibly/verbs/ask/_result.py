"""What a language model answered, as tables, documents and sentences."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from plausibly.asking.languages import language_note
from plausibly.asking.plan import Sample
from plausibly.asking.results import position_bias, task_results, unread_answers
from plausibly.asking.running import Account
from plausibly.datasets.gita import CHOICE, SWAPPED
from plausibly.errors import StudyError
from plausibly.study.results import Result, text_table

UNREAD = "unread.json"
IN_FULL = "queries_in_full"
REFUSED = {
    "max_tokens": "max_completion_tokens was sent instead",
    "temperature": "answers were drawn at the server's own",
    "seed": "the same answers cannot be drawn again",
    "response_format": "answers were read from text",
    "tools": "answers were read from text",
}
"""What was done about a parameter that a server refused."""


class NoAnswer(StudyError):
    """A model was asked and gave no answer at all.

    Args:
        message: What happened.
        lasting: Whether asking the same again would end the same.
    """

    def __init__(self, message: str, *, lasting: bool = False) -> None:
        super().__init__(message)
        self.lasting = lasting


@dataclass(frozen=True, eq=False, repr=False)
class Asked(Result):
    """What a model answered.

    Args:
        predictions: One row per item, question and way of asking.
        ratings: The same answers as ratings; each way of asking is one annotator.
        annotators: Those annotators, of kind `model`.
        samples: Every answer with its options, scores and examples.
        account: What was asked, known, answered and lost.
        about: Model, prompts and examples, for the manifest.
        dataset: What it was asked about.
        forecast: What a run would send; None if this was a run.
        results: For a form, the answers by question; None for a dataset, whose samples have the
            right answers.
    """

    predictions: pl.DataFrame
    ratings: pl.DataFrame
    annotators: pl.DataFrame
    samples: Sequence[Sample]
    account: Account
    about: Mapping[str, Any]
    dataset: str
    forecast: Mapping[str, Any] | None = field(default=None)
    results: Mapping[str, Mapping[str, Any]] | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the document of `ask --json`."""
        document = {
            "dataset": self.dataset,
            "model": self.about["model"]["name"],
            **({"made_for": list(self.made_for)} if self.made_for else {}),
            **({"foreign": self.foreign[0]} if self.foreign else {}),
            "tasks": self._tasks,
            "account": self.account.as_json(),
            "contamination": self.about.get("contamination"),
            "notes": list(self.notes),
        }
        position = position_bias(self.samples, (CHOICE, SWAPPED))
        if position is not None:
            document["position"] = position
        return document if self.forecast is None else document | {"forecast": dict(self.forecast)}

    @property
    def made_for(self) -> tuple[str, ...]:
        """The languages the model was made for, empty if they were not named."""
        return tuple(self.about["model"].get("made_for", ()))

    @property
    def foreign(self) -> tuple[str, ...]:
        """What to know if the model was asked in a language that it was not made for."""
        asked_in = [one["language"] for one in self.about.get("prompts", {}).values()]
        asked_in += self.about.get("languages", ())
        note = language_note(self.made_for, [one for one in asked_in if one])
        return (note,) if note else ()

    @property
    def _tasks(self) -> Mapping[str, Mapping[str, Any]]:
        return task_results(self.samples) if self.results is None else self.results

    def text(self) -> str:
        """Return how often the model is right in each task, over all ways of asking."""
        if self.forecast is not None:
            counts = {k: v for k, v in self.forecast.items() if k != IN_FULL}
            whole = self.forecast.get(IN_FULL, ())
            return "\n\n".join([text_table(("forecast", ""), list(counts.items())), *whole])
        named = f"made for: {', '.join(self.made_for)}\n" if self.made_for else ""
        if self.results is not None:
            return _results_text(self.results) + named
        header = ("task", "right", "sd", "lowest", "highest", "ways", "items", "unread")
        rows = []
        for task, result in task_results(self.samples).items():
            right = result["right"] or {}
            spread = (right.get(name) for name in ("mean", "sd", "lowest", "highest", "n"))
            rows.append((task, *spread, result["items"], result.get("unread")))
        return text_table(header, rows) + named

    @property
    def lost(self) -> tuple[str, ...]:
        """What has no answer, and why."""
        return tuple(self.account.losses("queries have no answer"))

    @property
    def unread(self) -> tuple[str, ...]:
        """How many answers could not be read."""
        number = sum(sample["answer"] is None for sample in self.samples)
        if not number:
            return ()
        return (
            f"{number} of {len(self.samples)} answers are unread: they are not exactly one "
            f"option, and count as neither right nor wrong. {UNREAD} lists them.",
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know: what failed and why, what came from elsewhere."""
        account, notes = self.account, list(self.lost)
        if notes:
            notes.append("Run the same command again: only what is missing is asked.")
        if account.elsewhere:
            notes.append(f"{account.elsewhere} known answers came from another address.")
        notes += self.unread
        lacking = sum("no logprobs" in (sample["note"] or "") for sample in self.samples)
        if lacking:
            notes.append(f"{lacking} answers came without logprobs: read from their text.")
        for name, instead in REFUSED.items():
            if any(f"{name} refused" in (sample["note"] or "") for sample in self.samples):
                notes.append(f"The server refused {name}: {instead}.")
        if any("takes no seed" in (sample["note"] or "") for sample in self.samples):
            notes.append("The interface takes no seed: the same answers cannot be drawn again.")
        signed = Counter(sample["signed"] for sample in self.samples if sample.get("signed"))
        if signed:
            names = ", ".join(f"{name} ({count})" for name, count in sorted(signed.items()))
            notes.append(f"Answers signed by a model other than the one asked: {names}.")
        return (*notes, *self.foreign)

    @property
    def talk(self) -> tuple[str, ...]:
        """The account in words, and the notes."""
        account = self.account
        if self.forecast is not None:
            return (f"{self.about['model']['name']}: nothing was sent.", *self.notes)
        first = (
            f"{self.about['model']['name']}: {account.queries} queries, {account.known} known "
            f"already, {account.answered} answered now in {account.seconds:.1f} s."
        )
        if account.cost is not None:
            first += f" Cost: {account.cost:.4f}."
        return (first, *self.notes)

    @property
    def documents(self) -> Mapping[str, object]:
        """The samples, a line each, and those of them that are unread."""
        return {
            "samples.jsonl": "".join(f"{_line(sample)}\n" for sample in self.samples),
            UNREAD: unread_answers(self.samples),
        }

    @property
    def manifest(self) -> dict[str, Any]:
        """What was asked of whom with which words and examples."""
        return {**super().manifest, **self.about, "account": self.account.as_json()}


def _results_text(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Return what was answered to each question of a form."""
    header = ("question", "items", "answers", "unread", "mean", "most given")
    rows = [
        (name, one["items"], one["samples"], one["unread"], one["mean"], _commonest(one["answers"]))
        for name, one in results.items()
    ]
    return text_table(header, rows)


def _commonest(answers: Mapping[str, int]) -> str:
    first = sorted(answers.items(), key=lambda one: (-one[1], one[0]))[:3]
    return ", ".join(f"{answer} ({count})" for answer, count in first)


def _line(sample: Sample) -> str:
    return json.dumps(sample, ensure_ascii=False)


def require_answers(account: Account, samples: Sequence[Sample], source: str) -> None:
    """Raise if everything failed, with the first reason."""
    if account.failed and not samples:
        reason = next(iter(account.failed))
        what = f"{source}: no answer. {reason}: {account.examples[reason]}"
        raise NoAnswer(what, lasting=account.is_settled)
