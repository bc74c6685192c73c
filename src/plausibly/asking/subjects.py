"""Which datasets can be asked about, and how: cases, prompts, examples, what is right."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from plausibly.asking import gita, judged
from plausibly.asking.cases import Case, ShotSet
from plausibly.asking.plan import Way
from plausibly.asking.prompts import Prompt, prompts_of
from plausibly.asking.results import ScoreOf, chance_of_answer
from plausibly.datasets import pap, sp10k
from plausibly.datasets.gita import STORIES, TASKS
from plausibly.errors import StudyError

COVERAGE = "coverage"
NONE = "0"


@dataclass(frozen=True, slots=True)
class Showing:
    """Which examples are shown before an item.

    Args:
        shots: How many, or `coverage`.
        sets: How many different sets.
        implausible: How many of them are implausible, where that can be chosen; several to
            compare.
        seed: Seed for drawing sets.
    """

    shots: str = "3"
    sets: int = 1
    implausible: tuple[int, ...] = ()
    seed: int = 1

    @property
    def number(self) -> int:
        """Return how many examples are shown."""
        if not self.shots.isdecimal() or len(self.shots) > 3:
            raise StudyError(f"shots must be a whole number or {COVERAGE!r}; got {self.shots!r}.")
        return int(self.shots)


ShotSets = Mapping[str, Mapping[str, ShotSet]]


@dataclass(frozen=True)
class AskedSet:
    """A dataset that can be asked about.

    Args:
        name: As the command knows it.
        tasks: What is asked unless others are named.
        questions: From every task to the question of the predictions table.
        read: From the data folder to the cases.
        prompts: From the words of the protocol to the prompts by name.
        shot_sets: From the cases and what to show to sets of examples.
        gates: From a task to the one that must be right before it, for `--gated`.
        released: When the dataset came out: a model trained later may have seen it.
        since: The first month of it, as 2024-05.
        score: From a sample and its probabilities to the score of a prediction.
        shots: How many examples are shown unless somebody says.
        files: Released files the cases come from, for the manifest.
        written: What is asked instead of a model that only writes, where log-probabilities decide;
            by itself it answers the same question.
        own: From a file of somebody's own items to cases.
        own_shots: Whether examples for those are of the same file, which shows what is right.
        clustered: Whether a part of the dataset has all variants of an item or none.
        implausible: Whether the number of implausible examples can be chosen.
        published: Whether the authors' way of asking is known.
    """

    name: str
    tasks: tuple[str, ...]
    questions: Mapping[str, str]
    read: Callable[[Path], list[Case]]
    prompts: Callable[[Mapping[str, Any]], dict[str, Prompt]]
    shot_sets: Callable[[Path, Sequence[Case], Showing], ShotSets]
    gates: Mapping[str, str] = field(default_factory=dict)
    released: str = ""
    score: ScoreOf = chance_of_answer
    shots: str = "3"
    files: tuple[str, ...] = ()
    since: str = ""
    written: Mapping[str, str] = field(default_factory=dict)
    own: Callable[[Path], list[Case]] | None = None
    own_shots: bool = False
    clustered: bool = False
    implausible: bool = False
    published: bool = False

    def questions_of(self, tasks: Collection[str]) -> dict[str, str]:
        """Return the question each task answers, where these tasks are asked.

        >>> SP10K.questions_of(["rating"])["rating"]
        'preference'
        """
        instead = {
            written: self.questions[task]
            for task, written in self.written.items()
            if task not in tasks
        }
        return {**self.questions, **instead}


def _gita_sets(folder: Path, cases: Sequence[Case], showing: Showing) -> ShotSets:
    del folder
    if showing.shots == COVERAGE:
        return gita.covering_sets(cases, sets=showing.sets, seed=showing.seed)
    made: dict[str, dict[str, ShotSet]] = {}
    for implausible in showing.implausible or (None,):
        made |= gita.shot_sets(
            cases,
            shots=showing.number,
            implausible=implausible,
            sets=showing.sets,
            seed=showing.seed,
        )
    return made


GITA = AskedSet(
    "gita",
    TASKS,
    gita.QUESTIONS,
    gita.read_cases,
    gita.gita_prompts,
    _gita_sets,
    gita.BEFORE,
    "May 2024 (first version), December 2024 (revised)",
    files=(STORIES,),
    since="2024-05",
    own=gita.own_cases,
    own_shots=True,
    clustered=True,
    implausible=True,
    published=True,
)


def _adept_sets(folder: Path, cases: Sequence[Case], showing: Showing) -> ShotSets:
    del cases
    drawn = {"shots": showing.number, "sets": showing.sets, "seed": showing.seed}
    return judged.adept_sets(folder, **drawn)


def _pap_sets(folder: Path, cases: Sequence[Case], showing: Showing) -> ShotSets:
    del folder
    drawn = {"shots": showing.number, "sets": showing.sets, "seed": showing.seed}
    return judged.pap_sets(cases, **drawn)


def _sp10k_sets(folder: Path, cases: Sequence[Case], showing: Showing) -> ShotSets:
    del folder
    drawn = {"shots": showing.number, "sets": showing.sets, "seed": showing.seed}
    return judged.by_kind(cases, judged.GRADES[::-1], tuple(judged.SP10K_OPTIONS), **drawn)


ADEPT = AskedSet(
    "adept",
    (judged.EFFECT,),
    {judged.EFFECT: judged.EFFECT},
    judged.adept_cases,
    partial(prompts_of, options=judged.ADEPT_OPTIONS),
    _adept_sets,
    released="August 2021",
    shots="5",
    files=("val.json", "train.json"),
    since="2021-08",
    own=judged.own_effects,
)
PAP = AskedSet(
    "pap",
    (judged.PLAUSIBLE,),
    {judged.PLAUSIBLE: judged.PLAUSIBLE},
    judged.pap_cases,
    partial(prompts_of, options=judged.PAP_OPTIONS),
    _pap_sets,
    released="November 2023",
    score=judged.expected_grade,
    shots="4",
    files=(pap.EVENTS,),
    since="2023-11",
    own=judged.own_events,
)
SP10K = AskedSet(
    "sp10k",
    (judged.CONTINUATION,),
    {judged.CONTINUATION: sp10k.QUESTION, judged.RATING: f"{sp10k.QUESTION}_rating"},
    judged.sp10k_cases,
    partial(prompts_of, options=judged.SP10K_OPTIONS),
    _sp10k_sets,
    released="July 2019",
    score=judged.how_likely,
    shots=NONE,
    files=tuple(f"{relation}.tsv" for relation in sp10k.RELATIONS),
    since="2019-07",
    written={judged.CONTINUATION: judged.RATING},
    own=judged.own_words,
)
SUBJECTS = {one.name: one for one in (ADEPT, GITA, PAP, SP10K)}


def variants_of(
    subject: AskedSet, folder: Path, cases: Sequence[Case], prompts: Sequence[Prompt], show: Showing
) -> list[Way]:
    """Return every prompt with every set of examples; the sets depend on all cases alike."""
    if show.sets < 1:
        raise StudyError(f"shot_sets must be at least 1; got {show.sets}.")
    if show.shots == NONE:
        return [Way(prompt, NONE, lambda _, asked: [[] for _ in asked]) for prompt in prompts]
    sets = subject.shot_sets(folder, cases, show)
    return [_variant(prompt, name, tasks) for prompt in prompts for name, tasks in sets.items()]


def _variant(prompt: Prompt, name: str, tasks: Mapping[str, ShotSet]) -> Way:
    items = {task: one.items for task, one in tasks.items()}
    return Way(
        prompt, name, lambda task, asked: [tasks[task].shots_for(case) for case in asked], items
    )


def published_variant(folder: Path, cases: Sequence[Case]) -> Way:
    """Return GITA's published way of asking: its words, and examples drawn as they were."""
    drawn = dict(zip((case.item for case in cases), gita.published_shots(list(cases)), strict=True))

    def shots(task: str, asked: Sequence[Case]) -> list[list[Case]]:
        if task == TASKS[0]:
            return [drawn[case.item] for case in asked]
        return gita.published_shots(list(asked))

    return Way(gita.published_prompt(folder), "drawn", shots, chained=True)
