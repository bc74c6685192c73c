"""Laws of the tables of events."""

from __future__ import annotations

import random

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.analysis.events import (
    bins,
    constituent_proportions,
    item_values,
    label_shares,
    side_agreement,
)
from plausibly.datasets.schemes import SCHEMES
from plausibly.labels.strict_majority import strict_majority
from worlds.tables import ratings_of

BINARY = SCHEMES["pap-binary"]
SIDES = dict(BINARY.of)

letter = st.sampled_from("amc")
events = st.lists(
    st.tuples(letter, letter, letter, st.sampled_from(["x", "y"])), min_size=1, max_size=12
)
answers = st.lists(st.text("1245", min_size=1, max_size=9), min_size=1, max_size=8)


def events_of(rows: list[tuple[str, str, str, str]]) -> pl.DataFrame:
    names = [f"e{place}" for place in range(len(rows))]
    return pl.DataFrame(
        {
            "item": names,
            "text": names,
            "combination": ["-".join(row[:3]) for row in rows],
            "condition": [row[3] for row in rows],
        }
    )


def crowd(given: list[str]) -> pl.DataFrame:
    return ratings_of({f"e{place}": text for place, text in enumerate(given)})


@given(events)
def test_the_proportions_of_a_group_sum_to_one(rows: list[tuple[str, str, str, str]]) -> None:
    shares = constituent_proportions(events_of(rows), by=["condition"])
    sums = shares.group_by("condition").agg(pl.col("share").sum(), pl.col("count").sum())
    for condition, share, count in sums.iter_rows():
        assert share == pytest.approx(1)
        assert count == 3 * sum(row[3] == condition for row in rows)


@given(events, st.randoms(use_true_random=False))
def test_the_order_of_events_never_matters(
    rows: list[tuple[str, str, str, str]], shuffle: random.Random
) -> None:
    table = events_of(rows)
    order = list(range(table.height))
    shuffle.shuffle(order)
    by = ["condition"]
    assert constituent_proportions(table[order], by=by).equals(
        constituent_proportions(table, by=by)
    )


@given(answers)
def test_no_item_is_lost_between_labels(given: list[str]) -> None:
    table = events_of([("a", "m", "c", "xy"[place % 2]) for place in range(len(given))])
    shares = label_shares(table, strict_majority(crowd(given), scheme=BINARY), by=["condition"])
    assert shares["items"].sum() == len(given)
    sums = shares.group_by("condition").agg(pl.col("share").sum())["share"].to_list()
    assert sums == pytest.approx([1.0] * len(sums))


@given(answers)
def test_every_median_is_in_one_bin(given: list[str]) -> None:
    medians = item_values(crowd(given))["median"]
    assert sum(bins(medians, edges=[1, 2, 3, 4, 5]).values()) == len(given)


@given(answers, st.randoms(use_true_random=False))
def test_side_agreement_counts_pairs_whatever_their_order(
    given: list[str], shuffle: random.Random
) -> None:
    ratings = crowd(given)
    found = side_agreement(ratings, scheme=BINARY)
    order = list(range(ratings.height))
    shuffle.shuffle(order)
    assert side_agreement(ratings[order], scheme=BINARY).equals(found)
    for item, pairs, same in found.select("item", "pairs", "same").iter_rows():
        text = given[int(item[1:])]
        both = [(a, b) for place, a in enumerate(text) for b in text[:place]]
        assert pairs == len(both)
        assert same == sum(SIDES[a] == SIDES[b] for a, b in both)


@given(st.text("45", min_size=2, max_size=9))
def test_one_side_is_full_agreement(text: str) -> None:
    assert side_agreement(crowd([text]), scheme=BINARY)["share"].to_list() == [1.0]
