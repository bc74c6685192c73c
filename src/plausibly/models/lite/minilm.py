"""`adept-minilm`: `adept-lite` pooled with MiniLM and the low-rank update that comes with us."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.models.lite.adept import predict_effects
from plausibly.models.lite.words import Floats, arrays

ENCODER = "minilm"
TINY = 1e-6
POOL = "pool"


@cache
def _shipped() -> dict[str, npt.NDArray[Any]]:
    return arrays("adept_minilm")


def update_weights() -> dict[str, npt.NDArray[Any]]:
    """Return the layer on top of the encoder and the low-rank updates of its layers."""
    return {name: part for name, part in _shipped().items() if name != POOL}


def pooled_effects(pairs: pl.DataFrame, logits: npt.NDArray[np.float32]) -> Floats:
    """Return the probability of every class for every pair.

    Args:
        pairs: ADEPT's pairs.
        logits: Raw class scores of the updated encoder, a row for each pair.
    """
    weight = _shipped()[POOL].astype(np.float64)
    encoder = logits.astype(np.float64)
    encoder = np.log(_softmax(encoder) + TINY)
    lite = np.log(predict_effects(pairs) + TINY)
    return _softmax(weight[0] * encoder + weight[1] * lite + weight[2:])


def _softmax(table: Floats) -> Floats:
    odds = np.exp(table - table.max(axis=1, keepdims=True))
    shares: Floats = odds / odds.sum(axis=1, keepdims=True)
    return shares
