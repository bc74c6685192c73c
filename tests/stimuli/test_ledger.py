"""The sieve: what is dropped is in the ledger, what is not is kept."""

from __future__ import annotations

import polars as pl
import pytest

from plausibly.errors import StudyError
from plausibly.io.ranks import numbers, shuffled
from plausibly.stimuli.ledger import sieve

WORDS = sieve(pl.DataFrame({"word": ["tea", "sea", "bee"]}), candidate=pl.col("word"))


def test_an_unknown_mark_drops_nobody() -> None:
    assert WORDS.drop("odd", where=pl.lit(None, dtype=pl.Boolean), reason="?").kept.height == 3


def test_marks_must_cover_every_candidate() -> None:
    with pytest.raises(StudyError, match="2 marks for 3 candidates"):
        WORDS.split("odd", goes=pl.Series([True, False]), reason="?")


def test_rows_cannot_vanish_behind_the_ledgers_back() -> None:
    with pytest.raises(StudyError, match="Remove rows with drop"):
        WORDS.with_columns(WORDS.kept.head(1))


def test_the_order_of_the_seed_is_that_of_the_statements() -> None:
    import duckdb

    rows = pl.DataFrame({"key": [f"k{n}" for n in range(50)]})
    ours = shuffled(rows, key=pl.col("key"), seed=7)["key"].to_list()
    names = ", ".join(f"('{key}')" for key in reversed(rows["key"].to_list()))
    statement = (
        f"SELECT key FROM (VALUES {names}) AS t(key) "  # noqa: S608 - keys of this test
        "ORDER BY md5(concat(CAST(7 AS VARCHAR(20)), '|', key)), key"
    )
    assert ours == [key for (key,) in duckdb.connect().execute(statement).fetchall()]


def test_numbers_are_four_per_key_and_spread_out() -> None:
    found = numbers(pl.Series([f"k{n}" for n in range(4000)]), seed=1)
    assert found.shape == (4000, 4)
    assert all(abs(float(column.mean()) / 2**32 - 0.5) < 0.03 for column in found.T)
