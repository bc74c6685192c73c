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
    equal = [_equal(one) for one in distributions(chosen)]
    return chosen.filter(pl.Series(equal, dtype=pl.Boolean)).select("item", "question")


def distributions(labels: pl.DataFrame) -> list[dict[str, float] | None]:
    """Return the distribution of each label; one text is read faster than thousands."""
    texts = labels["distribution"].fill_null("null").to_list()
    parsed: list[dict[str, float] | None] = json.loads(f"[{','.join(texts)}]")
    return parsed


def _equal(distribution: dict[str, float] | None) -> bool:
    best = sorted((distribution or {}).values(), reverse=True)
    return len(best) > 1 and best[0] - best[1] <= SAME
