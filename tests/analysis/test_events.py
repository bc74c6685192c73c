"""Tables of events by condition and combination."""

from __future__ import annotations

import polars as pl
import pytest

from plausibly.analysis.events import (
    bins,
    constituent_proportions,
    item_values,
    label_shares,
    letters,
    side_agreement,
)
from plausibly.datasets.schemes import SCHEMES
from plausibly.errors import StudyError, TableError
from plausibly.labels.strict_majority import strict_majority
from worlds.tables import ratings_of

BINARY = SCHEMES["pap-binary"]


def events_of(combinations: dict[str, str], **columns: list[str]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "item": list(combinations),
            "text": list(combinations),
            "combination": list(combinations.values()),
            **columns,
        }
    )


def test_letters_stand_in_the_order_subject_verb_object() -> None:
    rows = letters(events_of({"e2": "a-m-c", "e1": "c-c-c"})).rows()
    assert rows[:3] == [("e1", "subject", "c"), ("e1", "verb", "c"), ("e1", "object", "c")]
    assert rows[3:] == [("e2", "subject", "a"), ("e2", "verb", "m"), ("e2", "object", "c")]


@pytest.mark.parametrize("combination", ["a-m", "amc", "a-m-c-a", None])
def test_a_combination_of_other_length_is_refused(combination: str | None) -> None:
    events = pl.DataFrame(
        {"item": ["e1", "e2"], "text": ["x", "y"], "combination": ["a-m-c", combination]}
    )
    with pytest.raises(TableError, match=r"1 of 2 combinations .* of item 'e2'"):
        letters(events)


def test_proportions_are_shares_of_all_constituents_of_a_group() -> None:
    events = events_of({"e1": "a-m-c", "e2": "a-a-c", "e3": "m-m-m"}, side=["p", "p", "u"])
    shares = constituent_proportions(events, by=["side"])
    cells = {row[:3]: row[3:] for row in shares.iter_rows()}
    assert cells["p", "subject", "a"] == (2, pytest.approx(2 / 6), 6)
    assert cells["p", "object", "m"] == (0, 0.0, 6)
    assert cells["u", "verb", "m"] == (1, pytest.approx(1 / 3), 3)
    assert len(cells) == 2 * 3 * 3


def test_proportions_without_groups_are_over_all_events() -> None:
    shares = constituent_proportions(events_of({"e1": "a-m-c", "e2": "a-m-c"}))
    assert shares["n"].unique().to_list() == [6]
    assert shares.filter(pl.col("count") > 0).select("constituent", "level").rows() == [
        ("object", "c"),
        ("subject", "a"),
        ("verb", "m"),
    ]


def test_a_group_column_that_is_not_there_is_named() -> None:
    with pytest.raises(TableError, match="no column 'side'"):
        constituent_proportions(events_of({"e1": "a-m-c"}), by=["side"])


def test_undecided_items_keep_their_row_as_unsure() -> None:
    events = events_of({"t1": "a-a-a", "t2": "a-a-a", "t3": "c-c-c"})
    labels = strict_majority(ratings_of({"t1": "5555", "t2": "5511"}), scheme=BINARY)
    rows = label_shares(events, labels, by=["combination"]).rows()
    assert rows == [
        ("a-a-a", "1", 1, 0.5, 2),
        ("a-a-a", "unsure", 1, 0.5, 2),
        ("c-c-c", "1", 0, 0.0, 1),
        ("c-c-c", "unsure", 1, 1.0, 1),
    ]


def test_two_labels_of_one_item_are_refused() -> None:
    labels = strict_majority(ratings_of({"t1": "5"}), scheme=BINARY)
    twice = pl.concat([labels, labels.with_columns(method=pl.lit("other"))])
    with pytest.raises(StudyError, match="Filter one question and one method"):
        label_shares(events_of({"t1": "a-a-a"}), twice, by=["combination"])


def test_the_median_of_an_even_number_lies_between_the_middle_ones() -> None:
    values = item_values(ratings_of({"t1": "1245", "t2": "5"}))
    assert values["median"].to_list() == [3.0, 5.0]
    assert values["mean"].to_list() == [3.0, 5.0]
    assert values["sd"].to_list() == pytest.approx([2.5**0.5, 0.0])
    assert values["sample_sd"].to_list() == [pytest.approx((10 / 3) ** 0.5), None]
    assert values["ratings"].to_list() == [4, 1]


def test_an_upper_bound_belongs_to_its_bin() -> None:
    values = pl.Series([1.0, 2.0, 2.1, 3.0, 4.5])
    assert bins(values, edges=[1, 2, 3, 5]) == {"[1;2]": 2, "(2;3]": 2, "(3;5]": 1}


def test_a_value_outside_the_bins_is_refused() -> None:
    with pytest.raises(StudyError, match=r"1 of 2 values lie outside \[1, 5\] \(first: 6.0\)"):
        bins(pl.Series([1.0, 6.0]), edges=[1, 5])


@pytest.mark.parametrize("edges", [[1], [1, 1], [2, 1]])
def test_edges_that_do_not_rise_are_refused(edges: list[float]) -> None:
    with pytest.raises(StudyError, match="edges must be two or more"):
        bins(pl.Series([1.0]), edges=edges)


def test_pairs_of_ratings_agree_on_one_side_of_the_middle() -> None:
    pairs = side_agreement(ratings_of({"t1": "4512", "t2": "45", "t3": "5"}), scheme=BINARY)
    assert pairs.select("item", "pairs", "same", "share").rows() == [
        ("t1", 6, 2, pytest.approx(1 / 3)),
        ("t2", 1, 1, 1.0),
        ("t3", 0, 0, None),
    ]


def test_answers_outside_the_sides_are_left_out() -> None:
    pairs = side_agreement(ratings_of({"t1": "4533"}), scheme=BINARY)
    assert pairs["pairs"].to_list() == [1]
