"""GITA's scores over several ways of asking: prompts and sets of examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import fsum, sqrt

import polars as pl

from plausibly.datasets.gita import CONFLICT, STATE, STORY
from plausibly.datasets.gita.answers import Answers
from plausibly.domain import Measure
from plausibly.evaluation.gita import GitaScores, Span, score_gita
from plausibly.evaluation.gita_rules import RULES, RuleSet
from plausibly.evaluation.gita_tally import GOLD, METRICS, judge, of_metric, tally
from plausibly.measures.ratios import ratio_bootstrap
from plausibly.measures.resampling import RESAMPLES


def score_ways(
    ways: Mapping[str, Answers],
    *,
    rules: str = "clean",
    stories: pl.DataFrame | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> GitaScores:
    """Return the scores of a model that was asked in several ways: the mean over them.

    Later tiers may have been asked about every story; rules that count every line of a tier's file
    see those lines alone that the chain of tiers would have asked.

    Args:
        ways: From a way of asking to its answers.
        rules: gita-2024, calamita or clean.
        stories: The stories that count, where the story task was not asked.
        resamples: How often stories are drawn for the intervals, all ways of one together.
        seed: Random seed; the same seed gives the same intervals.
    """
    rule_set = RULES[rules]
    asked = {
        name: one if rule_set.chained else as_chained(one, rule_set) for name, one in ways.items()
    }
    if len(asked) == 1:
        [only] = asked.values()
        return score_gita(only, rules=rules, stories=stories, resamples=resamples, seed=seed)
    each = [score_gita(o, rules=rules, stories=stories, resamples=0) for o in asked.values()]
    tallied = pl.concat([tally(judge(one, rule_set, stories)) for one in asked.values()])
    measures = {m: _mean_measure(m, each, tallied, resamples, seed) for m in each[0].measures}
    notes = dict.fromkeys(note for one in each for note in one.notes)
    return replace(
        each[0],
        measures=measures,
        right={metric: sum(one.right[metric] for one in each) for metric in METRICS},
        out_of={metric: sum(one.out_of[metric] for one in each) for metric in METRICS},
        ties={task: _sum([one.ties[task] for one in each]) for task in each[0].ties},
        tie_range={
            metric: _mean_span([one.tie_range[metric] for one in each]) for metric in METRICS
        },
        conditional={t: _mean([one.conditional[t] for one in each]) for t in each[0].conditional},
        unanswered={t: sum(one.unanswered.get(t, 0) for one in each) for t in (CONFLICT, STATE)},
        implied={},
        unread={t: sum(one.unread.get(t, 0) for one in each) for t in each[0].unread},
        notes=(f"means over {len(each)} ways of asking; counts are summed over them.", *notes),
    )


def spread_of(ways: Mapping[str, GitaScores]) -> dict[str, dict[str, float | int | None]]:
    """Return mean, standard deviation, lowest and highest of every metric over ways of asking."""
    spread: dict[str, dict[str, float | int | None]] = {}
    for metric in next(iter(ways.values())).measures:
        values = [v for one in ways.values() if (v := one.value(metric)) is not None]
        mean = _mean(list(values))
        apart = [(value - mean) ** 2 for value in values] if mean is not None else []
        spread[metric] = {
            "mean": mean,
            "sd": sqrt(fsum(apart) / (len(values) - 1)) if len(values) > 1 else None,
            "lowest": min(values, default=None),
            "highest": max(values, default=None),
            "n": len(values),
        }
    return spread


def _mean_measure(
    metric: str, each: list[GitaScores], tallied: pl.DataFrame, resamples: int, seed: int
) -> Measure:
    first = each[0].measures[metric]
    values = [one.value(metric) for one in each]
    mean = _mean(values)
    if mean is None or metric not in METRICS or resamples == 0:
        return replace(first, value=mean, low=None, high=None)
    sums = of_metric(tallied, metric)
    right, out_of = (sums[column].cast(pl.Float64).to_numpy() for column in ("right", "out_of"))
    found = ratio_bootstrap(right, out_of, resamples=resamples, seed=seed)
    return replace(found, n=int(out_of.sum()))


def as_chained(answers: Answers, rules: RuleSet) -> Answers:
    """Return the answers the chain of tiers would have asked for."""
    tasks = dict(answers.tasks)
    for task, before in ((CONFLICT, STORY), (STATE, CONFLICT)):
        if task in tasks and before in tasks:
            lines = rules.group(tasks[before])
            broken = lines.filter(rules.right(pl.col(GOLD[before])), ~pl.col("plausible"))
            tasks[task] = tasks[task].join(broken, on="key", how="semi", maintain_order="left")
    return Answers(tasks, answers.notes)


def _sum(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None


def _mean_span(spans: list[Span]) -> Span:
    return _mean([low for low, _ in spans]), _mean([high for _, high in spans])
