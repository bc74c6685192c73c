"""What a language model answers about a dataset, over prompts and examples."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from plausibly.asking.answers import Normalisation
from plausibly.asking.code import code_hash, libraries
from plausibly.asking.forecast import check_budget, contamination, outlook, parse_price
from plausibly.asking.inquiries import NO_DATA, AskChoices, fitting_tasks, inquiry
from plausibly.asking.journal import journal
from plausibly.asking.languages import languages_of
from plausibly.asking.plan import Inquiry, carry_out, first_queries
from plausibly.asking.prompts import MAX_ROOM, MAX_TOKENS, Prompt
from plausibly.asking.results import (
    predictions_of,
    ratings_of,
    sorted_samples,
)
from plausibly.asking.running import Asker
from plausibly.asking.subjects import SUBJECTS, AskedSet
from plausibly.backends.language_models import card_languages
from plausibly.backends.openai import Api
from plausibly.backends.scripted import ReplayModel
from plausibly.datasets.catalogue import data_folder, find
from plausibly.errors import StudyError, option
from plausibly.ports import SILENCE, LanguageModel, Watch
from plausibly.study.folder import PROTOCOLS
from plausibly.study.made import Made, being_made, described
from plausibly.study.verb import verb
from plausibly.verbs.ask._asked_form import SHOWN, Style, asked_form, in_full, reached_as
from plausibly.verbs.ask._result import IN_FULL, Asked, require_answers

CUTOFFS = {"gemma3-270m": "2024-08"}
"""Months training data end: Gemma 3's as its card says for all sizes, 270M among them
(ai.google.dev/gemma/docs/core/model_card_3); SmolLM2's says none."""


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
    samples: int = 1,
    forecast: bool = False,
    dry: bool = False,
    price: str | None = None,
    budget: float | None = None,
    cutoff: str | None = None,
    made_for: Sequence[str] = (),
    seed: int = 1,
    watch: Watch = SILENCE,
) -> Asked:
    """Ask one language model about the items of one dataset, study or protocol."""
    given: dict[str, Any] = locals()
    _check_numbers(max_room, concurrency=concurrency, max_tokens=max_tokens)
    languages = languages_of(model, made_for) or card_languages(model)
    if dataset not in SUBJECTS:
        return asked_form(**given, languages=languages)
    _check_samples(samples, dataset)
    subject = SUBJECTS[dataset]
    own = None if items is None else Path(items)
    folder = data_place(data) if own is None else data_folder(data)
    reached = reached_as(model, given)
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
        asker.account.price, asker.account.budget = costs, budget
        forecast = forecast or dry
        expected = _expected(asker, plan) if forecast or costs or budget is not None else None
        if expected is not None:
            check_budget(expected, budget)
            expected |= _in_full(plan, asker) if dry else {}
        answered = [] if forecast else sorted_samples(carry_out(plan, asker))
    require_answers(asker.account, answered, reached.source)
    table = predictions_of(
        answered,
        model=reached.name,
        questions=subject.questions_of(plan.tasks),
        score=subject.score,
        normalisation=normalise,
    )
    about = {**_about(reached, plan), "contamination": seen}
    about["model"] |= {"made_for": list(languages)} if languages else {}
    if expected is not None:
        about["forecast"] = expected
    shown_forecast = expected if forecast else None
    made = _made(subject, folder) if own is None else being_made()
    tables = (table, *ratings_of(table))
    result = Asked(*tables, answered, asker.account, about, dataset, shown_forecast, made=made)
    if output is not None and not forecast:
        result.write(output)
    return result


def _in_full(plan: Inquiry, asker: Asker) -> dict[str, list[str]]:
    """Return the first queries as a person can read them."""
    return {IN_FULL: [in_full(one) for one in first_queries(plan, asker)[:SHOWN]]}


def _check_numbers(max_room: int, **counts: int) -> None:
    for name, count in counts.items():
        if count < 1:
            what = f"{option(name)} must be at least 1; got {count}."
            raise StudyError(what, parameter=name)
    if max_room < counts["max_tokens"]:
        least = f"{option('max_tokens')} ({counts['max_tokens']})"
        what = f"{option('max_room')} must be at least {least}; got {max_room}."
        raise StudyError(what, parameter="max_room")


def _check_samples(samples: int, dataset: str) -> None:
    if samples != 1:
        what = f"{option('samples')} is for the form of a study or protocol, not for {dataset}."
        raise StudyError(what, parameter="samples")


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
    folder = data_folder(data)
    if folder is None:
        raise StudyError(NO_DATA)
    return folder


def _expected(asker: Asker, plan: Inquiry) -> dict[str, Any]:
    """Return what would be sent at most, before anything is."""
    queries = first_queries(plan, asker)
    return dict(outlook(queries, asker.unknown(queries), asker.account.price))


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
