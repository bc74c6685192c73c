"""Rules apply in order, ratings move to the ledger, none is lost."""

from __future__ import annotations

import polars as pl
import pytest

from plausibly.cleaning import clean
from plausibly.cleaning.answers import few_ratings_per_item, unmoved_slider
from plausibly.cleaning.people import few_ratings, low_agreement
from plausibly.cleaning.probes import failed_check
from plausibly.errors import StudyError, UnknownName
from worlds.crowds import answers_of, attested, context, items_of

ITEMS = items_of(
    t1="attested", t2="perturbed", c1="check:plausible", c2="check:implausible", x1="attention:3"
)
RATINGS = answers_of(
    {
        "a": {"t1": "5", "t2": "1", "c1": "5", "x1": "3"},
        "b": {"t1": "5", "t2": "1", "c1": "1", "c2": "1"},
        "c": {"t1": "3", "t2": "1", "c2": "5"},
    }
)


def test_kept_and_excluded_are_all() -> None:
    cleaned = clean(RATINGS, [failed_check(), unmoved_slider(start="3")], context(ITEMS))
    key = ["item", "annotator", "question"]
    both = pl.concat([cleaned.ratings.select(key), cleaned.exclusions.select(key)])
    assert both.sort(key).equals(RATINGS.select(key).sort(key))
    assert both.is_unique().all()


def test_ratings_of_checks_are_set_aside_before_the_first_rule() -> None:
    cleaned = clean(RATINGS, [], context(ITEMS))
    assert set(cleaned.ratings["item"]) == {"t1", "t2"}
    assert cleaned.exclusions["step"].unique().to_list() == [0]
    assert set(cleaned.exclusions["rule"]) == {"check_item", "attention_item"}


def test_a_rating_is_excluded_by_the_first_rule_that_names_it() -> None:
    rules = [failed_check(), unmoved_slider(start="3")]
    first = clean(RATINGS, rules, context(ITEMS)).exclusions
    second = clean(RATINGS, rules[::-1], context(ITEMS)).exclusions
    of_c = (pl.col("annotator") == "c") & (pl.col("item") == "t1")
    assert first.filter(of_c).select("rule", "step").row(0) == ("failed_check", 1)
    assert second.filter(of_c).select("rule", "step").row(0) == ("unmoved_slider", 1)


def test_a_later_rule_sees_what_the_earlier_left() -> None:
    items = items_of(**attested(10))
    ten = {f"t{n}": "5" for n in range(10)}
    ratings = answers_of({"a": {**ten, "t0": "3"}})
    rules = [unmoved_slider(start="3"), few_ratings(fewer_than=10)]
    assert clean(ratings, rules, context(items)).ratings.is_empty()
    assert clean(ratings, rules[::-1], context(items)).ratings.height == 9


def test_withdrawing_a_check_gives_the_ratings_back() -> None:
    rules = [failed_check()]
    strict = clean(RATINGS, rules, context(ITEMS))
    assert set(strict.ratings["annotator"]) == {"a"}
    lenient = clean(RATINGS, rules, context(ITEMS), withdraw=["c1"])
    assert set(lenient.ratings["annotator"]) == {"a", "b"}
    own = lenient.exclusions.filter(pl.col("item") == "c1")
    assert own["rule"].unique().to_list() == ["withdrawn_check_item"]
    assert own.height == 2


def test_a_check_may_be_withdrawn_by_its_text() -> None:
    lenient = clean(RATINGS, [failed_check()], context(ITEMS), withdraw=["text of c1"])
    assert set(lenient.ratings["annotator"]) == {"a", "b"}


def test_only_known_checks_can_be_withdrawn() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'c1'"):
        clean(RATINGS, [], context(ITEMS), withdraw=["c11"])
    with pytest.raises(StudyError, match="not a check"):
        clean(RATINGS, [], context(ITEMS), withdraw=["t1"])


def test_an_item_of_an_unknown_kind_is_refused() -> None:
    odd = pl.col("item").is_in(["t2", "c1"])
    items = ITEMS.with_columns(
        kind=pl.when(odd).then(pl.col("kind").str.to_titlecase()).otherwise("kind")
    )
    with pytest.raises(StudyError, match=r"items: 2 of 5 rows .*'t2' of kind 'Item'.*Known: item"):
        clean(RATINGS, [], context(items))


def test_ratings_of_unknown_items_are_refused() -> None:
    with pytest.raises(StudyError, match=r"2 of 11 rows .* \(first: 'c2'\)"):
        clean(RATINGS, [], context(ITEMS.filter(pl.col("item") != "c2")))


def test_agreement_is_flagged_from_the_rule_that_selects_by_it() -> None:
    rules = [failed_check(), low_agreement(below=0.4), few_ratings_per_item(at_least=1)]
    stages = clean(RATINGS, rules, context(ITEMS)).stages
    assert [stage.selected_on_agreement for stage in stages] == [False, False, True, True]


def test_columns_of_the_users_own_survive() -> None:
    own = RATINGS.with_columns(kind=pl.lit("mine"), condition=pl.lit("mine"), seconds=pl.lit(2.0))
    cleaned = clean(own, [failed_check(), low_agreement(below=0.4)], context(ITEMS))
    assert set(own.columns) == set(cleaned.ratings.columns)
    assert cleaned.ratings["kind"].unique().to_list() == ["mine"]


def test_no_ratings_at_all_come_through() -> None:
    rules = [failed_check(), few_ratings(fewer_than=10), low_agreement(below=0.4)]
    cleaned = clean(RATINGS.clear(), rules, context(ITEMS))
    assert cleaned.ratings.is_empty()
    assert cleaned.exclusions.is_empty()
