"""Generated crowds with a known truth, for tests of label methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from plausibly.tables import RATINGS


@dataclass(frozen=True, eq=False)
class Crowd:
    """Ratings, the true label of each item, and how often each annotator knows it."""

    ratings: pl.DataFrame
    truth: Mapping[str, str]
    knowing: Mapping[str, float]

    def right(self, labels: pl.DataFrame) -> float:
        """Return the share of items labelled with the truth."""
        hits: list[bool] = [
            self.truth[item] == label for item, label in labels["item", "label"].iter_rows()
        ]
        return sum(hits) / len(hits)


def crowd(
    *, items: int, knowing: Sequence[float], each: int, labels: int = 4, seed: int = 0
) -> Crowd:
    """Return ratings by annotators who know the truth so often, and otherwise guess evenly."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(0, labels, items)
    rows = []
    for item in range(items):
        for annotator in generator.choice(len(knowing), each, replace=False):
            knows = generator.random() < knowing[annotator]
            answer = truth[item] if knows else generator.integers(0, labels)
            rows.append((f"t{item:04}", f"a{annotator:03}", "rating", str(answer)))
    columns = ["item", "annotator", "question", "answer"]
    ratings = RATINGS.check(pl.DataFrame(rows, schema=columns, orient="row"))
    return Crowd(
        ratings,
        {f"t{item:04}": str(label) for item, label in enumerate(truth)},
        {f"a{number:03}": share for number, share in enumerate(knowing)},
    )


def renamed(ratings: pl.DataFrame, seed: int) -> tuple[pl.DataFrame, dict[str, str]]:
    """Return the ratings shuffled, under other names for items, annotators and answers.

    The dictionary leads from the new names of items and answers back to the old ones.
    """
    generator = np.random.default_rng(seed)
    back: dict[str, str] = {}
    for column, prefix in (("item", "i"), ("annotator", "p"), ("answer", "l")):
        old = ratings[column].unique().sort().to_list()
        new = [f"{prefix}{place}" for place in generator.permutation(len(old))]
        back |= dict(zip(new, old, strict=True))
        ratings = ratings.with_columns(pl.col(column).replace_strict(old, new))
    return ratings[generator.permutation(ratings.height)], back
