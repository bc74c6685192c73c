"""Asking language models about a study's own items, once people's labels are fixed."""

from __future__ import annotations

from functools import partial
from inspect import signature

from plausibly.asking.results import ratings_of
from plausibly.errors import StudyError
from plausibly.evaluation.in_study import ASKED_FILE, ITEMS_FILE, LABELS_FILE, texts
from plausibly.evaluation.people import told_apart
from plausibly.study.results import finite
from plausibly.study.steps import Step, Work
from plausibly.tables import ANNOTATORS, PREDICTIONS, RATINGS
from plausibly.verbs.ask._one import ask
from plausibly.verbs.ask._table import folder_name

FOLDER = "ask"
RATED, ASKED_MODELS = f"{FOLDER}/ratings.parquet", f"{FOLDER}/annotators.parquet"
TOLD = f"{FOLDER}.json"
OPTIONS = (
    *("prompts", "shots", "shot_sets", "tasks", "normalise", "style", "api", "logprobs"),
    *("concurrency", "max_wait", "timeout"),
)


def _in_study(work: Work, dataset: str) -> None:
    chosen = {name: work.parameters[name] for name in OPTIONS}
    parts, documents = [], []
    for name in dict.fromkeys(texts(work.parameters, "model", of="ask")):
        folder = work.path(FOLDER) / folder_name(name)
        asked = ask(
            dataset,
            model=name,
            items=work.path(ITEMS_FILE),
            output=folder,
            seed=work.seed,
            watch=work.watch,
            **chosen,
        )
        if asked.lost:
            raise StudyError(
                f"{folder}: {asked.lost[0]}. What was answered is kept: run the study again, and "
                "only what is missing is asked."
            )
        parts.append((asked.about["model"]["name"], asked.predictions.select(*PREDICTIONS.schema)))
        documents.append(asked.as_json())
    table = PREDICTIONS.sort(told_apart(parts))
    ratings, annotators = ratings_of(table)
    work.write(ASKED_FILE, table, PREDICTIONS)
    work.write(RATED, ratings, RATINGS)
    work.write(ASKED_MODELS, annotators, ANNOTATORS)
    work.write_json(TOLD, finite({"models": documents}))


def ask_step(dataset: str) -> Step:
    """Return the step that asks language models what people were asked.

    A study has it where `[ask] model` names one. It runs when people's labels are made, and what it
    writes is no part of their ratings.

    Args:
        dataset: Whose prompts and options are used: adept, pap or sp10k.
    """
    own = signature(ask).parameters
    return Step(
        "ask",
        partial(_in_study, dataset=dataset),
        inputs=(ITEMS_FILE, LABELS_FILE),
        outputs=(ASKED_FILE, RATED, ASKED_MODELS, TOLD),
        parameters={"model": [], **{name: own[name].default for name in OPTIONS}},
        wanted=lambda sections: bool(sections["ask"]["model"]),
        begins="[ask] model",
    )
