"""Reliability of item means: known formulas where designs are simple, laws everywhere."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.measures.coded import code
from plausibly.measures.generalisability import (
    design_of,
    ratings_for,
    reliabilities,
    reliability_of,
    variances,
)
from plausibly.measures.reliability import icc
from plausibly.measures.resampling import Resampling


def crowd(items: int, people: int, *, each: int, seed: int = 1) -> pl.DataFrame:
    """Return ratings from 1 to 7, each item by `each` people drawn at random."""
    draw = np.random.default_rng(seed)
    chosen = np.array([draw.permutation(people)[:each] for _ in range(items)])
    item, person = np.repeat(np.arange(items), each), chosen.ravel()
    felt = draw.normal(0, 1, items)[item] + draw.normal(0, 0.8, people)[person]
    answer = np.clip(np.round(4 + felt + draw.normal(0, 1, len(item))), 1, 7).astype(int)
    return pl.DataFrame(
        {
            "item": [f"t{number}" for number in item],
            "annotator": [f"a{number}" for number in person],
            "answer": answer.astype(str),
        }
    )


def means(ratings: pl.DataFrame, *, people: bool = True) -> float:
    value = reliabilities(code(ratings), metric="interval", people=people)["means"].value
    assert value is not None
    return value


def test_where_everyone_rated_everything_it_is_the_consistency_of_means() -> None:
    ratings = crowd(30, 6, each=6)
    table = ratings.with_columns(pl.col("answer").cast(pl.Float64)).pivot(
        "annotator", index="item", values="answer"
    )
    values = table.drop("item").to_numpy()
    by_item, by_person = values.mean(axis=1), values.mean(axis=0)
    rest = values - by_item[:, None] - by_person + values.mean()
    between = 6 * np.var(by_item, ddof=1)
    residual = (rest**2).sum() / (29 * 5)
    assert means(ratings) == pytest.approx((between - residual) / between)
    assert design_of(code(ratings)).counted == pytest.approx(0.0)  # type: ignore[union-attr]


def test_without_names_it_is_the_one_way_intraclass_correlation() -> None:
    ratings = crowd(40, 12, each=5)
    assert means(ratings, people=False) == pytest.approx(icc(code(ratings), "1,k").value)


def test_it_lies_between_the_two_where_people_overlap_in_part() -> None:
    ratings = crowd(80, 12, each=5)
    design = design_of(code(ratings))
    assert design is not None
    assert 0.5 < design.counted < 0.8
    parts = variances(code(ratings))
    assert parts is not None
    ends = [
        parts["item"] / (parts["item"] + (share * parts["annotator"] + parts["residual"]) / 5)
        for share in (1.0, 0.0)
    ]
    assert ends[0] < means(ratings) < ends[1]


def test_ratings_needed_reach_what_they_are_needed_for() -> None:
    for one in (0.05, 0.3, 0.5, 0.9):
        needed = ratings_for(one, 0.8)
        assert needed is not None
        assert reliability_of(one, needed) >= 0.8 - 1e-9
        assert needed == 1 or reliability_of(one, needed - 1) < 0.8


def test_no_number_of_ratings_helps_where_items_do_not_differ() -> None:
    assert ratings_for(-0.1, 0.8) is None
    assert ratings_for(None, 0.8) is None


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_names_and_the_order_of_rows_do_not_matter(seed: int) -> None:
    ratings = crowd(12, 6, each=4, seed=seed)
    other = ratings.sample(fraction=1.0, shuffle=True, seed=seed).with_columns(
        annotator=pl.concat_str(pl.lit("z"), pl.col("annotator").str.reverse())
    )
    plain, renamed = (
        reliabilities(code(one), metric="interval")["means"].value for one in (ratings, other)
    )
    assert plain == pytest.approx(renamed)


def test_the_interval_holds_the_value() -> None:
    ratings = crowd(60, 10, each=5)
    found = reliabilities(code(ratings), metric="ordinal", resampling=Resampling())
    for measure in found.values():
        assert measure.low is not None
        assert measure.value is not None
        assert measure.high is not None
        assert measure.low < measure.value < measure.high
