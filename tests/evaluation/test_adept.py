"""ADEPT's baselines."""

from __future__ import annotations

import polars as pl
import pytest

from plausibly.domain import LabelScheme
from plausibly.evaluation.adept import accuracy, backoff, majority, normative

FOUR = LabelScheme(
    "four", labels=("low", "same", "high"), of={"1": "low", "2": "same", "3": "high"}
)


def pairs(*rows: tuple[str, str, int]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["modifier", "noun", "label"], orient="row")


def test_the_majority_baseline_says_equally_likely() -> None:
    assert majority(pairs(("fake", "gun", 0), ("old", "gun", 2))).to_list() == [2, 2]


@pytest.mark.parametrize("label", [0, 1])
def test_the_normative_rule_says_its_label_for_listed_words(label: int) -> None:
    said = normative(pairs(("fake", "gun", 0), ("old", "gun", 2)), {"fake"}, label=label)
    assert said.to_list() == [label, 2]


def test_the_normative_rule_says_less_likely_unless_told() -> None:
    assert normative(pairs(("fake", "gun", 0)), {"fake"}).to_list() == [1]


def test_backoff_gives_the_commonest_label_of_the_key() -> None:
    train = pairs(("fake", "gun", 0), ("fake", "door", 0), ("fake", "pot", 3), ("old", "gun", 4))
    asked = pairs(("fake", "pot", 3), ("old", "pan", 1), ("new", "pan", 2))
    assert backoff(train, asked, keys=["modifier"]).to_list() == [0, 4, 2]
    assert backoff(train, asked, keys=["modifier", "noun"]).to_list() == [3, 2, 2]


def test_equally_common_labels_go_to_equally_likely_and_else_to_the_smallest() -> None:
    train = pairs(
        *[("old", "gun", label) for label in (4, 2)], ("new", "gun", 3), ("new", "pot", 1)
    )
    asked = pairs(("old", "gun", 0), ("new", "gun", 0))
    for rows in (train, train.reverse()):
        assert backoff(rows, asked, keys=["modifier"]).to_list() == [2, 1]


def test_labels_the_scheme_leaves_out_do_not_count() -> None:
    truth = pl.Series([0, 1, 2, 3])
    assert accuracy(truth, pl.Series([0, 1, 2, 2]), FOUR) == 2 / 3


def test_predicting_a_label_the_scheme_leaves_out_is_wrong() -> None:
    assert accuracy(pl.Series([1, 2]), pl.Series([0, 2]), FOUR) == 1 / 2


def test_without_pairs_there_is_no_accuracy() -> None:
    empty = pl.Series([], dtype=pl.Int64)
    assert accuracy(empty, empty, FOUR) is None
