"""Scores of items, adjusted for who happened to rate them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.labels._votes import Ballot, ballots, labels_table, votes_text
from plausibly.labels.averages import numbers_in
from plausibly.labels.results import NOBODY, Fitted, Silent, nothing_learnt
from plausibly.measures.coded import Floats, codes_of
from plausibly.tables import LABELS

NAME = "adjusted"
Z = 1.959963984540054


@dataclass(frozen=True, eq=False)
class _Question:
    ballot: Ballot
    scores: Floats
    errors: Floats
    reliability: float | None
    adjusted: bool


def adjusted(
    ratings: pl.DataFrame, *, scheme: LabelScheme | None = None, silent: Silent = NOBODY
) -> Fitted:
    """Label each item with its score, adjusted for who rated it, written as text.

    The score is the best linear predictor of a mixed model with random items and annotators
    (Henderson 1975): items rated by severe annotators move up, and items with few ratings move
    towards the mean. `positions` has each score with its standard error and 95 % interval,
    `reliability` the share of the variance of scores that is due to items. Where ratings do not
    tell items from annotators, scores are plain means, with a warning.

    Args:
        ratings: The ratings table; answers are numbers.
        scheme: From answers to labels.
        silent: Items and annotators without a rating.

    Annotator a answers two lower than b, so a 5 of a counts more than a 5 of b:

    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2", "t3", "t4"],
    ...                         "annotator": ["a", "b", "a", "b", "a", "b"],
    ...                         "question": ["rating"] * 6, "answer": list("132455")})
    >>> [round(float(label), 2) for label in adjusted(ratings).labels["label"]]
    [2.0, 3.0, 6.0, 4.0]
    """
    questions = [_scored(ballot) for ballot in ballots(ratings, scheme=scheme, silent=silent)]
    fitted = nothing_learnt(
        LABELS.sort(pl.concat([_labels(one) for one in questions])),
        positions=pl.concat([_positions(one) for one in questions]),
    )
    reliability = {one.ballot.question: one.reliability for one in questions}
    return replace(fitted, reliability=reliability, warnings=_warnings(questions))


def _scored(ballot: Ballot) -> _Question:
    from plausibly.measures.mixed.adjusted import adjusted_scores  # needs SciPy, a label need not

    table = numbers_in(ballot, NAME)
    scores = np.full(len(ballot.items), np.nan)
    errors = scores.copy()
    if table.is_empty():
        return _Question(ballot, scores, errors, None, adjusted=False)
    rated, item = np.unique(table["item"].to_numpy(), return_inverse=True)
    people = codes_of(ballot.ratings["annotator"].gather(table["rating"]))[0]
    numbers = table["number"].to_numpy().astype(np.float64)
    found = adjusted_scores(numbers, item.astype(np.int64), people.astype(np.int64))
    scores[rated], errors[rated] = found.scores, found.errors
    return _Question(ballot, scores, errors, found.reliability, found.adjusted)


def _labels(one: _Question) -> pl.DataFrame:
    return labels_table(
        one.ballot,
        method=NAME,
        label=pl.Series(one.scores, dtype=pl.Float64).fill_nan(None),
        support=np.full(len(one.scores), np.nan),
        distribution=votes_text(one.ballot.votes, one.ballot.labels),
    )


def _positions(one: _Question) -> pl.DataFrame:
    score, se = pl.col("position"), pl.col("se")
    return pl.DataFrame(
        {
            "item": one.ballot.items,
            "question": pl.repeat(one.ballot.question, len(one.scores), eager=True),
            "position": pl.Series(one.scores, dtype=pl.Float64).fill_nan(None),
            "se": pl.Series(one.errors, dtype=pl.Float64).fill_nan(None),
        }
    ).with_columns(low=score - Z * se, high=score + Z * se)


def _warnings(questions: Sequence[_Question]) -> tuple[str, ...]:
    return tuple(
        f"{one.ballot.question}: the ratings do not separate items from annotators; "
        "scores are plain means, without standard errors."
        for one in questions
        if not one.adjusted
    )
