"""The label a large majority of the ratings gives, or none."""

from __future__ import annotations

import polars as pl

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError
from plausibly.labels._votes import Counts, Votes, vote
from plausibly.labels.results import NOBODY, Silent

ROUNDING = 1e-9


def strict_majority(
    ratings: pl.DataFrame,
    *,
    min_share: float = 0.7,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
) -> pl.DataFrame:
    """Label each item with the label at least `min_share` of all its ratings give; null without.

    Eichel and Schulte im Walde (2023, section 6) ask for 70 %, which exactly 7 of 10 ratings
    reach. Ratings outside the scheme count in the whole, not for a label.

    Args:
        ratings: The ratings table.
        min_share: Share of an item's ratings its label needs, above one half.
        scheme: From answers to labels.
        silent: Items and annotators without a rating.

    >>> ratings = pl.DataFrame({"item": ["t1"] * 3, "annotator": ["a", "b", "c"],
    ...                         "question": ["rating"] * 3, "answer": ["4", "5", "5"]})
    >>> strict_majority(ratings)["label"].to_list()
    [None]
    >>> strict_majority(ratings, min_share=0.6)["label"].to_list()
    ['5']
    """
    if not 0.5 < min_share <= 1:
        raise StudyError(
            f"min_share must be in (0.5, 1]; got {min_share}. "
            "At one half or below, two answers could both win."
        )

    def majority(votes: Votes, totals: Counts) -> Counts:
        return votes.winner(votes.count >= (min_share * totals - ROUNDING)[votes.item])

    return vote(ratings, method="strict-majority", rule=majority, scheme=scheme, silent=silent)
