"""The label most ratings give."""

from __future__ import annotations

import polars as pl

from plausibly.domain import LabelScheme
from plausibly.labels._votes import Counts, Votes, vote
from plausibly.labels.results import NOBODY, Silent


def plurality(
    ratings: pl.DataFrame, *, scheme: LabelScheme | None = None, silent: Silent = NOBODY
) -> pl.DataFrame:
    """Label each item with its most frequent label; a tie goes to the smallest label.

    `plausibly.labels.ties.ties` lists the items where a tie was broken.

    >>> ratings = pl.DataFrame({"item": ["t1"] * 4, "annotator": ["a", "b", "c", "d"],
    ...                         "question": ["rating"] * 4, "answer": ["4", "5", "5", "1"]})
    >>> plurality(ratings).select("label", "support", "distribution").row(0)
    ('5', 0.5, '{"1": 0.25, "4": 0.25, "5": 0.5}')
    """

    def frequent(votes: Votes, totals: Counts) -> Counts:
        del totals
        return votes.winner(votes.count == votes.most[votes.item])

    return vote(ratings, method="plurality", rule=frequent, scheme=scheme, silent=silent)
