"""ADEPT pairs: what is irregular in a set."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from plausibly.proofreading.pairs.check import KINDS, PairReport, check_pairs


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
    assert (report.pairs, report.exact, report.exceptions, report.problems) == (
        1,
        1,
        (),
        (),
    )


def test_both_rules_for_the_article_are_exact_and_the_odd_one_is_flagged() -> None:
    spelt = pair(0, sentence2="An unique kettle boils water.", modifier="unique")
    sounded = pair(1, sentence2="A unique kettle boils water.", modifier="unique")
    report = checked(spelt, sounded)
    assert report.exact == 2
    alike = (0, "nearly_duplicate")
    assert [(p.idx, p.kind) for p in report.problems] == [(0, "article_before_modifier"), alike]


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"sentence2": "An old kettle boils milk."}, "not_by_rule"),
        ({"noun": "pot"}, "no_noun"),
        ({"noun": "ettle"}, "noun_inside_word"),
        ({"noun": "a", "sentence1": "A ises a thing."}, "noun_function_word"),
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
        ({"sentence1": "Kettles boils syrup.", "noun": "kettles"}, "agreement"),
    ],
)
def test_every_irregularity_has_a_kind(changed: dict[str, Any], kind: str) -> None:
    assert kind in KINDS
    assert kind in {problem.kind for problem in checked(pair(**changed)).problems}


@pytest.mark.parametrize("start", ["Kettles boil", "Gas boils", "Physics bores", "Glass breaks"])
def test_a_noun_that_agrees_or_only_looks_plural_is_no_problem(start: str) -> None:
    noun = start.partition(" ")[0]
    told: dict[str, Any] = {"sentence1": f"{start} people.", "noun": noun.lower()}
    kinds = {problem.kind for problem in checked(pair(**told)).problems}
    assert "agreement" not in kinds


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


def test_pairs_that_are_nearly_the_same_in_two_files_are_both_named() -> None:
    the = {"sentence1": "The kettle boils water.", "sentence2": "The old kettle boils water."}
    report = checked(pair(3), pair(1, split="val.json", **the))
    messages = {p.idx: p.message for p in report.problems if p.kind == "nearly_duplicate"}
    assert messages[1].startswith("says the same as idx 3 in another file")
    assert messages[3].startswith("says the same as idx 1 in another file")


def test_a_pair_that_is_in_two_files_under_one_idx_is_named_by_it() -> None:
    report = checked(pair(3), pair(3, split="val.json"))
    messages = {p.kind: p.message for p in report.problems}
    assert messages["cross_split"] == "in another file as idx 3"


def test_an_idx_in_two_files_is_a_problem() -> None:
    report = checked(pair(0), pair(0, split="val.json", noun="water", modifier="hot"))
    assert "repeated_idx" in {problem.kind for problem in report.problems}
