"""ADEPT pairs: what is irregular in a set, and how a new set is built."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from plausibly.stimuli.adept_check import KINDS, PairReport, check_pairs
from plausibly.stimuli.articles import article_by_sound


def pair(idx: int = 0, **changed: Any) -> dict[str, Any]:
    plain = {
        "idx": idx,
        "sentence1": "A kettle boils water.",
        "sentence2": "An old kettle boils water.",
        "modifier": "old",
        "noun": "kettle",
        "label": 2,
        "split": "train.json",
    }
    return plain | changed


def checked(*pairs: dict[str, Any]) -> PairReport:
    return check_pairs(pl.DataFrame(list(pairs)))


def test_a_sound_pair_is_exact_and_has_no_problems() -> None:
    report = checked(pair())
    assert (report.pairs, report.exact, report.exceptions, report.problems) == (1, 1, (), ())


def test_both_rules_for_the_article_are_exact_and_the_odd_one_is_flagged() -> None:
    spelt = pair(0, sentence2="An unique kettle boils water.", modifier="unique")
    sounded = pair(1, sentence2="A unique kettle boils water.", modifier="unique")
    report = checked(spelt, sounded)
    assert report.exact == 2
    assert [(p.idx, p.kind) for p in report.problems] == [(0, "article_before_modifier")]


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"sentence2": "An old kettle boils milk."}, "not_by_rule"),
        ({"noun": "pot"}, "no_noun"),
        ({"noun": "ettle"}, "noun_inside_word"),
        ({"noun": "a", "sentence1": "A ises a mammal."}, "noun_function_word"),
        ({"noun": "11", "sentence1": "11 is a number."}, "noun_number"),
        ({"noun": "drill", "sentence1": "You use a drill to drill."}, "noun_twice"),
        ({"sentence1": "An kettle boils water."}, "article_in_original"),
        ({"sentence1": "A kettle may boil water."}, "modal_left"),
        ({"sentence1": "A kettle is old."}, "modifier_already_there"),
        ({"sentence1": "A kettle  boils water."}, "double_space"),
        ({"sentence1": "A kettle boils water ."}, "space_before_stop"),
        ({"sentence1": "A kettle boils water"}, "no_final_stop"),
        ({"sentence1": "A `kettle boils water."}, "back_tick"),
        ({"sentence1": "A kettle ises hot."}, "broken_verb"),
    ],
)
def test_every_irregularity_has_a_kind(changed: dict[str, Any], kind: str) -> None:
    assert kind in KINDS
    assert kind in {problem.kind for problem in checked(pair(**changed)).problems}


def test_duplicates_are_grouped_and_those_across_splits_once_more() -> None:
    here, there = pair(3), pair(1, split="val.json", label=0)
    other = pair(2, sentence1="A kettle sings.", sentence2="An old kettle sings.")
    report = checked(here, there, other)
    assert report.duplicates == ((1, 3),)
    assert report.cross_split == ((1, 3),)
    assert {"duplicate", "labels_differ", "cross_split"} == {p.kind for p in report.problems}
    assert report.shared == {"val.json in train.json": {"sentences": 1, "nouns": 1}}


def test_duplicates_of_one_split_cross_nothing() -> None:
    report = checked(pair(0), pair(1))
    assert report.duplicates == ((0, 1),)
    assert report.cross_split == ()


def test_an_idx_in_two_files_is_a_problem() -> None:
    report = checked(pair(0), pair(0, split="val.json", noun="water", modifier="hot"))
    assert "repeated_idx" in {problem.kind for problem in report.problems}


@pytest.mark.parametrize(
    ("word", "article"),
    [
        *(("unique", "a"), ("used", "a"), ("European", "a"), ("one-time", "a")),
        *(("hourly", "an"), ("honest", "an"), ("unusual", "an"), ("unimportant", "an")),
        *(("8th", "an"), ("18th", "an"), ("11", "an"), ("180", "a"), ("1", "a"), ("80", "an")),
        *(("x", "an"), ("u", "a"), ("small", "a"), ("old", "an")),
    ],
)
def test_the_article_goes_by_sound(word: str, article: str) -> None:
    assert article_by_sound(word) == article
