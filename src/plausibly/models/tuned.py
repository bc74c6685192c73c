"""Fine-tuned encoders as the stages see them: what they learn, folds, figures, predictions.

Emami et al. (2021, section 5.4) search a grid of learning rates, epochs and batch sizes with three
seeds. Here the grid is searched on items whose noun (or another column) the fit has not seen.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError, TableError, option
from plausibly.measures.graded import accuracies, macro_f1s
from plausibly.tables import PREDICTIONS

FOLDS = 5
TINY = 1e-6
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Targets:
    """What is learnt about every item.

    Args:
        labels: Names of the classes, in order.
        shares: One row per item, one column per class; a row of zeros is not learnt from.
    """

    labels: tuple[str, ...]
    shares: Floats


def fold_of(value: str) -> int:
    """Return the fold of a noun or another value, the same on every machine.

    >>> fold_of("Key") == fold_of("key")
    True
    """
    return zlib.crc32(value.casefold().encode()) % FOLDS


def targets_of(labels: pl.DataFrame, *, soft: bool, scheme: LabelScheme | None) -> Targets:
    """Return what a model learns from labels: the label, or the shares of all answers (`soft`).

    Args:
        labels: label and distribution of every item, both may be null.
        soft: Learn people's shares instead of the label.
        scheme: The classes, in order; answers it does not have are left out. Without, every label
            is a class.
    """
    column = "distribution" if soft else "label"
    rows = [_shares(text, soft=soft) for text in labels[column]]
    if soft and not any(rows):
        raise StudyError(
            f"{option('soft')} learns from distributions, but the labels have none. Use a method "
            "that gives distributions: plausibly label --method mace, plurality or another.",
            parameter="soft",
        )
    names = scheme.labels if scheme else _ordered({name for row in rows for name in row})
    known = {**(scheme.of if scheme else {}), **{name: name for name in names}}
    place = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(rows), len(names)), dtype=np.float32)
    for number, row in enumerate(rows):
        for name, share in row.items():
            if name in known:
                table[number, place[known[name]]] += share
    sums = table.sum(axis=1, keepdims=True)
    if not (table.sum(axis=0) > 0).sum() > 1:
        raise TableError("learning needs items with at least two different labels.")
    return Targets(tuple(names), (table / np.where(sums > 0, sums, 1)).astype(np.float32))


def _shares(text: str | None, *, soft: bool) -> Mapping[str, float]:
    if text is None:
        return {}
    if not soft:
        return {text: 1.0}
    return {str(name): float(share) for name, share in json.loads(text).items()}


def _ordered(names: set[str]) -> tuple[str, ...]:
    """Return labels in order: numbers by size, others by name."""
    try:
        return tuple(sorted(names, key=float))
    except ValueError:
        return tuple(sorted(names))


def figures(shares: Floats, targets: Floats) -> dict[str, float | int]:
    """Return accuracy, macro F1 and cross-entropy of the predicted shares of items with a target.

    >>> figures(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 1.0]]))["accuracy"]
    1.0
    """
    known = targets.sum(axis=1) > 0
    table, truth = shares[known].astype(np.float64), targets[known]
    size = table.shape[1]
    cells = truth.argmax(axis=1) * size + table.argmax(axis=1)
    confusion = np.bincount(cells, minlength=size**2).reshape(1, size, size).astype(np.float64)
    return {
        "accuracy": float(accuracies(confusion)[0]),
        "macro_f1": float(macro_f1s(confusion)[0]),
        "cross_entropy": float(-(truth * np.log(table + TINY)).sum(axis=1).mean()),
        "n": int(known.sum()),
    }


def tuned_predictions(
    items: Sequence[str], shares: Floats, labels: Sequence[str], *, question: str, model: str
) -> pl.DataFrame:
    """Return predictions with the share of every class, the most probable one as label."""
    rows = shares.astype(np.float64)
    texts = [
        json.dumps({name: round(float(p), 6) for name, p in zip(labels, row, strict=True)})
        for row in rows
    ]
    table = pl.DataFrame(
        {
            "item": pl.Series(items, dtype=pl.String),
            "question": pl.Series([question] * len(texts), dtype=pl.String),
            "model": pl.Series([model] * len(texts), dtype=pl.String),
            "label": pl.Series([labels[n] for n in rows.argmax(axis=1)], dtype=pl.String),
            "distribution": pl.Series(texts, dtype=pl.String),
        }
    )
    return PREDICTIONS.sort(PREDICTIONS.check(table))


def softmax(logits: Floats) -> Floats:
    """Return the probabilities of raw scores.

    >>> softmax(np.array([[0.0, 0.0]])).tolist()
    [[0.5, 0.5]]
    """
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Floats = (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares
