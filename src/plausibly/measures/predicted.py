"""What a model predicts about a question, as one number per item."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isfinite

import polars as pl

from plausibly.domain import as_number
from plausibly.errors import StudyError, TableError, UnknownName, option

PREDICTED = "predicted"
SCHEMA = {"item": pl.String(), PREDICTED: pl.Float64()}


def model_predictions(
    predictions: pl.DataFrame, model: str | None, *, where: str = "predictions"
) -> pl.DataFrame:
    """Return the predictions of one model.

    Args:
        predictions: The predictions table.
        model: Its name; None for the only one.
        where: The argument that the table was passed as, for errors.
    """
    names = sorted(predictions["model"].unique().to_list())
    if not names:
        raise TableError(f"{where}: no rows. Pass the predictions of a model.")
    if model is None and len(names) > 1:
        raise StudyError(
            f"{where}: there are predictions of {len(names)} models ({', '.join(names)}). Choose "
            f"one with {option('model')}.",
            parameter="model",
        )
    if model is not None and model not in names:
        raise UnknownName("model", model, names, parameter="model")
    return predictions.filter(pl.col("model") == (model or names[0]))


def question_predictions(predictions: pl.DataFrame, question: str, *, alone: bool) -> pl.DataFrame:
    """Return the predictions about a question.

    Args:
        predictions: Those of one model.
        question: The question that people answered.
        alone: Whether it is their only question: then predictions about one question of
            another name are about it.
    """
    own = predictions.filter(pl.col("question") == question)
    same = own.height == 0 and alone and predictions["question"].n_unique() == 1
    return predictions if same else own


def predicted_numbers(
    predictions: pl.DataFrame,
    *,
    answer: str | None,
    answers: Sequence[str],
    codes: Mapping[str, float] | None = None,
) -> pl.DataFrame:
    """Return item and predicted, a number for each item that has one.

    The share of an answer is what the distribution gives it; where the model has only a score,
    that score if there are two answers; else whether the answer is the label. A mean is the
    score; else the mean of the distribution, else the label as a number.

    Args:
        predictions: Of one model about one question.
        answer: The answer whose share is predicted; None for the mean.
        answers: All answers to the question.
        codes: The number of each answer, where answers are ordered words.

    >>> rows = pl.DataFrame({"item": ["t1"], "label": ["yes"], "score": [0.9],
    ...                      "distribution": ['{"no": 0.2, "yes": 0.8}']})
    >>> predicted_numbers(rows, answer="yes", answers=["no", "yes"])["predicted"].to_list()
    [0.8]
    >>> predicted_numbers(rows, answer=None, answers=[])["predicted"].to_list()
    [0.9]
    """
    spreads = [_shares(text) for text in predictions["distribution"].to_list()]
    scores = [one if one is None or isfinite(one) else None for one in predictions["score"]]
    labels = predictions["label"].to_list()
    if answer is None:
        known: list[float | None] = (
            scores
            if _any(scores)
            else [
                _mean(shares, codes) if shares else _number(label, codes)
                for shares, label in zip(spreads, labels, strict=True)
            ]
        )
    else:
        known = _answer_shares(answer, answers, spreads, scores, labels)
    table = pl.DataFrame({"item": predictions["item"], PREDICTED: known}, schema=SCHEMA)
    return table.drop_nulls().sort("item")


def _answer_shares(
    answer: str,
    answers: Sequence[str],
    spreads: Sequence[Mapping[str, float] | None],
    scores: Sequence[float | None],
    labels: Sequence[str | None],
) -> list[float | None]:
    named = {name for one in spreads if one for name in one}
    if named & set(answers):
        return [None if one is None else one.get(answer, 0.0) for one in spreads]
    if len(answers) <= 2 and _any(scores):
        return list(scores)
    if set(labels) & set(answers):
        return [None if one is None else float(one == answer) for one in labels]
    return list(scores)


def _any(numbers: Sequence[float | None]) -> bool:
    return any(one is not None for one in numbers)


def _shares(text: str | None) -> dict[str, float] | None:
    if text is None:
        return None
    try:
        shares = {str(name): float(share) for name, share in json.loads(text).items()}
    except (ValueError, AttributeError, TypeError) as error:
        raise TableError(
            "predictions: a distribution is not a JSON object that maps labels to probabilities "
            f"({text})."
        ) from error
    if not all(map(isfinite, shares.values())):
        raise TableError(f"predictions: a distribution has a share that is not a number ({text}).")
    return shares


def _mean(shares: Mapping[str, float], codes: Mapping[str, float] | None) -> float | None:
    numbers = {name: _number(name, codes) for name in shares}
    known = {name: one for name, one in numbers.items() if one is not None}
    total = sum(shares[name] for name in known)
    return sum(shares[name] * one for name, one in known.items()) / total if total > 0 else None


def _number(label: str | None, codes: Mapping[str, float] | None) -> float | None:
    if label is None:
        return None
    return codes.get(label) if codes else as_number(label)
