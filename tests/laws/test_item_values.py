"""Laws of what stands behind a mean: every item once, shares that add up, any order of rows."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.analysis.item_values import item_values

ROWS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz"), st.integers(1, 5)),
    min_size=1,
    max_size=40,
)


def table_of(rows: list[tuple[str, str, int]]) -> pl.DataFrame:
    schema = {"item": pl.String, "condition": pl.String, "value": pl.Float64}
    table = pl.DataFrame(rows, schema=schema, orient="row")
    answer = pl.col("value").cast(pl.Int64).cast(pl.String)
    return table.with_columns(question=pl.lit("fit"), answer=answer)


@settings(max_examples=30, deadline=None)
@given(rows=ROWS)
def test_shares_add_up_and_average_to_the_mean_of_the_item(
    rows: list[tuple[str, str, int]],
) -> None:
    values = item_values(table_of(rows), ["condition"], mean=True, most_answers=5)
    cells = {(item, condition) for item, condition, _ in rows}
    means = values.filter(pl.col("answer").is_null())
    assert set(means.select("item", "condition").iter_rows()) == cells
    assert means["ratings"].sum() == len(rows)
    for item, condition in cells:
        own = values.filter(item=item, condition=condition)
        shares = own.filter(pl.col("answer").is_not_null())
        mean = own.filter(pl.col("answer").is_null())["value"].item()
        assert shares["value"].sum() == pytest.approx(1)
        assert (shares["value"] * shares["rank"]).sum() == pytest.approx(mean)


@settings(max_examples=20, deadline=None)
@given(rows=ROWS, seed=st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(rows: list[tuple[str, str, int]], seed: int) -> None:
    table = table_of(rows)
    shuffled = table.sample(fraction=1, shuffle=True, seed=seed)
    one, other = (
        item_values(each, ["condition"], mean=True, most_answers=5) for each in (table, shuffled)
    )
    assert one.equals(other)


@given(rows=ROWS)
@settings(max_examples=10, deadline=None)
def test_too_many_answers_have_no_shares(rows: list[tuple[str, str, int]]) -> None:
    values = item_values(table_of(rows), [], mean=True, most_answers=0)
    assert values["answer"].null_count() == values.height > 0
