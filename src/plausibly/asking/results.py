"""What a model's samples say: shares of right answers over prompts and examples, and bias."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import fsum, sqrt
from typing import Any

import numpy as np
import polars as pl

from plausibly.asking.answers import Normalisation, shares_of
from plausibly.asking.plan import Sample
from plausibly.domain import as_number
from plausibly.tables import ANNOTATORS, PREDICTIONS, RATINGS

ScoreOf = Callable[[Sample, Mapping[str, float] | None], float | None]


def sorted_samples(samples: Sequence[Sample]) -> list[Sample]:
    """Return the samples in the order every file of ours has them."""
    keys = ("task", "prompt", "shot_set", "item")
    return sorted(samples, key=lambda sample: tuple(str(sample[key]) for key in keys))


def distribution_of(sample: Sample, normalisation: Normalisation) -> dict[str, float] | None:
    """Return the probabilities of the options, where the model gave any."""
    scores = sample["loglik"] if normalisation == "none" else sample["scores"].get(normalisation)
    scores = scores or sample["scores"].get("first")
    return None if scores is None else shares_of(scores, sample["options"])


def chance_of_answer(sample: Sample, shares: Mapping[str, float] | None) -> float | None:
    """Return the probability of the option that was chosen."""
    return None if shares is None or sample["answer"] is None else shares[sample["answer"]]


def predictions_of(
    samples: Sequence[Sample],
    *,
    model: str,
    questions: Mapping[str, str],
    score: ScoreOf = chance_of_answer,
    normalisation: Normalisation = "none",
) -> pl.DataFrame:
    """Return the predictions table; every prompt and set of examples is a model of its own.

    Args:
        samples: Of one model about one dataset.
        model: Its name.
        questions: From a task to the question it answers.
        score: From a sample and its probabilities to one number.
        normalisation: Which scores of the options make the probabilities.
    """
    rows = []
    for sample in samples:
        shares = distribution_of(sample, normalisation)
        rows.append(
            {
                "item": sample["item"],
                "question": questions[sample["task"]],
                "model": f"{model}/{sample['prompt']}/{sample['shot_set']}",
                "label": sample["answer"],
                "score": score(sample, shares),
                "distribution": None if shares is None else json.dumps(shares),
                "asked": model,
                "prompt": sample["prompt"],
                "shot_set": sample["shot_set"],
            }
        )
    texts = {"asked": pl.String(), "prompt": pl.String(), "shot_set": pl.String()}
    frame = pl.DataFrame(rows, schema={**PREDICTIONS.schema, **texts})
    return PREDICTIONS.sort(PREDICTIONS.check(frame))


def ratings_of(predictions: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the answers as ratings of annotators whose kind is `model`, and those annotators.

    Each way of asking is an annotator of its own. Ratings of models are never put together with
    those of people unless somebody does it by hand.
    """
    said = predictions.drop_nulls("label")
    ratings = said.select(
        "item",
        "question",
        annotator="model",
        answer="label",
        value=pl.col("label").map_elements(as_number, return_dtype=pl.Float64),
        annotator_kind=pl.lit("model"),
        annotator_cluster="asked",
    )
    names = said.select(annotator="model").unique().with_columns(kind=pl.lit("model"))
    checked = RATINGS.check(ratings), ANNOTATORS.check(names)
    return RATINGS.sort(checked[0]), ANNOTATORS.sort(checked[1])


def unread_answers(samples: Sequence[Sample]) -> list[dict[str, Any]]:
    """Return the answers that are no option, as they were written."""
    names = ("task", "item", "prompt", "shot_set", "text")
    unread = [sample for sample in samples if sample["answer"] is None]
    return [{name: sample[name] for name in names} for sample in unread]


def task_results(samples: Sequence[Sample]) -> dict[str, dict[str, Any]]:
    """Return per task: how often the model is right over all ways of asking, and its bias.

    The share of right answers is of those that were read, about items of which it is known what is
    right (`decided`); a tie between people's answers is never broken.
    """
    tasks = dict.fromkeys(sample["task"] for sample in samples)
    return {task: _result([s for s in samples if s["task"] == task]) for task in tasks}


