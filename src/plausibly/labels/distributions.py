"""How the ratings of each item are spread over the labels."""

from __future__ import annotations

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.labels._votes import FULL, ballots
from plausibly.labels.results import NOBODY, Silent


def distributions(
    ratings: pl.DataFrame, *, scheme: LabelScheme | None = None, silent: Silent = NOBODY
) -> pl.DataFrame:
    """Return one row per item, question and label: votes and share, labels smallest first.

    Of up to 20 labels those nobody gave have a row with 0 votes, of more they have none; an item
    without a vote has null shares.

    >>> ratings = pl.DataFrame({"item": ["t1"] * 4, "annotator": ["a", "b", "c", "d"],
    ...                         "question": ["rating"] * 4, "answer": ["1", "5", "5", "5"]})
    >>> distributions(ratings).select("label", "votes", "share").rows()
    [('1', 1, 0.25), ('5', 3, 0.75)]
    """
    tables = []
    for ballot in ballots(ratings, scheme=scheme, silent=silent):
        votes, labels = ballot.votes, pl.Series(ballot.labels, dtype=pl.String)
        item, label, count = votes.item, votes.label, votes.count
        if votes.n_labels <= FULL:
            item = np.repeat(np.arange(votes.n_items), votes.n_labels)
            label = np.tile(np.arange(votes.n_labels), votes.n_items)
            count = np.zeros(len(item), dtype=np.int64)
            count[votes.item * votes.n_labels + votes.label] = votes.count
        tables.append(
            pl.DataFrame(
                {
                    "item": ballot.items.gather(item),
                    "question": pl.repeat(ballot.question, len(item), eager=True),
                    "label": labels.gather(label),
                    "votes": pl.Series(count, dtype=pl.Int64),
                    "cast": pl.Series(votes.cast[item], dtype=pl.Int64),
                }
            )
        )
    share = pl.when(pl.col("cast") > 0).then(pl.col("votes") / pl.col("cast"))
    whole = pl.concat(tables).with_columns(share=share).drop("cast")
    return whole.sort("item", "question", maintain_order=True)
