"""Items a person judges twice, far apart: how much of what people differ in is noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from plausibly.errors import StudyError
from plausibly.io import duplicates
from plausibly.ratings.served import Content

AGAIN = duplicates.AGAIN  # what the second showing of an item is called by
RETEST = duplicates.RETEST  # its kind


def with_retests(contents: Mapping[str, Content], *, where: str) -> dict[str, Content]:
    """Return the items of a study and each of them once more, to be shown to the same person."""
    again = {
        f"{item}{AGAIN}": replace(content, kind=RETEST, group=None)
        for item, content in contents.items()
        if content.kind == "item"
    }
    taken = sorted(again.keys() & contents.keys())
    if taken:
        raise StudyError(
            f"{where}: {taken[0]!r} is a name that [ratings] retest gives to the second "
            "showing of an item. Rename it."
        )
    return {**contents, **again}


def shown_item(item: str) -> str:
    """Return the item that is shown, the first time or again.

    >>> shown_item("t1@again"), shown_item("t1")
    ('t1', 't1')
    """
    return item.removesuffix(AGAIN)


def retest_report(ratings: pl.DataFrame, *, question: str) -> Mapping[str, Any]:
    """Return how often people said the same again, and how often two people said the same.

    `noise` is the share of repeats that were answered differently by the same person;
    `disagreement` the share of pairs of people who differ on the same items, averaged over items.
    What disagreement has beyond noise is `subjectivity`: people who are sure, and differ.

    Args:
        ratings: With `kind`; repeats are of kind `retest`.
        question: The question to compare.

    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t1@again", "t1@again"],
    ...                         "annotator": list("abab"), "question": ["q"] * 4,
    ...                         "answer": ["1", "5", "1", "4"], "value": [1.0, 5.0, 1.0, 4.0],
    ...                         "kind": ["item", "item", "retest", "retest"]})
    >>> report = retest_report(ratings, question="q")
    >>> report["repeats"], report["noise"], report["disagreement"], report["subjectivity"]
    (2, 0.5, 1.0, 0.5)
    >>> report["mean_change"]
    0.5
    """
    own = ratings.filter(pl.col("question") == question)
    first = own.filter(pl.col("kind") == "item").select("item", "annotator", "answer", "value")
    again = own.filter(pl.col("kind") == RETEST).select(
        pl.col("item").str.strip_suffix(AGAIN), "annotator", "answer", "value"
    )
    both = again.join(first, on=("item", "annotator"), suffix="_first").sort("item", "annotator")
    changed = (both["answer"] != both["answer_first"]).cast(pl.Float64)
    change = (both["value"] - both["value_first"]).abs().drop_nulls()
    noise = _mean(changed)
    differing = _disagreement(first.join(both, on="item", how="semi"))
    return {
        "question": question,
        "repeats": both.height,
        "people": both["annotator"].n_unique(),
        "items": both["item"].n_unique(),
        "same": None if noise is None else 1 - noise,
        "noise": noise,
        "disagreement": differing,
        "subjectivity": None if noise is None or differing is None else differing - noise,
        "mean_change": _mean(change),
    }


def _mean(values: pl.Series) -> float | None:
    return float(values.to_numpy().mean()) if len(values) else None


def _disagreement(ratings: pl.DataFrame) -> float | None:
    """Return the share of pairs of people who differ, averaged over items in their order."""
    counts = ratings.group_by("item", "answer").len("n")
    each = (
        counts.group_by("item")
        .agg(total=pl.col("n").sum(), same=(pl.col("n") * (pl.col("n") - 1)).sum())
        .filter(pl.col("total") > 1)
        .sort("item")
    )
    return _mean(1 - each["same"] / (each["total"] * (each["total"] - 1)))