def _result(samples: Sequence[Sample]) -> dict[str, Any]:
    counts = {"items": len({sample["item"] for sample in samples}), "samples": len(samples)}
    if all(len(sample["options"]) == 1 for sample in samples):
        return {"right": None, **counts}  # nothing to choose: only how likely it is
    if all(sample["expected"] is None for sample in samples):
        said = Counter(sample["answer"] or "none" for sample in samples)
        return {"right": None, **counts, "answers": dict(sorted(said.items()))}
    right: dict[tuple[str, str], dict[str, float]] = {}
    decided = [sample for sample in samples if sample["expected"] is not None]
    unread = sum(sample["answer"] is None for sample in samples)
    for sample in decided:
        if sample["answer"] is None:
            continue
        way = (sample["prompt"], sample["shot_set"])
        right.setdefault(way, {})[sample["item"]] = float(sample["answer"] == sample["expected"])
    means = {way: fsum(items.values()) / len(items) for way, items in right.items()}
    answers = Counter(sample["answer"] or "none" for sample in samples)
    return {
        "right": _spread(list(means.values())) if means else None,
        **counts,
        "decided": len({sample["item"] for sample in decided}),
        "unread": unread,
        "ways": {f"{prompt}/{shots}": mean for (prompt, shots), mean in sorted(means.items())},
        "variance": variance_split(right),
        "answers": {name: count / len(samples) for name, count in sorted(answers.items())},
        "expected": _shares([str(sample["expected"]) for sample in decided]),
    }


def position_bias(samples: Sequence[Sample], tasks: tuple[str, str]) -> dict[str, Any] | None:
    """Return what a model makes of two options in both orders; None unless both were asked.

    Args:
        samples: Of one model about one dataset.
        tasks: The task, and the same with its options in the other order.
    """
    said: dict[str, dict[tuple[str, str, str], Sample]] = {task: {} for task in tasks}
    for sample in samples:
        if sample["task"] in said and sample["answer"] is not None:
            way = (sample["item"], sample["prompt"], sample["shot_set"])
            said[sample["task"]][way] = sample
    both = [
        (one, said[tasks[1]][way]) for way, one in said[tasks[0]].items() if way in said[tasks[1]]
    ]
    if not both:
        return None
    same = Counter(one["answer"] for one, other in both if one["answer"] == other["answer"])
    right = sum(all(s["answer"] == s["expected"] for s in pair) for pair in both)
    return {
        "right_in_both_orders": right / len(both),
        "wrong_in_both_orders": 1 - (right + same.total()) / len(both),
        "same_place": {place: count / len(both) for place, count in sorted(same.items())},
        "n": len(both),
    }


def _shares(values: Sequence[str]) -> dict[str, float]:
    return {name: count / len(values) for name, count in sorted(Counter(values).items())}


def _spread(values: Sequence[float]) -> dict[str, float | int | None]:
    mean = fsum(values) / len(values)
    apart = [(value - mean) ** 2 for value in values]
    return {
        "mean": mean,
        "sd": sqrt(fsum(apart) / (len(values) - 1)) if len(values) > 1 else None,
        "lowest": min(values),
        "highest": max(values),
        "n": len(values),
    }


def variance_split(right: Mapping[tuple[str, str], Mapping[str, float]]) -> dict[str, Any] | None:
    """Return which share of the variance of single answers lies between items, prompts, examples.

    Sums of squares of a table items by prompts by sets of examples, over the items every way of
    asking has an answer to; what is left is `rest`. None if the table is not whole, nothing
    varies, or there is only one way, which does not separate items from what is left.

    >>> ways = {("a", "1"): {"x": 1.0, "y": 0.0}, ("b", "1"): {"x": 1.0, "y": 0.0}}
    >>> variance_split(ways)["items"]
    1.0
    """
    prompts = sorted({prompt for prompt, _ in right})
    sets = sorted({shots for _, shots in right})
    if len(right) < max(2, len(prompts) * len(sets)):
        return None
    items = sorted(set.intersection(*(set(answers) for answers in right.values())))
    if not items:
        return None
    table = np.asarray([[[right[p, s][i] for s in sets] for p in prompts] for i in items])
    centred = table - table.mean()
    whole = float((centred**2).sum())
    if whole == 0.0:
        return None
    parts = {"items": (1, 2), "prompts": (0, 2), "shots": (0, 1)}
    shares = {
        name: float((centred.mean(axis=over) ** 2).sum() * centred.size / centred.shape[place])
        / whole
        for place, (name, over) in enumerate(parts.items())
    }
    return {**shares, "rest": max(0.0, 1.0 - fsum(shares.values())), "n": len(items)}
