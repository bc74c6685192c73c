"""Bins: equal sizes where ratings allow, separation always."""

from __future__ import annotations

from itertools import pairwise

import polars as pl
import pytest

from plausibly.errors import StudyError
from plausibly.stimuli.pap.bins import DEGREES, separated_bins


def sizes(*values: float) -> list[int]:
    return [one.rows for one in separated_bins(pl.Series(values, dtype=pl.Float64)).bins]


def test_distinct_ratings_make_bins_of_equal_size() -> None:
    assert sizes(*range(20)) == [4, 4, 4, 4, 4]


def test_a_run_of_equal_ratings_stays_in_one_bin() -> None:
    assert sizes(1, 1, 1, 1, 1, 2, 3, 4, 5, 6) == [5, 1, 1, 1, 2]


def test_a_run_that_reaches_past_a_cut_goes_to_the_nearer_side() -> None:
    # Equal sizes would cut after 2 and 4; the run of 2s reaches from the second to the third row.
    assert sizes(1, 2, 2, 3, 4, 5, 6, 7, 8, 9)[:2] == [1, 3]


def test_every_bin_gets_something_even_when_one_rating_is_everywhere() -> None:
    assert sizes(*[1.0] * 90, 2, 3, 4, 5) == [90, 1, 1, 1, 1]
    assert sizes(1, 2, 3, 4, *[5.0] * 90) == [1, 1, 1, 1, 90]


def test_too_few_ratings_are_an_error_that_names_the_place() -> None:
    with pytest.raises(StudyError, match="verbs: 4 distinct values cannot make 5 separated bins"):
        separated_bins(pl.Series([1.0, 2.0, 3.0, 4.0, 4.0]), what="verbs")


def test_letters_and_degrees_follow_the_bins() -> None:
    values = pl.Series([1.0, 2.0, 3.0, 4.0, 5.0])
    found = separated_bins(values)
    assert found.letters(values).to_list() == ["a", None, "m", None, "c"]
    assert found.degrees(values).to_list() == list(DEGREES)
    assert all(low.high < high.low for low, high in pairwise(found.bins))


def test_a_rating_between_two_bins_belongs_to_the_upper_one() -> None:
    found = separated_bins(pl.Series([1.0, 2.0, 3.0, 4.0, 5.0]))
    assert found.numbers(pl.Series([0.5, 1.5, 9.0])).to_list() == [0, 1, 4]


def test_bins_are_written_with_their_ranges() -> None:
    first = separated_bins(pl.Series([1.0, 1.5, 2.0, 3.0, 4.0, 5.0])).as_json()[0]
    assert first == {
        "degree": "highly abstract",
        "letter": "a",
        "low": 1.0,
        "high": 1.0,
        "rows": 1,
    }
