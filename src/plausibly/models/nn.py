"""A neural network over head and dependent (Van de Cruys 2014; Zhang et al. 2019, section 4.1).

Embeddings of head and dependent, begun at random and learnt, side by side; one hidden layer; one
score. Training asks that a pair of the corpus scores higher by a margin of 1 than the same head
with a dependent drawn uniformly from those of the relation (Collobert and Weston 2008). The sizes
here are ours, written down in `Network`: the papers print none that we could check.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.errors import StudyError
from plausibly.models.counts import Ints, PairCounts
from plausibly.models.pairs import Scores, places_of

F32 = npt.NDArray[np.float32]
Weights = dict[str, F32]

BATCH = 512
MARGIN = 1.0
TINY = 1e-8


@dataclass(frozen=True, slots=True)
class Network:
    """Sizes and training of the network.

    Args:
        embedding: Numbers a word.
        hidden: Units of the hidden layer, with tanh.
        epochs: Passes at most; each draws `pairs` pairs by their counts.
        pairs: Pairs drawn in an epoch, at most as many as were counted.
        rate: Step size of Adagrad.
        patience: Passes without a better held-out accuracy before training stops.
    """

    embedding: int = 50
    hidden: int = 50
    epochs: int = 15
    pairs: int = 400_000
    rate: float = 0.05
    patience: int = 2

    def __post_init__(self) -> None:
        if min(self.embedding, self.hidden, self.epochs, self.pairs, self.patience) < 1:
            raise StudyError("sizes, passes and patience of the network must be 1 or more.")


def fit(counts: PairCounts, network: Network, *, seed: int) -> Weights:
    """Return the weights with the best accuracy on held-out pairs against drawn ones.

    One pair in twenty is held out by type, so no token of it is trained on.
    """
    generator = np.random.default_rng(seed)
    table = counts.table.tocoo()
    kinds = np.stack([table.row, table.col], axis=1).astype(np.int64)
    order = generator.permutation(len(kinds))
    n_held = max(1, len(kinds) // 20) if len(kinds) > 1 else 0
    held, trained = kinds[order[:n_held]], order[n_held:]
    share = table.data[trained] / table.data[trained].sum()
    weights = _begin(len(counts.heads), len(counts.dependents), network, generator)
    squares = {name: np.full_like(value, TINY) for name, value in weights.items()}
    drawn_held = generator.integers(len(counts.dependents), size=len(held))
    best, best_accuracy, waited = _copy(weights), -1.0, 0
    per_epoch = int(min(network.pairs, max(counts.total, BATCH)))
    for _ in range(network.epochs):
        chosen = trained[generator.choice(len(trained), size=per_epoch, p=share)]
        for batch in _batches(kinds[chosen]):
            drawn = generator.integers(len(counts.dependents), size=len(batch))
            _step(weights, squares, batch, drawn, network.rate)
        accuracy = _accuracy(weights, held, drawn_held)
        if accuracy > best_accuracy:
            best, best_accuracy, waited = _copy(weights), accuracy, 0
        else:
            waited += 1
        if waited >= network.patience:
            break
    return best


def _begin(
    heads: int, dependents: int, network: Network, generator: np.random.Generator
) -> Weights:
    inputs = 2 * network.embedding

    def drawn(rows: int, columns: int, scale: float) -> F32:
        return (generator.standard_normal((rows, columns)) * scale).astype(np.float32)

    return {
        "head": drawn(heads, network.embedding, 0.1),
        "dependent": drawn(dependents, network.embedding, 0.1),
        "inner": drawn(inputs, network.hidden, 1 / np.sqrt(inputs)),
        "bias": np.zeros((1, network.hidden), dtype=np.float32),
        "outer": drawn(network.hidden, 1, 1 / np.sqrt(network.hidden)),
    }


def _copy(weights: Weights) -> Weights:
    return {name: value.copy() for name, value in weights.items()}


def _batches(rows: Ints) -> Iterator[Ints]:
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


def _forward(weights: Weights, heads: Ints, dependents: Ints) -> tuple[F32, F32, F32]:
    inputs = np.hstack([weights["head"][heads], weights["dependent"][dependents]])
    hidden = np.tanh(inputs @ weights["inner"] + weights["bias"])
    return inputs, hidden, (hidden @ weights["outer"])[:, 0]


def _step(weights: Weights, squares: Weights, pairs: Ints, drawn: Ints, rate: float) -> None:
    """Move the weights against the gradient of the ranking loss of one batch."""
    heads, dependents = pairs[:, 0], pairs[:, 1]
    right = _forward(weights, heads, dependents)
    wrong = _forward(weights, heads, drawn)
    active = (MARGIN - right[2] + wrong[2] > 0).astype(np.float32)
    if not active.any():
        return
    size = weights["head"].shape[1]
    dense = {name: np.zeros_like(weights[name]) for name in ("inner", "bias", "outer")}
    rows: list[tuple[str, Ints, F32]] = []
    for toward, side, (inputs, hidden, _) in (
        (-active[:, None] / np.float32(len(pairs)), dependents, right),
        (active[:, None] / np.float32(len(pairs)), drawn, wrong),
    ):
        dense["outer"] += hidden.T @ toward
        slope = (toward @ weights["outer"].T) * (1 - hidden**2)
        back: F32 = slope.astype(np.float32, copy=False)
        dense["inner"] += inputs.T @ back
        dense["bias"] += back.sum(axis=0, keepdims=True)
        into = back @ weights["inner"].T
        rows += [("head", heads, into[:, :size]), ("dependent", side, into[:, size:])]
    for name, gradient in dense.items():
        squares[name] += gradient**2
        weights[name] -= rate * gradient / np.sqrt(squares[name])
    for name in ("head", "dependent"):
        places = np.concatenate([at for owner, at, _ in rows if owner == name])
        gradients = np.concatenate([value for owner, _, value in rows if owner == name])
        _move_rows(weights[name], squares[name], places, gradients * len(pairs), rate)


def _move_rows(table: F32, squares: F32, places: Ints, gradients: F32, rate: float) -> None:
    """Adagrad for the rows of a table that a batch touched."""
    known, where = np.unique(places, return_inverse=True)
    order = np.argsort(where, kind="stable")
    starts = np.searchsorted(where[order], np.arange(len(known)))
    total = np.add.reduceat(gradients[order], starts, axis=0)
    squares[known] += total**2
    table[known] -= rate * total / np.sqrt(squares[known])


def _accuracy(weights: Weights, held: Ints, drawn: Ints) -> float:
    if len(held) == 0:
        return 0.0
    right = _forward(weights, held[:, 0], held[:, 1])[2]
    wrong = _forward(weights, held[:, 0], drawn)[2]
    return float(np.mean(right > wrong))


def scores(pairs: pl.DataFrame, counts: PairCounts, weights: Mapping[str, F32]) -> Scores:
    """Return the network's score of every pair, none if it never saw one of the words."""
    places = places_of(pairs, counts)
    known = (places.head >= 0) & (places.dependent >= 0)
    score = np.full(len(known), np.nan)
    if known.any():
        own = dict(weights)
        score[known] = _forward(own, places.head[known], places.dependent[known])[2]
    level: Ints = np.where(known, np.where(places.count > 0, 2, 1), 0).astype(np.int64)
    return Scores(score, level)
