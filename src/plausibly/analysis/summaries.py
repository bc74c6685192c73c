"""What ratings say about each item and each person: the numbers of report and explorer."""

from __future__ import annotations

import polars as pl

from plausibly.measures.disagreement import entropies

DIGITS = 10
"""Means are rounded to this: sums of floats depend on how many threads shared the work."""

UNIT = ("item", "question")


def item_summaries(ratings: pl.DataFrame, *, by: tuple[str, ...] = UNIT) -> pl.DataFrame:
    """Return mean, standard deviation and number of the values in each group of ratings.

    >>> table = pl.DataFrame({"item": ["t1"] * 2, "question": ["q"] * 2, "value": [1.0, 3.0]})
    >>> item_summaries(table)["mean"].to_list()
    [2.0]
    """
    value = pl.col("value")
    return ratings.group_by(by).agg(
        mean=value.mean().round(DIGITS),
        deviation=value.std().round(DIGITS),
        ratings=value.count(),
    )


def item_entropies(ratings: pl.DataFrame) -> pl.DataFrame:
    """Return how divided the answers of each item are: their entropy in bits, and their number.

    >>> table = pl.DataFrame({"item": ["t1"] * 2, "question": ["q"] * 2, "answer": ["no", "yes"]})
    >>> item_entropies(table).rows()
    [('t1', 'q', 2, 1.0)]
    """
    known = ratings.drop_nulls("answer")
    counted = known.group_by(UNIT).len("answers").sort(UNIT)
    if counted.is_empty():
        return counted.with_columns(entropy=pl.lit(None, dtype=pl.Float64))
    places = counted.select(*UNIT).with_row_index("unit")
    coded = known.join(places, on=UNIT, maintain_order="left")
    unit = coded["unit"].cast(pl.Int64).to_numpy()
    answer = (coded["answer"].rank("dense") - 1).cast(pl.Int64).to_numpy()
    found = entropies(unit, answer, counted.height)
    return counted.with_columns(entropy=pl.Series(abs(found)).round(DIGITS))
