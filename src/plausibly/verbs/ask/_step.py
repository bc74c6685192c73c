"""Asking language models about a study's own items, once people's labels are fixed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.asking.languages import check_made_for
from plausibly.asking.results import ratings_of
from plausibly.datasets.gita import TASKS
from plausibly.datasets.gita.released import decided_stories
from plausibly.errors import StudyError
from plausibly.evaluation.in_study import (
    ASKED_DOCUMENT,
    ASKED_FILE,
    ASKED_FOLDER,
    ITEMS_FILE,
    LABELS_FILE,
    folder_name,
    texts,
)
from plausibly.evaluation.people import with_distinct_names
from plausibly.study.hooks import Named, Set
from plausibly.study.parameters import argument_docs, check_value, parameters_of
from plausibly.study.results import finite
from plausibly.study.settings import FILE
from plausibly.study.steps import Step, Work
from plausibly.study.verb import InStudy, Places, declared
from plausibly.tables import ANNOTATORS, ITEMS, LABELS, PREDICTIONS, RATINGS
from plausibly.verbs.ask._examples import PLACES
from plausibly.verbs.ask._one import ask_one
from plausibly.verbs.ask._result import Asked, NoAnswer

RATED, ASKED_MODELS = f"{ASKED_FOLDER}/ratings.parquet", f"{ASKED_FOLDER}/annotators.parquet"
STORIES_FILE = f"{ASKED_FOLDER}/stories.jsonl"
OPTIONS = (
    *("prompts", "shots", "shot_sets", "tasks", "normalise", "style", "api", "logprobs"),
    *("max_tokens", "max_room", "temperature", "top_p", "reasoning_effort", "param"),
    *("concurrency", "max_wait", "timeout", "price", "budget", "cutoff", "limit"),
    "made_for",
)
OF_FORMS = (
    *(
        "prompts",
        "shots",
        "shot_sets",
        "samples",
        "style",
        "api",
        "logprobs",
        "max_tokens",
        "max_room",
        "temperature",
    ),
    *("top_p", "reasoning_effort", "param", "concurrency", "max_wait", "timeout", "price"),
    *("budget", "cutoff", "limit", "made_for"),
)
OF_STORIES = ("implausible", "gated", "protocol")
NUMBERS = ("shots", "implausible")
"""Options in words that may be a number in study.toml."""


def _in_study(work: Work, places: Places, *, dataset: str) -> None:
    del places
    chosen = _options(work)
    items, about = _asked_about(work, dataset)
    parts, documents, said, silent = [], list[dict[str, Any]](), list[Asked](), list[NoAnswer]()
    models = list(dict.fromkeys(texts(work.parameters, "model", of="ask")))
    check_made_for(models, chosen.get("made_for", ()))
    for name in models:
        folder = work.path(ASKED_FOLDER) / folder_name(name)
        try:
            asked: Asked = declared(ask_one).call(
                dataset or str(work.path(FILE).parent),
                model=name,
                items=items,
                output=folder,
                seed=work.seed,
                watch=work.watch,
                **chosen,
            )
        except NoAnswer as silence:
            if not silence.lasting:
                raise
            silent.append(silence)
            documents.append({"model": name, "reason": str(silence)})
            continue
        _require_whole(asked, folder)
        work.notes.extend(
            f"{name}: {note}" for note in (*asked.lost, *asked.unread, *asked.foreign)
        )
        parts.append((folder.name, asked.predictions))
        documents.append(asked.as_json())
        said.append(asked)
    if not said and silent:
        raise silent[0]
    work.notes.extend(str(one) for one in silent)
    table = PREDICTIONS.sort(_models_apart(parts))
    ratings, annotators = ratings_of(table) if dataset else _samples(said)
    work.write(ASKED_FILE, table, PREDICTIONS)
    work.write(RATED, ratings, RATINGS)
    work.write(ASKED_MODELS, annotators, ANNOTATORS)
    work.write_json(ASKED_DOCUMENT, finite({"models": documents, **about}))


def _models_apart(parts: Sequence[tuple[str, pl.DataFrame]]) -> pl.DataFrame:
    """Return all predictions; two models of one name are told apart by their folders."""
    names = Counter(one for _, table in parts for one in table["asked"].unique())
    own = [
        (
            folder,
            table.with_columns(
                asked=pl.when(pl.col("asked").replace_strict(names, default=1) > 1)
                .then(pl.lit(folder))
                .otherwise("asked")
            ),
        )
        for folder, table in parts
    ]
    return with_distinct_names(own)


def _samples(said: Sequence[Asked]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return what every sample of every model said, as ratings, and who those annotators are."""
    ratings = pl.concat([one.ratings for one in said])
    annotators = pl.concat([one.annotators for one in said]).unique("annotator")
    return RATINGS.sort(ratings.unique(RATINGS.key, keep="first")), ANNOTATORS.sort(annotators)


