"""Seeded draws that depend on seed and key alone: not on row order, engine or machine.

The order is that of `md5(seed || '|' || key)`, then of the key, as in every statement of ours.
"""

from __future__ import annotations

from hashlib import md5

import numpy as np
import numpy.typing as npt
import polars as pl

Numbers = npt.NDArray[np.uint32]

_RANK = "__rank"
_KEY = "__key"


def rank(seed: int, key: str) -> str:
    """Return what a key is ordered by: the hash of seed and key.

    >>> rank(1, "tea") == rank(1, "tea"), rank(1, "tea") == rank(2, "tea")
    (True, False)
    """
    return md5(f"{seed}|{key}".encode(), usedforsecurity=False).hexdigest()


def ranks(keys: pl.Series, *, seed: int) -> pl.Series:
    """Return the rank of every key."""
    return pl.Series(_RANK, [rank(seed, key) for key in keys.to_list()], dtype=pl.String)


def shuffled(frame: pl.DataFrame, *, key: pl.Expr, seed: int) -> pl.DataFrame:
    """Return the rows in the order of the seed.

    Args:
        frame: Any rows; those of one key keep their order.
        key: What names a row, as text. Begin it with the purpose of the draw, so that two draws
            from the same rows are independent.
        seed: The same seed gives the same order, whatever the order of the rows.
    """
    keys = frame.select(key.alias(_KEY))[_KEY]
    ranked = frame.with_columns(keys, ranks(keys, seed=seed))
    return ranked.sort(_RANK, _KEY, maintain_order=True).drop(_RANK, _KEY)


def numbers(keys: pl.Series, *, seed: int) -> Numbers:
    """Return four independent whole numbers below 2**32 for every key, one row per key."""
    start = f"{seed}|"
    digests = b"".join(
        md5(f"{start}{key}".encode(), usedforsecurity=False).digest() for key in keys.to_list()
    )
    return np.frombuffer(digests, dtype=">u4").reshape(-1, 4).astype(np.uint32)
