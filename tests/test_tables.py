"""The contracts of tables: what they add, what they refuse, and how they say it."""

from __future__ import annotations

import polars as pl
import pytest

from plausibly.errors import TableError
from plausibly.tables import ANNOTATORS, ITEMS, LABELS, RATINGS, TABLES
from worlds.tables import ratings_of


def test_every_table_of_the_glossary_is_declared() -> None:
    assert set(TABLES) == {
        "items", "annotators", "ratings", "examples", "exclusions", "labels",
        "counts", "svo", "predictions", "scores",
    }  # fmt: skip


def test_a_column_with_a_default_is_added() -> None:
    items = ITEMS.check(pl.DataFrame({"item": ["t1"], "text": ["dog eats bone"]}))
    assert items.row(0) == ("t1", "dog eats bone", None, "item", None)


def test_columns_of_the_users_own_are_kept_behind_the_declared_ones() -> None:
    items = ITEMS.check(pl.DataFrame({"level": [1], "item": ["t1"], "text": ["x"]}))
    assert items.columns == ["item", "text", "condition", "kind", "expected", "level"]


def test_a_missing_column_is_named() -> None:
    with pytest.raises(TableError, match=r"ratings: no column 'annotator'\. Columns found: item\."):
        RATINGS.check(pl.DataFrame({"item": ["t1"]}))


def test_rows_without_annotator_are_counted_and_the_first_is_named() -> None:
    ratings = ratings_of({"t1": "55", "t2": "44"}).with_columns(
        annotator=pl.Series(["a0", None, "", "a1"])
    )
    with pytest.raises(TableError, match=r"ratings: 2 of 4 rows .* \(first: row 2: no annotator\)"):
        RATINGS.check(ratings)


def test_a_repeated_key_is_named() -> None:
    ratings = pl.concat([ratings_of({"t1": "5"})] * 2)
    with pytest.raises(TableError, match="more than one row for item='t1', annotator='a0'"):
        RATINGS.check(ratings)


def test_a_null_label_is_disagreement_and_not_an_error() -> None:
    labels = pl.DataFrame({"item": ["t"], "question": ["q"], "method": ["m"], "ratings": [9]})
    assert LABELS.check(labels)["label"].to_list() == [None]


def test_numbers_become_the_declared_type() -> None:
    annotators = ANNOTATORS.check(pl.DataFrame({"annotator": [7], "approval": [98]}))
    assert annotators.select("annotator", "approval").row(0) == ("7", 98.0)


def test_a_column_that_cannot_be_cast_is_named() -> None:
    with pytest.raises(TableError, match="column 'approval' is String, expected Float64"):
        ANNOTATORS.check(pl.DataFrame({"annotator": ["a"], "approval": ["high"]}))


def test_an_empty_table_keeps_its_contract() -> None:
    for table in TABLES.values():
        assert table.check(table.empty()).schema == table.schema
