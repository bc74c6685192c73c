"""Two models on the same stories of GITA: tier by tier, and what each prefers to answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl

from plausibly.datasets.gita.answers import Answers
from plausibly.domain import Measure
from plausibly.evaluation.comparison import (
    Basis,
    Chance,
    Comparison,
    compare_all,
    difference,
)
from plausibly.evaluation.gita_rules import RULES, RuleSet
from plausibly.evaluation.gita_tally import GOLD, METRICS, JudgedStory, judge, of_metric, tally
from plausibly.evaluation.gita_ways import as_chained
from plausibly.measures.draws import drawable
from plausibly.measures.permutation import sign_flip_test

Ways = Mapping[str, Answers]


@dataclass(frozen=True, slots=True)
class AnswerBias:
    """How often a model gives an answer, next to how often it is right to.

    Args:
        model: Name of the model.
        task: Of which task.
        answer: The answer.
        said: Share of its answers, over all ways of asking.
        right: Share of the same stories whose right answer it is.
        n: How many answers.
    """

    model: str
    task: str
    answer: str
    said: float
    right: float
    n: int


def compare_models(
    models: Mapping[str, Ways], *, rules: str = "clean", chance: Chance | None = None
) -> list[Comparison]:
    """Return the difference of every two models in every metric, story by story.

    Only stories that count in both enter. Several ways of asking a model are one mean. Intervals
    draw whole stories with all their variants; p comes from exchanging the models story by story.

    Args:
        models: From a model to its answers by way of asking.
        rules: gita-2024, calamita or clean.
        chance: How much is drawn, from which seed.
    """
    judged = {name: _judged(ways, RULES[rules]) for name, ways in models.items()}
    sums = {name: pl.concat([tally(one) for one in each]) for name, each in judged.items()}
    by_story = {
        name: {m: _shares(of_metric(sums[name], m), len(judged[name])) for m in METRICS}
        for name in models
    }
    return compare_all(list(models), partial(_pair, by_story, chance or Chance()))


def _judged(ways: Ways, rules: RuleSet) -> list[JudgedStory]:
    chained = [one if rules.chained else as_chained(one, rules) for one in ways.values()]
    return [judge(one, rules) for one in chained]


def _shares(sums: pl.DataFrame, ways: int) -> pl.DataFrame:
    return sums.with_columns(pl.col("right", "out_of") / ways)


def _pair(
    by_story: Mapping[str, Mapping[str, pl.DataFrame]], chance: Chance, a: str, b: str
) -> Sequence[Comparison]:
    return [
        _compared((a, b), metric, by_story[a][metric], by_story[b][metric], chance)
        for metric in METRICS
    ]


def _compared(
    names: tuple[str, str], metric: str, one: pl.DataFrame, other: pl.DataFrame, chance: Chance
) -> Comparison:
    both = (
        one.join(other, on="story", how="inner", suffix="_b", maintain_order="left")
        .filter(pl.col("out_of") > 0, pl.col("out_of") == pl.col("out_of_b"))
        .sort("story")
    )
    slice_, stories = metric.partition("_")[2] or "all", both.height
    if not stories:
        nothing = Measure(None, 0, reason="no story counts in both")
        return Comparison(*names, metric, slice_, nothing, None, chance.permutation)
    right = both.select("right", "right_b").to_numpy().astype(np.float64)
    out_of = both["out_of"].to_numpy().astype(np.float64)
    values = right.sum(axis=0) / out_of.sum()
    generator = np.random.default_rng(chance.seed)
    drawn = generator.integers(stories, size=(drawable(chance.resamples), stories))
    gaps = right[drawn].sum(axis=1) / out_of[drawn].sum(axis=1)[:, None]
    gap = difference(
        (float(values[0]), float(values[1])),
        gaps,
        Basis(round(float(out_of.sum())), stories),
        asked=chance.resamples,
        reason="nothing is counted",
    )
    p = sign_flip_test(right[:, 0] - right[:, 1], **chance.drawn)
    return Comparison(*names, metric, slice_, gap, p, chance.permutation)


def answer_biases(models: Mapping[str, Ways], *, rules: str = "clean") -> list[AnswerBias]:
    """Return how often each model gives each answer of each task, next to how often it is right to.

    Args:
        models: From a model to its answers by way of asking.
        rules: What is right.
    """
    rows: list[AnswerBias] = []
    for name, ways in models.items():
        judged = [judge(one, RULES[rules]) for one in ways.values()]
        for task, gold in GOLD.items():
            lines = [
                one.tasks[task].select("answer", right=gold) for one in judged if task in one.tasks
            ]
            whole = pl.concat(lines) if lines else pl.DataFrame(schema={"answer": pl.String()})
            if whole.is_empty():
                continue
            said, right = (
                dict(whole[column].value_counts().iter_rows()) for column in ("answer", "right")
            )
            answers = sorted({*said, *right} - {None})
            size = whole.height
            rows += [
                AnswerBias(name, task, a, said.get(a, 0) / size, right.get(a, 0) / size, size)
                for a in answers
            ]
    return rows
