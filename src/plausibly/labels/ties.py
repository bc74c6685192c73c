"""The items where two labels were equally good and the smallest was taken."""

from __future__ import annotations

import json

import polars as pl

from plausibly.labels._votes import SAME
from plausibly.tables import LABELS

NOT_CHOSEN = ("mean", "median")


def ties(labels: pl.DataFrame) -> pl.DataFrame:
    """Return item and question of each label that won against an equal one.

    Two probabilities within 1e-6 are equal. Means and medians are computed, not chosen, and
    tie with nothing.

    >>> from plausibly.labels.plurality import plurality
    >>> ratings = pl.DataFrame({"item": ["t1", "t1"], "annotator": ["a", "b"],
    ...                         "question": ["rating"] * 2, "answer": ["4", "5"]})
    >>> labels = plurality(ratings)
    >>> labels["label"].to_list(), ties(labels)["item"].to_list()
    (['4'], ['t1'])
    """
    chosen = LABELS.check(labels).filter(
        pl.col("label").is_not_null(),
        pl.col("distribution").is_not_null(),
        ~pl.col("method").is_in(NOT_CHOSEN),
    )
    equal = [_equal(text) for text in chosen["distribution"]]
    return chosen.filter(pl.Series(equal, dtype=pl.Boolean)).select("item", "question")


def _equal(distribution: str) -> bool:
    best = sorted(json.loads(distribution).values(), reverse=True)
    return len(best) > 1 and best[0] - best[1] <= SAME
