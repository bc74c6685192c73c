"""The one label enough annotators share, or none."""

from __future__ import annotations

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError
from plausibly.labels._votes import Counts, Votes, vote
from plausibly.labels.results import NOBODY, Silent


def agreed_by(
    ratings: pl.DataFrame,
    *,
    at_least: int,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
) -> pl.DataFrame:
    """Label each item with the one label `at_least` annotators share; null without one.

    Args:
        ratings: The ratings table.
        at_least: Number of annotators who must give the same label.
        scheme: From answers to labels.
        silent: Items and annotators without a rating.

    >>> ratings = pl.DataFrame({"item": ["t1"] * 4, "annotator": ["a", "b", "c", "d"],
    ...                         "question": ["rating"] * 4, "answer": ["4", "5", "5", "4"]})
    >>> agreed_by(ratings, at_least=2)["label"].to_list()
    [None]
    """
    if at_least < 1:
        raise StudyError(f"at_least must be 1 or more; got {at_least}.")

    def shared(votes: Votes, totals: Counts) -> Counts:
        del totals
        enough = votes.count >= at_least
        alone = np.bincount(votes.item[enough], minlength=votes.n_items) == 1
        return votes.winner(enough & alone[votes.item])

    return vote(ratings, method="agreed-by", rule=shared, scheme=scheme, silent=silent)
