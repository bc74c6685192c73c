"""A model's answers about GITA's stories, scored by the published rules and by ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import polars as pl

from plausibly.datasets.gita import ASKED as ANSWERED
from plausibly.datasets.gita.answers import made_for, read_answers, read_ways
from plausibly.datasets.gita.scored import read_story_table
from plausibly.errors import StudyError, option
from plausibly.evaluation import gita as scorer
from plausibly.evaluation.gita import GitaScores
from plausibly.evaluation.gita_ways import score_ways, spread_of
from plausibly.evaluation.in_study import (
    ASKED_DOCUMENT,
    ASKED_FILE,
    ASKED_FOLDER,
    SCORES_FILE,
    folder_name,
    scores_stories,
    story_files,
    texts,
    tiers_asked,
)
from plausibly.io import read_json
from plausibly.study.results import Result, finite, text_table
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Places, verb
from plausibly.tables import SCORES

RuleSet = Literal["gita-2024", "calamita", "clean"]
Row = Mapping[str, str | float | None]


@dataclass(frozen=True, eq=False, repr=False)
class GitaScore(Result):
    """Accuracy, consistency and verifiability of a model's answers about GITA's stories.

    Args:
        scores: Every metric with its interval.
        differences: The scores under every rule set, where they were asked for.
        ways: The scores of each way of asking, where there are several; `scores` is their mean.
        made_for: Languages the model was made for, where its answers name them.
    """

    scores: GitaScores
    differences: Sequence[Row] | None
    ways: Mapping[str, GitaScores] | None = None
    made_for: Sequence[str] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the scores as plain fractions."""
        document = dict(self.scores.as_json())
        if self.differences is not None:
            document["differences"] = self.differences
        if self.ways is not None:
            document["ways"] = {
                name: {metric: one.value(metric) for metric in one.measures}
                for name, one in self.ways.items()
            }
            document["spread"] = spread_of(self.ways)
        if self.made_for:
            document["made_for"] = list(self.made_for)
        return document

    def text(self) -> str:
        """Return the metrics, what constant answers would get, and differences, as tables."""
        scores = self.scores
        rows = [
            (name, m.value, m.low, m.high, scores.right.get(name), scores.out_of.get(name))
            for name, m in scores.measures.items()
        ]
        page = text_table(("metric", "value", "low", "high", "right", "n"), rows)
        constant = [(name.replace("_", " "), one) for name, one in scores.baselines.items()]
        if constant:
            page += "\n" + text_table(("baseline", "value"), constant)
        if self.differences:
            header = tuple(self.differences[0])
            page += "\n" + text_table(header, [tuple(row.values()) for row in self.differences])
        return page

    @property
    def talk(self) -> tuple[str, ...]:
        """Whose rules, the ties, and what a reader should know."""
        tied = [f"{task} {n}" for task, n in self.scores.ties.items() if n is not None]
        named = (f"made for: {', '.join(self.made_for)}.",) if self.made_for else ()
        return (f"rules: {self.scores.rules}. Ties: {', '.join(tied)}.", *named, *self.noted)

    @property
    def noted(self) -> tuple[str, ...]:
        """What a reader should know about the answers."""
        return tuple(self.scores.notes)


def _in_study(work: Work, places: Places) -> None:
    del places
    own = {name: value for name, value in work.parameters.items() if value is not None}
    if own.pop("stories", None):
        own["stories"] = work.path(str(work.parameters["stories"]))
    named = str(own.pop("answers"))
    own_folder = {named: named} if named else {}
    scored, asked = (
        {
            name: score_gita(work.path(folder), seed=work.seed, **own).as_json()
            for name, folder in folders.items()
        }
        for folders in (own_folder, _asked_models(work))
    )
    document = {**scored.get(named, {}), **({"models": asked} if asked else {})}
    work.write_json("score_gita.json", finite(document))
    work.write(SCORES_FILE, SCORES.sort(_score_table({**scored, **asked})), SCORES)


def _asked_models(work: Work) -> dict[str, str]:
    """Return the folder of every model that was asked, by its name; two of one are told apart."""
    if not tiers_asked(work.settings):
        return {}
    models = list(dict.fromkeys(texts(work.settings["ask"], "model", of="ask")))
    said = read_json(work.path(ASKED_DOCUMENT))
    names = [str(one["model"]) for one in said["models"]]
    folders = map(folder_name, models)
    return {
        name if names.count(name) == 1 else folder: f"{ASKED_FOLDER}/{folder}"
        for name, folder in zip(names, folders, strict=True)
    }


def _score_table(documents: Mapping[str, Mapping[str, Any]]) -> pl.DataFrame:
    """Return every metric of every model with its interval."""
    columns = ("value", "low", "high", "n")
    rows = [
        (metric, "all", model, *(one.get(column) for column in columns))
        for model, document in documents.items()
        for metric, one in document["intervals"].items()
    ]
    return pl.DataFrame(rows, schema=SCORES.schema, orient="row")


@verb(
    strict=True,
    study=InStudy(
        run=_in_study,
        keys={"answers": "", "rules": "clean", "stories": None, "resamples": 1000},
        inputs=(ASKED_FILE, f"{ASKED_FOLDER}/*/{ANSWERED}"),
        outputs=("score_gita.json", SCORES_FILE),
        external=story_files,
        wanted=scores_stories,
        heeds=("ask.model",),
        begins="[score_gita] answers or [ask] model",
    ),
)
def score_gita(
    answers: str | Path,
    *,
    rules: RuleSet = "clean",
    stories: str | Path | None = None,
    differences: bool = False,
    resamples: int = 1000,
    seed: int = 0,
) -> GitaScore:
    """Score a model's answers about GITA's stories: accuracy, consistency, verifiability.

    The folder holds story_class, conflict_detec and physical_state as .jsonl or
    .jsonl.gz, the sample files of the lm-evaluation-harness, or what `ask` wrote: with several
    ways of asking, scores are their mean. Intervals resample whole stories.

    Args:
        answers: The folder of answers.
        rules: Whose rules: the authors', the later benchmark's, or ours.
        stories: All stories, if the folder has no story_class file.
        differences: Add the scores under every rule set.
        resamples: Number of resamples for the intervals; 0 for none.
        seed: Seed for everything drawn at random.

    Examples:
        plausibly score gita outputs --rules clean
        plausibly score gita outputs --rules gita-2024 --differences --json

    >>> score_gita("nowhere")
    Traceback (most recent call last):
    plausibly.errors.TableError: nowhere: no such folder. \
Expected story_class, conflict_detec, physical_state as .jsonl[.gz].
    """
    ways = read_ways(Path(answers))
    read = next(iter(ways.values())) if ways else read_answers(Path(answers))
    known = None if stories is None else read_story_table(Path(stories))
    if ways is None:
        scores = scorer.score_gita(read, rules=rules, stories=known, resamples=resamples, seed=seed)
    else:
        scores = score_ways(ways, rules=rules, stories=known, resamples=resamples, seed=seed)
    single = ways is None or len(ways) == 1
    if differences and not single:
        raise StudyError(
            f"{answers}: {option('differences')} needs a folder with one way of asking; this has "
            f"{len(ways or ())}."
        )
    table = scorer.differences(read, stories=known) if differences else None
    apart = (
        None
        if single or ways is None
        else {
            way: score_ways({way: one}, rules=rules, stories=known, resamples=0)
            for way, one in ways.items()
        }
    )
    return GitaScore(scores, table, apart, made_for(Path(answers)))
