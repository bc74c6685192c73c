"""Scores of items on an ordinal scale that has no sides: no class is made up."""

from __future__ import annotations

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.labels._votes import Ballot, ballots, labels_table, votes_text
from plausibly.labels.averages import numbers_in
from plausibly.labels.results import NOBODY, Fitted, Silent, nothing_learnt
from plausibly.tables import LABELS

NAME = "score"
Z = 1.959963984540054


def score(
    ratings: pl.DataFrame, *, scheme: LabelScheme | None = None, silent: Silent = NOBODY
) -> Fitted:
    """Label each item with its score, the mean of the codes of its answers, written as text.

    `positions` has each score with its standard error over the item's ratings and a 95 % interval;
    an item with one rating has no standard error. The distribution has the share of each answer.

    Args:
        ratings: The ratings table; answers are numbers, or have values.
        scheme: From answers to labels.
        silent: Items and annotators without a rating.

    >>> ratings = pl.DataFrame({"item": ["t1"] * 4, "annotator": ["a", "b", "c", "d"],
    ...                         "question": ["rating"] * 4, "answer": list("2445")})
    >>> fitted = score(ratings)
    >>> fitted.labels["label"].to_list(), fitted.positions["se"].round(3).to_list()
    (['3.75'], [0.629])
    """
    scored = [
        (ballot, _scores(ballot)) for ballot in ballots(ratings, scheme=scheme, silent=silent)
    ]
    return nothing_learnt(
        LABELS.sort(pl.concat([_labels(ballot, scores) for ballot, scores in scored])),
        positions=pl.concat([_positions(ballot, scores) for ballot, scores in scored]),
    )


def _scores(ballot: Ballot) -> pl.DataFrame:
    """Return position and se of each item of a ballot, null for items without a number."""
    number = pl.col("number").sort()
    found = (
        numbers_in(ballot, NAME)
        .group_by("item")
        .agg(position=number.mean(), se=number.std() / pl.len().sqrt())
    )
    place = np.full(len(ballot.items), found.height, dtype=np.int64)
    place[found["item"].to_numpy()] = np.arange(found.height)
    none = pl.DataFrame(
        {"position": [None], "se": [None]}, schema={"position": pl.Float64, "se": pl.Float64}
    )
    return pl.concat([found.select("position", "se"), none])[place]


def _labels(ballot: Ballot, scores: pl.DataFrame) -> pl.DataFrame:
    return labels_table(
        ballot,
        method=NAME,
        label=scores["position"],
        support=np.full(len(ballot.items), np.nan),
        distribution=votes_text(ballot.votes, ballot.labels),
    )


def _positions(ballot: Ballot, scores: pl.DataFrame) -> pl.DataFrame:
    position, se = pl.col("position"), pl.col("se")
    named = scores.select(
        pl.Series("item", ballot.items, dtype=pl.String),
        pl.lit(ballot.question).alias("question"),
        position,
        se,
    )
    return named.with_columns(low=position - Z * se, high=position + Z * se)
