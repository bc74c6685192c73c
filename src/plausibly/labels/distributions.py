"""How the ratings of each item are spread over the labels."""

from __future__ import annotations

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.labels._votes import ballots, shares
from plausibly.labels.results import NOBODY, Silent


def distributions(
    ratings: pl.DataFrame, *, scheme: LabelScheme | None = None, silent: Silent = NOBODY
) -> pl.DataFrame:
    """Return one row per item, question and label: votes and share, labels smallest first.

    Labels nobody gave have a row with 0 votes; an item without a vote has null shares.

    >>> ratings = pl.DataFrame({"item": ["t1"] * 4, "annotator": ["a", "b", "c", "d"],
    ...                         "question": ["rating"] * 4, "answer": ["1", "5", "5", "5"]})
    >>> distributions(ratings).select("label", "votes", "share").rows()
    [('1', 1, 0.25), ('5', 3, 0.75)]
    """
    tables = []
    for ballot in ballots(ratings, scheme=scheme, silent=silent):
        votes = ballot.votes()
        rows = np.repeat(np.arange(len(ballot.items)), len(ballot.labels))
        columns = np.tile(np.arange(len(ballot.labels)), len(ballot.items))
        tables.append(
            pl.DataFrame(
                {
                    "item": ballot.items.gather(rows),
                    "question": pl.repeat(ballot.question, len(rows), eager=True),
                    "label": pl.Series(ballot.labels, dtype=pl.String).gather(columns),
                    "votes": pl.Series(votes.ravel(), dtype=pl.Int64),
                    "share": pl.Series(shares(votes).ravel(), dtype=pl.Float64).fill_nan(None),
                }
            )
        )
    return pl.concat(tables).sort("item", "question", maintain_order=True)
