"""What a language model answers about a dataset, over prompts and examples."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import polars as pl

from plausibly.asking.answers import Normalisation
from plausibly.asking.code import code_hash, libraries
from plausibly.asking.forecast import check_budget, contamination, outlook, parse_price
from plausibly.asking.inquiries import NO_DATA, AskChoices, fitting_tasks, inquiry
from plausibly.asking.journal import journal
from plausibly.asking.plan import Inquiry, Sample, carry_out, first_queries
from plausibly.asking.prompts import MAX_ROOM, MAX_TOKENS, Prompt
from plausibly.asking.results import (
    position_bias,
    predictions_of,
    ratings_of,
    sorted_samples,
    task_results,
    unread_answers,
)
from plausibly.asking.running import Account, Asker
from plausibly.asking.subjects import SUBJECTS, AskedSet
from plausibly.backends.generation import generation
from plausibly.backends.language_models import Reaching, language_model
from plausibly.backends.openai import Api
from plausibly.backends.scripted import ReplayModel
from plausibly.datasets.catalogue import find
from plausibly.datasets.gita import CHOICE, SWAPPED
from plausibly.errors import StudyError, UnknownName, option
from plausibly.ports import SILENCE, LanguageModel, Watch
from plausibly.study.folder import PROTOCOLS
from plausibly.study.made import Made, being_made, described, making
from plausibly.study.results import Result, text_table
from plausibly.study.verb import verb

CUTOFFS = {"gemma3-270m": "2024-08"}
"""Months training data end: Gemma 3's as its card says for all sizes, 270M among them
(ai.google.dev/gemma/docs/core/model_card_3); SmolLM2's says none."""
Style = Literal["base", "instruct"]
UNREAD = "unread.json"
REFUSED = {
    "max_tokens": "max_completion_tokens was sent instead",
    "temperature": "answers were drawn at the server's own",
}
"""What was done about a parameter that a server refused."""


class NoAnswer(StudyError):
    """A model was asked and gave no answer at all."""


@dataclass(frozen=True, eq=False, repr=False)
class Asked(Result):
    """What a model answered.

    Args:
        predictions: One row per item, question and way of asking.
        ratings: The same answers as ratings, each way of asking an annotator.
        annotators: Those annotators, of kind `model`.
        samples: Every answer with its options, scores and examples.
        account: What was asked, known, answered and lost.
        about: Model, prompts and examples, for the manifest.
        dataset: What it was asked about.
        forecast: What would be sent, where nothing was to be.
        made: How this came about.
    """

    predictions: pl.DataFrame
    ratings: pl.DataFrame
    annotators: pl.DataFrame
    samples: Sequence[Sample]
    account: Account
    about: Mapping[str, Any]
    dataset: str
    forecast: Mapping[str, Any] | None = field(default=None)
    made: Made = making()

    def as_json(self) -> dict[str, Any]:
        """Return the document of `ask --json`."""
        document = {
            "dataset": self.dataset,
            "model": self.about["model"]["name"],
            "tasks": task_results(self.samples),
            "account": self.account.as_json(),
            "notes": list(self.notes),
        }
        position = position_bias(self.samples, (CHOICE, SWAPPED))
        if position is not None:
            document["position"] = position
        return document if self.forecast is None else document | {"forecast": dict(self.forecast)}

    def text(self) -> str:
        """Return how often the model is right in each task, over all ways of asking."""
        if self.forecast is not None:
            return text_table(("forecast", ""), list(self.forecast.items()))
        header = ("task", "right", "sd", "lowest", "highest", "ways", "items", "unread")
        rows = []
        for task, result in task_results(self.samples).items():
            right = result["right"] or {}
            spread = (right.get(name) for name in ("mean", "sd", "lowest", "highest", "n"))
            rows.append((task, *spread, result["items"], result.get("unread")))
        return text_table(header, rows)

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
        signed = Counter(sample["signed"] for sample in self.samples if sample.get("signed"))
        if signed:
            names = ", ".join(f"{name} ({count})" for name, count in sorted(signed.items()))
            notes.append(f"Answers signed by another than was asked: {names}.")
        return tuple(notes)

    @property
    def talk(self) -> tuple[str, ...]:
        """The account in words, and the notes."""
        account = self.account
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


DATA = "PLAUSIBLY_DATA"


def _line(sample: Sample) -> str:
    return json.dumps(sample, ensure_ascii=False)


