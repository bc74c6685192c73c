"""Laws every label method obeys, found through the registry."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labels.crowds import renamed
from plausibly.labels import METHODS, Fitted, Silent
from plausibly.labels.ties import NOT_CHOSEN, distributions, ties
from plausibly.study.parameters import parameters_of
from plausibly.tables import LABELS
from worlds.tables import ratings_of
from worlds.values import TestValues

OPTIONS: dict[str, dict[str, Any]] = {"agreed-by": {"at_least": 2}}
NEEDING = [
    name
    for name in METHODS
    if any(one.required for one in parameters_of(METHODS[name], without=("silent",)).values())
]
TestValues(__file__, "OPTIONS", OPTIONS).require(NEEDING)
CHOOSING = sorted(set(METHODS) - {"adjusted", "mean", "median", "score", "share", "shares"})
NAMELESS = sorted(set(CHOOSING) - {"plurality", "ordinal"})

crowds = st.dictionaries(
    st.sampled_from([f"t{n}" for n in range(8)]),
    st.text("1245-", min_size=1, max_size=6).filter(lambda answers: set(answers) != {"-"}),
    min_size=1,
).map(ratings_of)


def labels_by(name: str, ratings: pl.DataFrame, **options: Any) -> pl.DataFrame:
    found = METHODS[name](ratings, **OPTIONS.get(name, {}), **options)
    return found.labels if isinstance(found, Fitted) else found


def by_item(labels: pl.DataFrame) -> dict[str, str | None]:
    return dict(labels["item", "label"].iter_rows())


def distribution(labels: pl.DataFrame) -> dict[str, dict[str, float]]:
    texts = labels.drop_nulls("distribution")["item", "distribution"]
    return {item: json.loads(text) for item, text in texts.iter_rows()}


@pytest.mark.parametrize("name", sorted(METHODS))
@given(ratings=crowds)
@settings(max_examples=25, deadline=None)
def test_labels_are_complete_possible_and_with_their_ties(name: str, ratings: pl.DataFrame) -> None:
    labels = labels_by(name, ratings, silent=Silent(items=("z",)))
    _no_item_is_lost_and_none_is_added(name, ratings, labels)
    _distributions_sum_to_one(ratings, labels)
    if name in CHOOSING:
        assert set(labels["label"].drop_nulls()) <= set(ratings["answer"])
    _a_tie_is_two_equal_best_whatever_has_been_read_before(labels)


def _no_item_is_lost_and_none_is_added(
    name: str, ratings: pl.DataFrame, labels: pl.DataFrame
) -> None:
    assert labels["item"].to_list() == sorted({*ratings["item"], "z"})
    assert labels.columns == list(LABELS.schema)
    assert set(labels["method"]) == {name}
    counts = dict(ratings.group_by("item").len().iter_rows())
    assert dict(labels["item", "ratings"].iter_rows()) == {**counts, "z": 0}


def _distributions_sum_to_one(ratings: pl.DataFrame, labels: pl.DataFrame) -> None:
    shares_of = distribution(labels)
    assert set(shares_of) == set(ratings["item"])
    for shares in shares_of.values():
        assert sum(shares.values()) == pytest.approx(1, abs=1e-9)
        assert all(0 <= share <= 1 for share in shares.values())


def _a_tie_is_two_equal_best_whatever_has_been_read_before(labels: pl.DataFrame) -> None:
    parsed = distributions(labels)
    best = [sorted((one or {}).values())[-2:] for one in parsed]
    equal = [len(two) == 2 and two[1] - two[0] <= 1e-6 for two in best]
    expected = labels.filter(
        pl.Series(equal, dtype=pl.Boolean)
        & labels["label"].is_not_null()
        & ~labels["method"].is_in(NOT_CHOSEN)
    ).select("item", "question")
    assert ties(labels).equals(expected)
    assert ties(labels, parsed).equals(expected)


@pytest.mark.parametrize("name", sorted(METHODS))
@given(ratings=crowds, seed=st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_row_order_and_annotators_names_do_not_matter(
    name: str, ratings: pl.DataFrame, seed: int
) -> None:
    other, back = renamed(ratings, seed)
    other = other.with_columns(
        pl.col("item").replace_strict(back), pl.col("answer").replace_strict(back)
    )
    one, two = labels_by(name, ratings), labels_by(name, other)
    assert by_item(one) == by_item(two)
    for item, shares in distribution(one).items():
        assert distribution(two)[item] == pytest.approx(shares, abs=1e-6)


@pytest.mark.parametrize("name", NAMELESS)
@given(ratings=crowds, seed=st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_names_of_labels_matter_to_ties_only(name: str, ratings: pl.DataFrame, seed: int) -> None:
    other, back = renamed(ratings, seed)
    one, two = labels_by(name, ratings), labels_by(name, other)
    tied = set(ties(one)["item"])
    expected = by_item(one)
    for item, label in by_item(two).items():
        if back[item] not in tied:
            assert (label and back[label]) == expected[back[item]]


@pytest.mark.parametrize("name", CHOOSING)
@given(answers=st.lists(st.sampled_from("1245"), min_size=2, max_size=8), seed=st.integers(0, 9))
@settings(max_examples=25, deadline=None)
def test_unanimity_of_enough_annotators_survives(name: str, answers: list[str], seed: int) -> None:
    ratings = ratings_of({f"t{n}": answer * 5 for n, answer in enumerate(answers)})
    shuffled = ratings.sample(fraction=1, shuffle=True, seed=seed)
    expected = {f"t{n}": answer for n, answer in enumerate(answers)}
    assert by_item(labels_by(name, shuffled)) == expected


@pytest.mark.parametrize("name", sorted(METHODS))
@given(ratings=crowds)
@settings(max_examples=10, deadline=None)
def test_the_same_ratings_give_the_same_table(name: str, ratings: pl.DataFrame) -> None:
    assert labels_by(name, ratings).equals(labels_by(name, ratings))


@pytest.mark.parametrize("name", sorted(METHODS))
@given(first=crowds, second=crowds)
@settings(max_examples=10, deadline=None)
def test_questions_do_not_touch_each_other(
    name: str, first: pl.DataFrame, second: pl.DataFrame
) -> None:
    both = pl.concat(
        [first.with_columns(question=pl.lit("q1")), second.with_columns(question=pl.lit("q2"))]
    )
    labels = labels_by(name, both)
    for question, alone in (("q1", first), ("q2", second)):
        own = labels.filter(pl.col("question") == question)
        assert by_item(own) == by_item(labels_by(name, alone))
