"""Writes a study as SP-10K's files: one file per relation, scores from 0 to 10."""

from __future__ import annotations

import polars as pl

from plausibly.datasets.sp10k import RELATIONS
from plausibly.errors import StudyError
from plausibly.tables import ITEMS, RATINGS

_COLUMNS = ("relation", "head", "dependent")


def released(items: pl.DataFrame, ratings: pl.DataFrame) -> dict[str, pl.DataFrame | str]:
    """Return head, dependent and score for each relation, in the order of the items.

    The score is (mean - 1) x 2.5 of the answers from 1 to 5; "not sure" is left out, and so are
    pairs nobody was sure about.

    Raises:
        StudyError: If items lack relation, head or dependent.
    """
    missing = [column for column in _COLUMNS if column not in items.columns]
    if missing:
        raise StudyError(f"SP-10K's format needs items with a column {missing[0]}.")
    sure = RATINGS.check(ratings).filter(pl.col("value").is_between(1, 5))
    means = sure.group_by("item").agg(score=(pl.col("value").sort().mean() - 1) * 2.5)
    pairs = ITEMS.check(items).filter(pl.col("kind") == "item")
    scored = pairs.join(means, on="item", how="inner", maintain_order="left")
    return {
        f"{relation}.tsv": "".join(
            f"{head}\t{dependent}\t{score}\n"
            for head, dependent, score in scored.filter(pl.col("relation") == relation)
            .select("head", "dependent", "score")
            .iter_rows()
        )
        for relation in RELATIONS
        if (scored["relation"] == relation).any()
    }
