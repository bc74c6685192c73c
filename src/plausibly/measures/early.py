"""Ratings of items that were closed early: which answers say nothing about who was asked."""

from __future__ import annotations

import polars as pl

EARLY = "early"


def first_answers(ratings: pl.DataFrame) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return the ratings that agreement, shares, means and models may use, and what to report.

    If items were closed as soon as enough people agreed, only the first answers to each item (those
    with 1 in the column `early`) were asked for whatever they were; all others are left out. Labels
    use all ratings.

    >>> table = pl.DataFrame({"item": ["t1"] * 3, "annotator": ["a", "b", "c"], "early": [1, 1, 0]})
    >>> first_answers(table)[0]["annotator"].to_list()
    ['a', 'b']
    """
    if EARLY not in ratings.columns:
        return ratings, ()
    kept = ratings.filter(ratings[EARLY].cast(pl.String).fill_null("1") == "1")
    late = ratings.height - kept.height
    note = (
        f"Items were closed once enough people agreed: {late} answers after the first ones are "
        "left out here, because they were asked for only where people differed. Labels use them."
    )
    return kept, (note,) if late else ()
