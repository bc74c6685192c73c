"""The items where two labels were equally good and the smallest was taken."""

from __future__ import annotations

import json
from typing import Literal

import polars as pl

from plausibly.labels._votes import SAME
from plausibly.tables import LABELS

NOT_CHOSEN = ("adjusted", "mean", "median", "score", "share", "shares")
MEDIAN, PER_OPTION = "median", "per-option"
Ties = Literal["smallest", "undecided"]
# Methods whose rule leaves items open for want of votes, which is not a tie.
ASKS_FOR_ENOUGH = ("strict-majority", "agreed-by")


def ties(
    labels: pl.DataFrame,
    parsed: list[dict[str, float] | None] | None = None,
    *,
    open_too: bool = False,
) -> pl.DataFrame:
    """Return item and question of each label that won against an equal one.

    Two probabilities within 1e-6 are equal. Means, medians and scores are computed, not chosen, and
    tie with nothing; a median that was left undecided lies between two answers. An option that
    half of the answers name ties with itself.

    Args:
        labels: The labels table.
        parsed: Its distributions, where they were read before.
        open_too: Whether ties were left undecided, and have no label.

    >>> from plausibly.labels.plurality import plurality
    >>> ratings = pl.DataFrame({"item": ["t1", "t1"], "annotator": ["a", "b"],
    ...                         "question": ["rating"] * 2, "answer": ["4", "5"]})
    >>> labels = plurality(ratings)
    >>> labels["label"].to_list(), ties(labels)["item"].to_list()
    (['4'], ['t1'])
    """
    labels = LABELS.check(labels)
    given = pl.col("label").is_not_null()
    given = given | ~pl.col("method").is_in(ASKS_FOR_ENOUGH) if open_too else given
    chosen = given & ~pl.col("method").is_in(NOT_CHOSEN)
    # Whoever has more than half has no equal.
    close = chosen & (pl.col("support").fill_null(0.0) <= 0.5 + SAME)
    if parsed is not None:
        mask = labels.select(close).to_series().to_list()
        parsed = [one for one, open_ in zip(parsed, mask, strict=True) if open_]
    open_labels = labels.filter(close)
    read = distributions(open_labels) if parsed is None else parsed
    methods = open_labels["method"].to_list()
    equal = [_equal(one, method) for one, method in zip(read, methods, strict=True)]
    tied = open_labels.filter(pl.Series(equal, dtype=pl.Boolean)).select("item", "question")
    return pl.concat([tied, _open_medians(labels)]) if open_too else tied


def _open_medians(labels: pl.DataFrame) -> pl.DataFrame:
    left = (pl.col("method") == MEDIAN) & pl.col("label").is_null() & (pl.col("ratings") > 0)
    return labels.filter(left).select("item", "question")


def without_middles(labels: pl.DataFrame, ratings: pl.DataFrame) -> pl.DataFrame:
    """Return the labels with none if a median lies between two answers.

    Args:
        labels: The labels table, on the scale of the ratings.
        ratings: The ratings, with their values.

    >>> from plausibly.labels.averages import median
    >>> ratings = pl.DataFrame({"item": ["t1", "t1"], "annotator": ["a", "b"], "value": [4.0, 5.0],
    ...                         "question": ["rating"] * 2, "answer": ["4", "5"]})
    >>> without_middles(median(ratings), ratings)["label"].to_list()
    [None]
    """
    written = pl.col("answer").cast(pl.Float64, strict=False)
    number = pl.coalesce("value", written) if "value" in ratings.columns else written
    given = ratings.select("item", "question", number=number, given=pl.lit(value=True)).unique()
    label = pl.col("label").cast(pl.Float64, strict=False)
    joined = labels.with_columns(number=label).join(
        given, on=["item", "question", "number"], how="left", maintain_order="left"
    )
    between = (pl.col("method") == MEDIAN) & pl.col("given").is_null()
    kept = pl.when(~between).then(pl.col("label"))
    return LABELS.check(joined.with_columns(label=kept).drop("number", "given"))


def undecided(labels: pl.DataFrame) -> pl.DataFrame:
    """Return the labels with none if two were equally good.

    >>> from plausibly.labels.plurality import plurality
    >>> ratings = pl.DataFrame({"item": ["t1", "t1"], "annotator": ["a", "b"],
    ...                         "question": ["rating"] * 2, "answer": ["4", "5"]})
    >>> undecided(plurality(ratings))["label"].to_list()
    [None]
    """
    tied = ties(labels).with_columns(tied=pl.lit(value=True))
    joined = labels.join(tied, on=["item", "question"], how="left", maintain_order="left")
    kept = pl.when(pl.col("tied").is_null()).then(pl.col("label"))
    return LABELS.check(joined.with_columns(label=kept).drop("tied"))


def distributions(labels: pl.DataFrame) -> list[dict[str, float] | None]:
    """Return the distribution of each label; one text is read faster than thousands."""
    texts = labels["distribution"].fill_null("null").to_list()
    parsed: list[dict[str, float] | None] = json.loads(f"[{','.join(texts)}]")
    return parsed


def _equal(distribution: dict[str, float] | None, method: str) -> bool:
    if method == PER_OPTION:
        return any(abs(share - 0.5) <= SAME for share in (distribution or {}).values())
    if not distribution or len(distribution) < 2:
        return False
    *_, second, best = sorted(distribution.values())
    return best - second <= SAME