def _options(work: Work) -> dict[str, Any]:
    """Return what study.toml says, of the kinds `ask` takes."""
    kinds = parameters_of(ask_one)
    chosen = {name: value for name, value in work.parameters.items() if name != "model"}
    for name, value in chosen.items():
        if name in NUMBERS and type(value) is int:
            chosen[name] = str(value)
        check_value(f"[ask] {name}", kinds[name].kind, chosen[name])
    wording = chosen.get("prompts")
    if isinstance(wording, str) and Path(wording).suffix:
        chosen["prompts"] = str(work.path(wording))
    return chosen


def _asked_about(work: Work, dataset: str) -> tuple[Path, dict[str, Any]]:
    """Return the file that models are asked about, and what the document says of it.

    GITA's tiers are gated and scored by what is right of a story, which people have said.
    """
    if dataset != "gita":  # the items as they are, whatever people say of them
        return work.path(ITEMS_FILE), {}
    named = str(work.parameters["tasks"] or ",".join(TASKS)).split(",")
    lines, left_out = decided_stories(
        work.read(ITEMS_FILE, ITEMS),
        work.read(LABELS_FILE, LABELS),
        tasks=[name.strip() for name in named],
    )
    work.write_text(STORIES_FILE, lines)
    for question, number in sorted(left_out.items()):
        work.notes.append(f"not asked about, because they have no label for {question}: {number}.")
    decided = lines.count("\n")
    return work.path(STORIES_FILE), {"stories": {"decided": decided, "left_out": left_out}}


def _require_whole(asked: Asked, folder: Path) -> None:
    """Raise if an answer is missing that asking again could bring."""
    account = asked.account
    if not account.is_settled or account.waiting:
        raise StudyError(
            f"{folder}: {asked.lost[0]}. What was answered is kept: run the study again, and "
            "only what is missing is asked."
        )


def _as_set(default: object) -> object:
    """Return a default as study.toml would have it."""
    return list(default) if isinstance(default, tuple) else default


def step(dataset: str = "") -> Step:
    """Return the step that asks language models what people were asked.

    A study has it where `[ask] model` names one. It runs when people's labels are made, and what it
    writes is not part of their ratings.

    Args:
        dataset: Whose prompts and options are used: adept, gita, pap or sp10k; empty if the
            study's form is the prompt.
    """
    from plausibly.verbs.ask._verb import ask

    own, stories = signature(ask_one).parameters, dataset == "gita"
    options = (*OPTIONS, *(OF_STORIES if stories else ())) if dataset else OF_FORMS
    written = (STORIES_FILE,) if stories else ()
    in_study = InStudy(
        run=partial(_in_study, dataset=dataset),
        keys={"model": [], **{name: _as_set(own[name].default) for name in options}},
        inputs=(ITEMS_FILE, LABELS_FILE, *(() if dataset else PLACES)),
        outputs=(ASKED_FILE, RATED, ASKED_MODELS, ASKED_DOCUMENT, *written),
        external=Named(("prompts",), () if dataset else ("form.*.toml",)),
        heeds=() if dataset else ("form.questions", "form.instructions"),
        wanted=Set("ask", "model"),
        begins="[ask] model",
        explained={**argument_docs(ask), "model": "Language models to ask, by name."},
    )
    return replace(declared(ask_one), study=in_study).step()
