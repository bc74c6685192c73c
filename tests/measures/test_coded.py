from __future__ import annotations

import polars as pl

from plausibly.measures.coded import code, code_on_scale
from worlds.tables import ratings_of


def test_row_order_is_forgotten() -> None:
    ratings = ratings_of({"t1": "5542", "t2": "1--5"})
    coded = code(ratings.reverse())
    assert coded.items.to_list() == ["t1", "t2"]
    assert coded.answers == ("1", "2", "4", "5")
    assert coded.counts.tolist() == [[0, 1, 1, 2], [1, 0, 0, 1]]


def test_numbers_are_ordered_as_numbers() -> None:
    coded = code(ratings_of({"t1": ["10", "9", "-1"]}))
    assert coded.answers == ("-1", "9", "10")
    assert coded.values is not None
    assert coded.values.tolist() == [-1, 9, 10]


def test_a_scale_orders_answers_by_their_value() -> None:
    ratings = ratings_of({"t1": ["low", "high", "mid"]}).with_columns(
        value=pl.Series([1.0, 3.0, 2.0])
    )
    coded = code_on_scale(ratings)
    assert coded.answers == ("low", "mid", "high")
    assert [coded.answers[place] for place in coded.answer] == ["low", "high", "mid"]
    assert coded.values is not None
    assert coded.values.tolist() == [1, 2, 3]


def test_a_value_that_varies_within_an_answer_is_no_scale() -> None:
    ratings = ratings_of({"t1": "12", "t2": "1-"}).with_columns(value=pl.Series([1.0, 2.0, 5.0]))
    coded = code_on_scale(ratings)
    assert coded.values is not None
    assert coded.values.tolist() == [1, 2]
