"""Labels that somebody else's method gives: completed to our table, and checked."""

from __future__ import annotations

import polars as pl

from plausibly.errors import StudyError
from plausibly.tables import LABELS, RATINGS


def completed(labels: pl.DataFrame, ratings: pl.DataFrame, *, method: str) -> pl.DataFrame:
    """Return the labels with every column of the table; no item may be lost.

    Args:
        labels: Columns item and label, and question where there are several.
        ratings: What the labels were made from.
        method: What to call the method.

    >>> ratings = pl.DataFrame({"item": ["t1", "t1"], "annotator": ["a", "b"],
    ...                         "question": ["q", "q"], "answer": ["yes", "no"]})
    >>> table = pl.DataFrame({"item": ["t1"], "label": ["yes"]})
    >>> completed(table, ratings, method="first").row(0)[:5]
    ('t1', 'q', 'first', 'yes', 0.5)
    """
    ratings = RATINGS.check(ratings)
    questions = ratings["question"].unique().to_list()
    if "question" not in labels.columns:
        if len(questions) > 1:
            raise StudyError(
                f"{method} must return a column question, because there are several questions."
            )
        labels = labels.with_columns(question=pl.lit(questions[0] if questions else "rating"))
    labels = labels.with_columns(pl.col("item", "question", "label").cast(pl.String))
    key = ["item", "question"]
    asked = ratings.select(key).unique()
    lost = asked.join(labels, on=key, how="anti")
    if lost.height:
        first = lost.sort(key)["item"][0]
        raise StudyError(f"{method} lost {lost.height} items (first: {first!r}). Keep their rows.")
    votes = ratings.group_by(*key, "answer").len("votes")
    counted = ratings.group_by(key).agg(ratings=pl.len().cast(pl.Int64))
    won = labels.select(*key, answer="label").join(votes, on=[*key, "answer"], how="left")
    support = won.join(counted, on=key, how="left").select(
        *key, "ratings", support=pl.col("votes").fill_null(0) / pl.col("ratings")
    )
    own = labels.drop("ratings", strict=False)
    counts = support.drop("support") if "support" in own.columns else support
    joined = own.join(counts, on=key).with_columns(method=pl.lit(method))
    if "distribution" not in joined.columns:
        joined = joined.with_columns(distribution=pl.lit(None, pl.String))
    return LABELS.sort(LABELS.check(joined.select(list(LABELS.schema))))
