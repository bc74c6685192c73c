"""Predictions of others: what a table may leave out, and what it must have."""

from __future__ import annotations

import polars as pl
import pytest

import plausibly as pb
from plausibly.errors import TableError
from plausibly.io.predicted import predictions_table


def test_predictions_need_a_column_that_says_something() -> None:
    table = pl.DataFrame({"item": ["t1"], "model": ["m"], "answer": ["4"]})
    with pytest.raises(TableError, match="none of the columns label, score, distribution"):
        predictions_table(table)


def test_predictions_about_the_only_question_need_not_name_it() -> None:
    rows = [(f"t{i}", f"a{p}", str(1 + (i * p + i) % 5)) for i in range(30) for p in range(4)]
    ratings = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    ratings = ratings.with_columns(question=pl.lit("natural"))
    said = pl.DataFrame({"item": [f"t{i}" for i in range(90)], "model": "m"})
    said = said.with_columns(score=pl.int_range(90).cast(pl.Float64) % 7)
    named = said.with_columns(question=pl.lit("natural"))
    bare, full = (
        pb.describe(ratings, models=table, random_sample=True).as_json() for table in (said, named)
    )
    assert bare == full
    assert bare["questions"]["natural"]["rows"][0]["hybrid"]["value"] is not None
    labels = [pb.label(ratings, method="share", prior=table).labels for table in (said, named)]
    assert labels[0].equals(labels[1])
