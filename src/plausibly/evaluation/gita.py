"""GITA's tiers: accuracy, consistency and verifiability (Pensa et al. 2024, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.datasets.gita import CONFLICT, STATE, STORY, TASKS
from plausibly.datasets.gita.answers import Answers
from plausibly.domain import Measure
from plausibly.evaluation.gita_baselines import constant_baselines
from plausibly.evaluation.gita_rules import RULES, RuleSet
from plausibly.evaluation.gita_tally import (
    GOLD,
    METRICS,
    TIERS,
    JudgedStory,
    judge,
    of_metric,
    tally,
)
from plausibly.measures.classification import Confusion, balanced_accuracy, mcc
from plausibly.measures.ratios import ratio_bootstrap
from plausibly.measures.resampling import RESAMPLES, cluster_bootstrap

Rows = npt.NDArray[np.int64]
Span = tuple[float | None, float | None]

OVERFULL = "more right answers than stories that count"
STORY_LABELS = ("false", "true", "none")


@dataclass(frozen=True, eq=False)
class GitaScores:
    """The scores of one model under one rule set.

    Args:
        rules: Name of the rule set.
        measures: Per metric its value with the interval by story; `balanced_accuracy` and `mcc`
            of the story task as well.
        right: Per metric how many answers are right.
        out_of: Per metric how many stories are counted.
        ties: Per task the lines whose best option has an equal; None without a file.
        tie_range: Per metric the score if no tie were right and if every tie that may be were.
        conditional: Per later task the share right among the lines of its file.
        unanswered: Per later task the counted stories right so far that were never asked.
        baselines: What constant answers would score, given that all earlier tiers are right.
        implied: Consistency read off the input of the state task where its file is missing.
        notes: What a reader should know.
        unread: Per task the written answers that are not one of its options; they are not counted.
    """

    rules: str
    measures: Mapping[str, Measure]
    right: Mapping[str, int]
    out_of: Mapping[str, int]
    ties: Mapping[str, int | None]
    tie_range: Mapping[str, Span]
    conditional: Mapping[str, float | None]
    unanswered: Mapping[str, int]
    baselines: Mapping[str, float | None]
    implied: Mapping[str, float]
    notes: tuple[str, ...]
    unread: Mapping[str, int] = field(default_factory=dict)

    def value(self, metric: str) -> float | None:
        """Return one score."""
        return self.measures[metric].value

    def as_json(self) -> dict[str, object]:
        """Return the scores with the keys of `score gita --json`."""
        return {
            "rules": self.rules,
            **{metric: measure.value for metric, measure in self.measures.items()},
            "ties": dict(self.ties),
            "tie_range": {metric: list(span) for metric, span in self.tie_range.items()},
            "right": dict(self.right),
            "n": dict(self.out_of),
            "conditional": dict(self.conditional),
            "unanswered": dict(self.unanswered),
            "unread": dict(self.unread),
            "baselines": dict(self.baselines),
            "implied": dict(self.implied),
            "intervals": {metric: measure.as_json() for metric, measure in self.measures.items()},
            "notes": list(self.notes),
        }


def score_gita(
    answers: Answers,
    *,
    rules: str = "clean",
    stories: pl.DataFrame | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> GitaScores:
    """Return the scores of a model's answers under one rule set.

    Args:
        answers: What the model said, per task.
        rules: gita-2024, calamita or clean.
        stories: The stories that count, where the story task has no file.
        resamples: How often stories are drawn for the intervals; 0 leaves them out.
        seed: Random seed; the same seed gives the same intervals.
    """
    rule_set = RULES[rules]
    judged = judge(answers, rule_set, stories)
    sums = _sums(judged)
    measures = {
        metric: _ratio(sums[metric], _missing(metric, answers, judged), resamples, seed)
        for metric in METRICS
    }
    measures |= _classified(judged, rule_set, resamples, seed)
    return GitaScores(
        rules,
        measures,
        right={metric: int(sums[metric]["right"].sum()) for metric in METRICS},
        out_of={metric: int(sums[metric]["out_of"].sum()) for metric in METRICS},
        ties={task: _ties(answers, task) for task in TASKS},
        tie_range=_tie_range(answers, rule_set, stories, measures),
        conditional={task: _share(judged, task) for task in (CONFLICT, STATE)},
        unanswered=judged.unanswered,
        baselines=constant_baselines(judged.stories),
        implied=_implied(judged),
        notes=(*judged.notes, *_overfull(measures), *_misstated(answers)),
        unread=judged.unread,
    )


def differences(
    answers: Answers, *, stories: pl.DataFrame | None = None
) -> list[dict[str, str | float | None]]:
    """Return each metric under every rule set, and how far the rule sets lie apart."""
    scores = {name: score_gita(answers, rules=name, stories=stories, resamples=0) for name in RULES}
    table: list[dict[str, str | float | None]] = []
    for metric in (*METRICS, "balanced_accuracy", "mcc"):
        values = {name: scored.value(metric) for name, scored in scores.items()}
        known = [value for value in values.values() if value is not None]
        spread = max(known) - min(known) if known else None
        table.append({"metric": metric, **values, "spread": spread})
    return table


def _sums(judged: JudgedStory) -> dict[str, pl.DataFrame]:
    tallied = tally(judged)
    return {metric: of_metric(tallied, metric) for metric in METRICS}


def _missing(metric: str, answers: Answers, judged: JudgedStory) -> str | None:
    """Return why a metric has no value, if its task has no answers or nobody is counted."""
    task = TIERS[metric.partition("_")[0]]
    if task not in answers.tasks:
        return f"no file for {task}"
    return None if judged.stories is not None else f"no stories to count without {STORY}"


def _ratio(sums: pl.DataFrame, missing: str | None, resamples: int, seed: int) -> Measure:
    if missing is not None:
        return Measure(None, 0, reason=missing)
    right, out_of = (sums[column].cast(pl.Float64).to_numpy() for column in ("right", "out_of"))
    counted = int(out_of.sum())
    if right.sum() > counted > 0:
        return Measure(None, counted, reason=OVERFULL)
    # Whole families of stories are drawn; what is counted is stories.
    return replace(ratio_bootstrap(right, out_of, resamples=resamples, seed=seed), n=counted)


def _tie_range(
    answers: Answers,
    rules: RuleSet,
    stories: pl.DataFrame | None,
    measures: Mapping[str, Measure],
) -> dict[str, Span]:
    """Return each metric if no tie were right and if every tie that may be were."""
    if not any((lines["tied"] > 1).any() for lines in answers.tasks.values()):
        return {metric: (measures[metric].value, measures[metric].value) for metric in METRICS}
    none, most = (
        _sums(judge(answers, replace(rules, ties=ties), stories)) for ties in ("none", "any")
    )
    known = {metric for metric in METRICS if measures[metric].value is not None}
    return {
        metric: (
            _ratio(none[metric], None, 0, 0).value if metric in known else None,
            _ratio(most[metric], None, 0, 0).value if metric in known else None,
        )
        for metric in METRICS
    }


def _classified(
    judged: JudgedStory, rules: RuleSet, resamples: int, seed: int
) -> dict[str, Measure]:
    """Return balanced accuracy and Matthews' correlation of the story task."""
    statistics = {
        "balanced_accuracy": (balanced_accuracy, (0.0, 1.0)),
        "mcc": (mcc, (-1.0, 1.0)),
    }
    if STORY not in judged.tasks:
        reason = f"no file for {STORY}"
        return {name: Measure(None, 0, reason=reason) for name in statistics}
    lines = judged.tasks[STORY].sort("story", "key")
    answered = pl.col("tied") == 1 if rules.ties == "none" else pl.lit(value=True)
    said = pl.when(answered).then(pl.col("answer")).otherwise(pl.lit("none"))
    codes = lines.select(
        truth=pl.col("expected").replace_strict(STORY_LABELS, range(3)),
        said=said.replace_strict(STORY_LABELS, range(3)),
    )
    cells = (codes["truth"] * 3 + codes["said"]).to_numpy()
    units = lines["story"].rank("dense").to_numpy().astype(np.int64)
    found = {
        name: cluster_bootstrap(
            partial(_of_cells, statistic, cells),
            units,
            resamples=resamples,
            seed=seed,
            within=within,
        )
        for name, (statistic, within) in statistics.items()
    }
    return {name: replace(measure, n=lines.height) for name, measure in found.items()}


