"""Winograd questions answered by comparing two scores (Zhang et al. 2019, section 6, Table 9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import polars as pl

from plausibly.errors import UnknownName

NoAnswer = Literal["equal", "either-missing"]
POLICIES: tuple[NoAnswer, ...] = get_args(NoAnswer)


@dataclass(frozen=True, slots=True)
class Winograd:
    """How many questions were answered right, wrong and not at all.

    >>> result = Winograd(correct=36, wrong=19, none=17)
    >>> round(result.a_p or 0, 3), round(result.a_o or 0, 3)
    (0.655, 0.618)
    """

    correct: int
    wrong: int
    none: int

    @property
    def total(self) -> int:
        """How many questions there are."""
        return self.correct + self.wrong + self.none

    @property
    def a_p(self) -> float | None:
        """The share of right answers among the questions answered; None if none was."""
        answered = self.correct + self.wrong
        return self.correct / answered if answered else None

    @property
    def a_o(self) -> float | None:
        """The share of right answers if an unanswered question is a coin flip."""
        return (self.correct + 0.5 * self.none) / self.total if self.total else None

    def as_json(self) -> dict[str, float | int | None]:
        """Return the result with the keys of `winograd --json`."""
        return {
            "correct": self.correct,
            "wrong": self.wrong,
            "none": self.none,
            "a_p": self.a_p,
            "a_o": self.a_o,
        }


def winograd(scores: pl.DataFrame, *, no_answer: NoAnswer = "equal") -> Winograd:
    """Return how often the candidate with the higher score is the right one.

    Args:
        scores: question, score_a, score_b (null = not known) and answer (A or B).
        no_answer: When there is no answer: on `equal` scores, a score that is not known counting
            as 0 and never winning; or also when `either-missing`, a known score of 0 being the
            released way of writing a missing pair.
    """
    said = pl.col("predicted")
    counts = with_predictions(scores, no_answer=no_answer).select(
        correct=(said == pl.col("answer")).sum(),
        wrong=(said != pl.col("answer")).sum(),
        none=said.is_null().sum(),
    )
    return Winograd(*map(int, counts.row(0)))


def with_predictions(scores: pl.DataFrame, *, no_answer: NoAnswer = "equal") -> pl.DataFrame:
    """Return the scores with `predicted`: A, B, or null where there is no answer."""
    if no_answer not in POLICIES:
        raise UnknownName("policy for no answer", no_answer, POLICIES)
    return scores.with_columns(predicted=_predicted(no_answer))


def _predicted(no_answer: NoAnswer) -> pl.Expr:
    """Return A, B or null for each question, from the scores alone."""
    a, b = pl.col("score_a"), pl.col("score_b")
    # An unknown score is 0, but lower than any known score below 0.
    low_a, low_b = a.fill_null(pl.min_horizontal(b, 0.0)), b.fill_null(pl.min_horizontal(a, 0.0))
    by_score = (
        pl.when((low_a > low_b) | (b.is_null() & (a < 0)))
        .then(pl.lit("A"))
        .when((low_b > low_a) | (a.is_null() & (b < 0)))
        .then(pl.lit("B"))
    )
    if no_answer == "equal":
        return by_score
    missing = (a.fill_null(0) == 0) | (b.fill_null(0) == 0)
    return pl.when(~missing).then(by_score)