@verb("ask")
def ask_one(
    dataset: str,
    *,
    model: str,
    output: str | Path | None = None,
    data: str | Path | None = None,
    items: str | Path | None = None,
    prompts: str | None = None,
    shots: str | None = None,
    shot_sets: int = 1,
    implausible: str | None = None,
    tasks: str | None = None,
    limit: int | None = None,
    gated: bool = False,
    protocol: Literal["gita-2024"] | None = None,
    normalise: Normalisation = "none",
    style: Style | None = None,
    api: Api = "chat",
    logprobs: bool = False,
    max_tokens: int = MAX_TOKENS,
    max_room: int = MAX_ROOM,
    temperature: float = 0.0,
    top_p: float | None = None,
    reasoning_effort: str | None = None,
    param: Sequence[str] = (),
    concurrency: int = 4,
    max_wait: float = 300.0,
    timeout: float = 300.0,
    forecast: bool = False,
    price: str | None = None,
    budget: float | None = None,
    cutoff: str | None = None,
    seed: int = 1,
    watch: Watch = SILENCE,
) -> Asked:
    """Ask one language model about the items of one dataset."""
    if dataset not in SUBJECTS:
        raise UnknownName("dataset", dataset, SUBJECTS, parameter="dataset")
    _check_numbers(max_room, concurrency=concurrency, max_tokens=max_tokens)
    subject = SUBJECTS[dataset]
    own = None if items is None else Path(items)
    folder = data_place(data) if own is None or data or os.environ.get(DATA) else None
    converses = None if style is None else style == "instruct"
    writing = generation(temperature, top_p, reasoning_effort, param)
    reaching = Reaching(api, logprobs, max_wait, timeout, converses, writing)
    reached = language_model(model, reaching)
    tasks = fitting_tasks(subject, tasks, writes_only=reached.options_at_once == 0)
    drawn = (prompts, shots, shot_sets, implausible, tasks, limit, gated, protocol, normalise)
    chosen = AskChoices(*drawn, seed, own, max_tokens, not isinstance(reached, ReplayModel))
    plan = inquiry(subject, folder, chosen, wording=PROTOCOLS[dataset].prompts)
    costs = parse_price(price)
    seen = contamination(
        subject.released, subject.since, cutoff or CUTOFFS.get(model), own=own is not None
    )
    with ExitStack() as stack:
        kept = Path(output) if output is not None else Path(stack.enter_context(_temporary()))
        answers = stack.enter_context(journal(kept))
        asker = Asker(reached, answers, concurrency=concurrency, watch=watch, max_room=max_room)
        asker.account.price = costs
        expected = _expected(asker, plan) if forecast or costs or budget is not None else None
        if expected is not None:
            check_budget(expected, budget)
        samples = [] if forecast else sorted_samples(carry_out(plan, asker))
    if asker.account.failed and not samples:
        reason = next(iter(asker.account.failed))
        detail = asker.account.examples[reason]
        raise NoAnswer(f"{reached.source}: no answer. {reason}: {detail}")
    table = predictions_of(
        samples,
        model=reached.name,
        questions=subject.questions,
        score=subject.score,
        normalisation=normalise,
    )
    about = {**_about(reached, plan), "contamination": seen}
    if expected is not None:
        about["forecast"] = expected
    told = expected if forecast else None
    made = _made(subject, folder) if own is None else being_made()
    tables = (table, *ratings_of(table))
    result = Asked(*tables, samples, asker.account, about, dataset, told, made=made)
    if output is not None and not forecast:
        result.write(output)
    return result


def _check_numbers(max_room: int, **counts: int) -> None:
    for name, count in counts.items():
        if count < 1:
            what = f"{option(name)} must be at least 1; got {count}."
            raise StudyError(what, parameter=name)
    if max_room < counts["max_tokens"]:
        least = f"{option('max_tokens')} ({counts['max_tokens']})"
        what = f"{option('max_room')} must be at least {least}; got {max_room}."
        raise StudyError(what, parameter="max_room")


def _temporary() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="plausibly-ask-")


def _made(subject: AskedSet, folder: Path | None) -> Made:
    """Return how answers about a published dataset come about, with the files it is read from."""
    made = being_made()
    places = (
        {} if folder is None else {one: find(folder, subject.name, one) for one in subject.files}
    )
    files = {name: described(place) for name, place in places.items() if place is not None}
    return replace(made, inputs={**made.inputs, **files})


def data_place(data: str | Path | None) -> Path:
    """Return the folder with the published datasets, as named or as the environment says."""
    named = data or os.environ.get(DATA)
    if not named:
        raise StudyError(NO_DATA)
    return Path(named)


def _expected(asker: Asker, plan: Inquiry) -> dict[str, int | float]:
    """Return what would be sent at most, before anything is."""
    queries = first_queries(plan, asker)
    return outlook(queries, asker.unknown(queries), asker.account.price)


def _about(model: LanguageModel, plan: Inquiry) -> dict[str, Any]:
    prompts: dict[str, Prompt] = {one.prompt.name: one.prompt for one in plan.variants}
    return {
        "model": {
            "name": model.name,
            "identity": model.identity,
            "source": model.source,
            "converses": model.converses,
        },
        "prompts": {
            name: {"language": one.language, "about": one.about, "sha256": one.digest}
            for name, one in prompts.items()
        },
        "shot_sets": {
            one.shot_set: {task: list(items) for task, items in one.items.items()}
            for one in plan.variants
        },
        "items": len(plan.cases),
        "code": {"sha256": code_hash(), "libraries": libraries()},
    }