def _of_cells(statistic: Callable[[Confusion], Measure], cells: Rows, rows: Rows) -> Measure:
    """Return a measure of the table of truth by answer that the rows make."""
    return statistic(np.bincount(cells[rows], minlength=9).reshape(3, 3))


def _ties(answers: Answers, task: str) -> int | None:
    lines = answers.tasks.get(task)
    return None if lines is None else lines.filter(pl.col("tied") > 1).height


def _share(judged: JudgedStory, task: str) -> float | None:
    lines = judged.tasks.get(task)
    return None if lines is None else _mean(lines["right"])


def _mean(right: pl.Series) -> float | None:
    return int(right.sum()) / right.len() if right.len() else None


def _implied(judged: JudgedStory) -> dict[str, float]:
    """Return the consistency its survivors prove: only right conflict answers reach task three."""
    if CONFLICT in judged.tasks or STATE not in judged.tasks or judged.stories is None:
        return {}
    survivors = judged.tasks[STATE].with_columns(right=pl.lit(value=True))
    tallied = tally(JudgedStory(judged.stories, {CONFLICT: survivors}, {}, ()))
    sums = {m: of_metric(tallied, m) for m in METRICS if m.startswith("consistency")}
    return {
        metric: int(rows["right"].sum()) / int(rows["out_of"].sum())
        for metric, rows in sums.items()
        if rows["out_of"].sum() >= max(rows["right"].sum(), 1)
    }


def _overfull(measures: Mapping[str, Measure]) -> list[str]:
    """Return a note for each metric whose file repeats so much that no fraction is left."""
    return [f"{name}: {OVERFULL}." for name, m in measures.items() if m.reason == OVERFULL]


def _misstated(answers: Answers) -> list[str]:
    """Return a note for each task whose files state another accuracy than they hold."""
    notes: list[str] = []
    official = RULES["gita-2024"]
    for task, lines in answers.tasks.items():
        right = official.right(pl.col(GOLD[task])).cast(pl.Float64)
        other = official.group(lines).filter(pl.col("logged") != right).height
        if other:
            notes.append(
                f"{task}: {other} lines state an accuracy that their log-likelihoods do not give; "
                "the log-likelihoods count."
            )
    return notes
