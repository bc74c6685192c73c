"""GITA4CALAMITA Table 3: every model whose answers are in the data folder, scored again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from plausibly.datasets.gita.answers import Answers, read_metrics
from plausibly.datasets.gita.scored import STORY_FIELDS
from plausibly.evaluation.gita import GitaScores, score_gita
from plausibly.evaluation.gita_tally import METRICS
from plausibly.replications.claims import Claim
from plausibly.replications.gita_release import Release
from plausibly.replications.record import Record, Value

# Percent as printed; the columns are METRICS. The names are those of the released folders.
TABLE3 = {
    "gemma-2-9b": (58.43, 80.00, 76.23, 19.33, 11.76, 9.57, 14.05, 1.68, 1.74, 1.65),
    "gemma-2-9b-it": (72.75, 80.87, 54.10, 84.03, 33.61, 53.91, 14.88, 16.39, 26.96, 6.61),
    "gemma-2-27b": (45.22, 27.83, 27.87, 79.83, 6.30, 5.22, 7.44, 1.68, 0.00, 3.31),
    "gemma-2-27b-it": (74.16, 80.00, 54.92, 88.24, 37.39, 56.52, 19.83, 22.69, 35.65, 10.74),
    "Meta-Llama-3.1-8B": (60.96, 70.43, 60.66, 52.10, 26.47, 33.04, 20.66, 11.34, 13.04, 9.92),
    "Meta-Llama-3.1-8B-Instruct": (
        *(77.25, 93.91, 90.16, 47.90, 37.39, 53.91, 22.31),
        *(10.50, 16.52, 4.96),
    ),
    "Meta-Llama-3.1-70B-Instruct": (
        *(74.16, 99.13, 98.36, 25.21, 68.07, 82.61, 54.55),
        *(18.07, 25.22, 11.57),
    ),
}
# Discussed in the text, but not in the table.
UNPRINTED = "Meta-Llama-3.1-70B"

OFFICIAL = {
    **{name.capitalize(): name for name in ("accuracy", "consistency", "verifiability")},
    **{
        f"{group.capitalize()} {tier.capitalize()}": f"{tier}_{group}"
        for tier, _, group in (metric.partition("_") for metric in METRICS)
        if group
    },
}
NO_ANSWERS = "The answers of this model are not in the data folder."
NO_ROW = "Table 3 has no row for it, and its answers are not in the data folder."
NO_TASK = "The answers to the task it needs are not in the data folder."
RULES = {
    "accuracy": "right / stories, groups by the letter in example_id",
    "consistency": "right conflicts / stories flagged implausible, groups by the letter",
    "verifiability": "right states / stories flagged implausible, groups by the letter",
}
IMPLIED = "Its conflict answers are missing; the input of its state task is the right ones."
OTHER_RULES = {
    "calamita": "The later scorer groups by type and divides by cloze and order stories.",
    "clean": "Ours: unique rows, corrected groups, one denominator per group, ties no answer.",
}


def table3(release: Release) -> list[Record]:
    """Return the records on Table 3, on the official metrics, and on the other rule sets."""
    named = [*TABLE3, UNPRINTED]
    others = [model for model in release.models if model not in named]
    return [record for model in [*named, *others] for record in _of_model(release, model)]


def _of_model(release: Release, model: str) -> Iterator[Record]:
    answers = release.answers(model)
    told = None if release.stories is None else release.stories.select(*STORY_FIELDS)
    scores = _scored(answers, "gita-2024", told) if answers else None
    yield from _printed(model, scores)
    if answers is None or scores is None:
        return
    yield from _official(model, scores, release.models[model])
    for rules, note in OTHER_RULES.items():
        other = _scored(answers, rules, told)
        values: dict[str, Value] = {metric: other.value(metric) for metric in METRICS}
        claim = Claim(f"gita.rules.{model}.{rules}", None, f"all scores by {rules}", note)
        yield claim.judged(values)
    yield Claim(
        f"gita.ties.{model}",
        None,
        "lines whose best option has an equal, by task",
        "The first option wins a tie, in the story task 'false'.",
    ).judged(dict(scores.ties))


def _scored(answers: Answers, rules: str, told: pl.DataFrame | None) -> GitaScores:
    return score_gita(answers, rules=rules, stories=told, resamples=0)


def _printed(model: str, scores: GitaScores | None) -> Iterator[Record]:
    row = TABLE3.get(model)
    for place, metric in enumerate(METRICS):
        implied = scores.implied.get(metric) if scores else None
        own = scores.value(metric) if scores else None
        note = "As printed." if row else "The text discusses it, Table 3 has no row for it."
        claim = Claim(
            f"gita.table3.{model}.{metric}",
            round(row[place] / 100, 4) if row else None,
            RULES[metric.partition("_")[0]],
            IMPLIED if own is None and implied is not None else note,
            digits=4,
        )
        missing = NO_TASK if scores else (NO_ANSWERS if row else NO_ROW)
        yield claim.judged(implied if own is None else own, missing=missing)


def _official(model: str, scores: GitaScores, folder: Path) -> Iterator[Record]:
    """Yield a record per line of the metrics the authors' script wrote for this run."""
    places = (folder / "metrics.txt", folder.parent / "metrics.txt")
    path = next((place for place in places if place.is_file()), None)
    stated = {} if path is None else read_metrics(path)
    for name, value in ((name, stated[name]) for name in stated if name in OFFICIAL):
        metric = OFFICIAL[name]
        recomputed = scores.value(metric)
        claim = Claim(
            f"gita.metrics.{model}.{metric}",
            value,
            RULES[metric.partition("_")[0]],
            "As the authors' own script printed it.",
            digits=12,
        )
        own = scores.implied.get(metric) if recomputed is None else recomputed
        yield claim.judged(own, missing=NO_TASK)
