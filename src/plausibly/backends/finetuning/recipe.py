"""A recipe of fine-tuning: everything that decides how an encoder learns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plausibly.errors import StudyError

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How an encoder is fine-tuned on pairs of texts.

    Args:
        epochs: How often it sees every pair.
        rate: Largest learning rate of the encoder; warmed up over a tenth, then linearly to 0.
        head_times: How many times faster the layer on top learns.
        batch: Pairs per step.
        smoothing: Share of a label spread over all classes (Szegedy et al. 2016).
        rdrop: Weight of the symmetric divergence of two passes (R-Drop, Liang et al. 2021).
        ordinal: Weight of the squared distance of cumulated probabilities (Hou et al. 2017).
        balance: Classes weigh as their share to the power of minus this; 0 weighs all alike.
        rank: Rank of the low-rank update of each layer (Hu et al. 2022); 0 trains all weights.
        frozen: Train only the layer on top.
    """

    epochs: int = 3
    rate: float = 3e-5
    head_times: float = 5.0
    batch: int = 32
    smoothing: float = 0.1
    rdrop: float = 0.0
    ordinal: float = 0.0
    balance: float = 0.0
    rank: int = 0
    frozen: bool = False

    def __post_init__(self) -> None:
        for name in ("epochs", "batch"):
            if getattr(self, name) < 1:
                raise StudyError(f"{name} must be 1 or more; got {getattr(self, name)}.")
        if self.rate <= 0 or self.head_times <= 0:
            raise StudyError(f"rate and head_times must be above 0; got {self.rate}.")
        if not 0 <= self.smoothing < 1:
            raise StudyError(f"smoothing must be in [0, 1); got {self.smoothing}.")
        for name in ("rdrop", "ordinal", "balance", "rank"):
            if getattr(self, name) < 0:
                raise StudyError(f"{name} must be 0 or more; got {getattr(self, name)}.")


def one_hot(labels: Ints, classes: int) -> Floats:
    """Return what to learn from labels: the whole weight on each label, none if it is negative.

    >>> one_hot(np.array([1, -1]), 2).tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    table: Floats = np.eye(classes, dtype=np.float32)[labels]
    table[labels < 0] = 0
    return table


def class_weights(counts: npt.NDArray[np.floating], balance: float) -> Floats:
    """Return the weight of every class, 1 on average over the pairs.

    >>> [round(float(weight), 3) for weight in class_weights(np.array([3.0, 1.0]), 1.0)]
    [0.667, 2.0]
    """
    counts = counts.astype(np.float64)
    weights = np.where(counts > 0, np.where(counts > 0, counts, 1) ** -balance, 0.0)
    scaled: Floats = (weights * counts.sum() / (weights * counts).sum()).astype(np.float32)
    return scaled


def batches(lengths: Sequence[int], size: int, generator: np.random.Generator) -> list[Ints]:
    """Return the rows of one epoch's batches: in random order, rows of like length together.

    Rows are drawn in pools of fifty batches and sorted by length inside a pool, so little of
    a batch is padding, and every epoch still mixes the pairs.
    """
    order = generator.permutation(len(lengths))
    length = np.asarray(lengths)
    pool = size * 50
    cut: list[Ints] = []
    for start in range(0, len(order), pool):
        rows = order[start : start + pool]
        rows = rows[np.argsort(length[rows], kind="stable")]
        cut += [rows[place : place + size] for place in range(0, len(rows), size)]
    return [cut[place] for place in generator.permutation(len(cut))]
