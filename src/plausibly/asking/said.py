"""What models said about a form: one prediction per way of asking, one rating per sample."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean

import polars as pl

from plausibly.asking.answers import shares_of
from plausibly.asking.plan import Sample
from plausibly.domain import ANNOTATOR_CLUSTER, ANNOTATOR_KIND, as_number
from plausibly.tables import ANNOTATORS, PREDICTIONS, RATINGS


def said_predictions(
    samples: Sequence[Sample], *, model: str, graded: Sequence[str]
) -> pl.DataFrame:
    """Return the predictions table: every wording is a model of its own.

    The label is the answer given most often, none if two are given equally often; for sliders
    it is the mean. The distribution is that of the options' probabilities where the model gave
    them, else the shares of its samples.

    Args:
        samples: Of one model about one form.
        model: Its name.
        graded: Questions whose answers are numbers on a slider.
    """
    rows = []
    for (item, question, prompt, shots), own in _grouped(samples).items():
        answers = [str(one["answer"]) for one in own if one["answer"] is not None]
        shares = _shares(own, answers)
        numbers = [number for one in answers if (number := as_number(one)) is not None]
        score = fmean(numbers) if numbers and len(numbers) == len(answers) else None
        label = f"{score:g}" if question in graded and score is not None else _most(answers)
        rows.append(
            {
                "item": item,
                "question": question,
                "model": f"{model}/{way_of(prompt, shots)}",
                "label": label,
                "score": score,
                "distribution": None if shares is None else json.dumps(shares),
                "asked": model,
                "prompt": prompt,
                "shot_set": shots,
            }
        )
    texts = {"asked": pl.String(), "prompt": pl.String(), "shot_set": pl.String()}
    frame = pl.DataFrame(rows, schema={**PREDICTIONS.schema, **texts})
    return PREDICTIONS.sort(PREDICTIONS.check(frame))


def said_ratings(
    samples: Sequence[Sample], *, model: str, values: Mapping[str, Mapping[str, float]]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return a rating for every sample, by an annotator of kind `model`, and those annotators.

    The annotator is MODEL/k, with the wording between them where there are several; `batch` names
    the wording.

    Args:
        samples: Of one model about one form.
        model: Its name.
        values: From a question to the number of each answer, where it is not the answer itself.
    """
    ways = {way_of(sample["prompt"], sample["shot_set"]) for sample in samples}
    rows = []
    for sample in samples:
        if sample["answer"] is None:
            continue
        answer, question = str(sample["answer"]), str(sample["task"])
        way = way_of(sample["prompt"], sample["shot_set"])
        within = f"{way}/" if len(ways) > 1 else ""
        number = values.get(question, {}).get(answer, as_number(answer))
        rows.append(
            {
                "item": sample["item"],
                "annotator": f"{model}/{within}{sample['sample'] + 1}",
                "question": question,
                "answer": answer,
                "value": number,
                "batch": way,
                ANNOTATOR_KIND: "model",
                ANNOTATOR_CLUSTER: model,
            }
        )
    texts = ("batch", ANNOTATOR_KIND, ANNOTATOR_CLUSTER)
    frame = pl.DataFrame(rows, schema={**RATINGS.schema, **dict.fromkeys(texts, pl.String())})
    names = frame.select("annotator").unique().with_columns(kind=pl.lit("model"))
    return RATINGS.sort(RATINGS.check(frame)), ANNOTATORS.sort(ANNOTATORS.check(names))


def said_results(samples: Sequence[Sample]) -> dict[str, dict[str, object]]:
    """Return per question how many answers there are, how many are unread, and which were given."""
    tasks = dict.fromkeys(str(sample["task"]) for sample in samples)
    return {task: _result([one for one in samples if one["task"] == task]) for task in tasks}


def _result(samples: Sequence[Sample]) -> dict[str, object]:
    read = [str(one["answer"]) for one in samples if one["answer"] is not None]
    numbers = [number for one in read if (number := as_number(one)) is not None]
    common = Counter(read).most_common(10)
    return {
        "right": None,
        "items": len({sample["item"] for sample in samples}),
        "samples": len(samples),
        "unread": len(samples) - len(read),
        "mean": fmean(numbers) if numbers and len(numbers) == len(read) else None,
        "answers": dict(sorted(common)),
    }


def way_of(prompt: str, shots: str) -> str:
    """Return the name of a way of asking: the wording and, where there are any, the examples.

    >>> way_of("form", "0"), way_of("form", "4.1")
    ('form', 'form/4.1')
    """
    return prompt if shots == "0" else f"{prompt}/{shots}"


def _grouped(samples: Sequence[Sample]) -> dict[tuple[str, str, str, str], list[Sample]]:
    groups: dict[tuple[str, str, str, str], list[Sample]] = {}
    for one in samples:
        names = ("item", "task", "prompt", "shot_set")
        key = tuple(str(one[name]) for name in names)
        groups.setdefault((key[0], key[1], key[2], key[3]), []).append(one)
    return groups


def _shares(samples: Sequence[Sample], answers: Sequence[str]) -> dict[str, float] | None:
    scores = samples[0]["loglik"] or samples[0]["scores"].get("first")
    if len(samples) == 1 and scores:
        return shares_of(scores, samples[0]["options"])
    if len(samples) == 1 or not answers:
        return None
    return {name: count / len(answers) for name, count in sorted(Counter(answers).items())}


def _most(answers: Sequence[str]) -> str | None:
    first = Counter(answers).most_common(2)
    tied = len(first) > 1 and first[0][1] == first[1][1]
    return None if not first or tied else first[0][0]
