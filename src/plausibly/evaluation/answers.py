"""What a model said, checked at the door of every evaluation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np
import polars as pl

from plausibly.errors import TableError, UnknownName
from plausibly.measures.ranking import Floats
from plausibly.tables import PREDICTIONS

SUM_WITHIN = 1e-3


def models_of(predictions: pl.DataFrame) -> list[str]:
    """Return the names of the models in a predictions table, sorted."""
    return sorted(predictions["model"].unique().to_list())


def check_predictions(predictions: pl.DataFrame) -> pl.DataFrame:
    """Return the predictions if they keep the contract and every score is a number or null."""
    table = PREDICTIONS.check(predictions)
    if table.is_empty():
        raise TableError("predictions: no rows. Nothing can be evaluated.")
    bad = table["score"].is_not_null() & ~table["score"].is_finite()
    if bad.any():
        first = table["item"][int(bad.arg_true()[0])]
        raise TableError(
            f"predictions: {int(bad.sum())} of {table.height} scores are NaN or infinite (first: "
            f"item {first!r}). A model without a score for an item leaves it empty."
        )
    return table


def matched(predictions: pl.DataFrame, truth: pl.DataFrame, *, model: str) -> pl.DataFrame:
    """Return the rows of the truth with what the model said next to them, null if nothing.

    Args:
        predictions: Checked predictions; only those of `model` count.
        truth: One row for each thing judged, with a column `item`.
        model: Whose predictions.

    Raises:
        TableError: If the model answers two questions, or judged none of the items.
    """
    if truth.is_empty():
        raise TableError("the file to evaluate against has no rows.")
    own = predictions.filter(pl.col("model") == model)
    questions = own["question"].unique().sort().to_list()
    if len(questions) > 1:
        raise TableError(
            f"predictions of {model!r} answer {len(questions)} questions "
            f"({', '.join(questions)}). Evaluate one question at a time."
        )
    said = own.drop("question", "model").rename({"label": "said", "score": "predicted"})
    said = said.drop([c for c in said.columns if c in truth.columns and c != "item"])
    rows = truth.join(said, on="item", how="left", maintain_order="left")
    known = truth["item"].is_in(said["item"].implode())
    if not known.any():
        raise TableError(
            f"predictions of {model!r} are about none of the {truth.height} items of the file "
            f"(first predicted: {own['item'][0]!r}; first in the file: {truth['item'][0]!r})."
        )
    return rows


def labels_in(
    column: pl.Series, names: Mapping[str, str], *, labels: Sequence[str], where: str
) -> pl.Series:
    """Return a column of labels under their names in the scheme; null stays null.

    Args:
        column: Labels as a file has them.
        names: From every accepted spelling to a label of the scheme.
        labels: What the scheme knows, for the message.
        where: Whose labels, for the message.
    """
    strangers = column.drop_nulls().filter(~column.drop_nulls().is_in(list(names)))
    if len(strangers):
        unknown = UnknownName("label", str(strangers[0]), labels)
        raise TableError(
            f"{where}: {len(strangers)} of {len(column)} labels are not in the scheme: {unknown}"
        )
    return column.replace_strict(dict(names), default=None, return_dtype=pl.String)


def probabilities(
    column: pl.Series,
    names: Mapping[str, str],
    *,
    labels: Sequence[str],
    nearest: Mapping[str, str] | None = None,
) -> Floats | None:
    """Return one row of probabilities over `labels` per prediction; None if a row has none.

    Probabilities of spellings that mean one label are added; spellings that mean none of them
    are left out and the rest is scaled to 1. Where nothing is left, `nearest` shows which label a
    spelling that was left out is nearest to.
    """
    if column.is_null().any():
        return None
    place = {label: number for number, label in enumerate(labels)}
    table = np.zeros((len(column), len(labels)))
    for row, text in enumerate(column):
        for spelling, share in _shares(str(text)).items():
            if spelling not in names:
                raise TableError(
                    f"predictions: a distribution names {spelling!r}, which is not a label of the "
                    f"scheme. Its labels: {', '.join(labels)}. Evaluate with the scheme of the "
                    "labels that the model learnt, or let it learn these (label --scheme)."
                )
            label = names[spelling]
            if label in place:
                table[row, place[label]] += share
        if nearest and not table[row].any():
            for spelling, share in _shares(str(text)).items():
                if spelling in nearest:
                    table[row, place[nearest[spelling]]] += share
    totals = table.sum(axis=1, keepdims=True)
    if (totals <= 0).any():
        raise TableError(
            f"predictions: {int((totals <= 0).sum())} distributions give no label of the scheme a "
            "probability."
        )
    scaled: Floats = table / totals
    return scaled


def _shares(text: str) -> dict[str, float]:
    try:
        document = json.loads(text)
        shares = {str(label): float(share) for label, share in document.items()}
    except (ValueError, AttributeError, TypeError) as error:
        raise TableError(
            "predictions: a distribution is not a JSON object that maps labels to probabilities "
            f"({text})."
        ) from error
    if not all(isfinite(share) and share >= 0 for share in shares.values()):
        raise TableError(
            f"predictions: a distribution has a value that is not a probability ({text})."
        )
    if abs(sum(shares.values()) - 1) > SUM_WITHIN:
        raise TableError(
            f"predictions: the probabilities of a distribution do not sum to 1: {text}."
        )
    return shares
