"""ADEPT's pairs: reading them, and the rule that makes the second sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plausibly.datasets.adept.pairs import (
    PUBLISHED,
    PairRule,
    article_by_spelling,
    modified,
    read_pairs,
)
from plausibly.errors import TableError

WHOLE_WORD = PairRule(whole_word=True, article=article_by_spelling)


def pair(idx: int, **changed: object) -> dict[str, object]:
    given: dict[str, object] = {
        "sentence1": "A kettle boils water.",
        "sentence2": "A blue kettle boils water.",
        "modifier": "blue",
        "noun": "kettle",
        "label": 2,
        "idx": idx,
    }
    return {**given, **changed}


def written(folder: Path, pairs: list[dict[str, object]]) -> Path:
    path = folder / "pairs.json"
    path.write_text("[\n" + ",\n".join(json.dumps(one) for one in pairs) + "\n]")
    return path


def test_the_modifier_stands_before_the_noun() -> None:
    assert modified("You sit on the bench.", noun="bench", modifier="old") == (
        "You sit on the old bench."
    )


def test_an_article_follows_the_spelling_of_the_modifier() -> None:
    assert modified("A pot is hot.", noun="pot", modifier="unique") == "An unique pot is hot."
    assert modified("You use an oven.", noun="oven", modifier="hourly") == (
        "You use a hourly oven."
    )


def test_other_determiners_stay() -> None:
    assert modified("Your oven is hot.", noun="oven", modifier="old") == "Your old oven is hot."


def test_a_word_that_only_ends_like_an_article_stays() -> None:
    assert modified("A banana pie cools.", noun="pie", modifier="open") == (
        "A banana open pie cools."
    )


def test_at_the_start_the_modifier_takes_the_capital() -> None:
    assert modified("Bread is brown.", noun="bread", modifier="stale") == "Stale bread is brown."


def test_the_published_rule_cuts_into_words_and_the_whole_word_rule_does_not() -> None:
    sentence = "Somewhere a where is asked."
    assert modified(sentence, noun="where", modifier="odd") == "Someodd where a where is asked."
    assert modified(sentence, noun="where", modifier="odd", rule=WHOLE_WORD) == (
        "Somewhere an odd where is asked."
    )


def test_a_hyphen_belongs_to_the_word() -> None:
    sentence = "A t-shirt is worn."
    assert modified(sentence, noun="shirt", modifier="red") == "A t-red shirt is worn."
    assert modified(sentence, noun="shirt", modifier="red", rule=WHOLE_WORD) is None


def test_a_noun_that_does_not_occur_gives_nothing() -> None:
    assert modified("A pot is hot.", noun="pan", modifier="old", rule=PUBLISHED) is None


def test_pairs_are_read_in_the_order_of_their_idx(tmp_path: Path) -> None:
    pairs = read_pairs(written(tmp_path, [pair(7), pair(3, label=4)]))
    assert pairs["idx"].to_list() == [3, 7]
    assert pairs["label"].to_list() == [4, 2]


def test_unlabelled_pairs_are_read_when_asked_for(tmp_path: Path) -> None:
    bare = {key: value for key, value in pair(1).items() if key != "label"}
    assert read_pairs(written(tmp_path, [bare]), labelled=False)["label"].to_list() == [None]
    with pytest.raises(TableError, match="no field 'label'"):
        read_pairs(written(tmp_path, [bare]))


def test_every_broken_pair_is_named_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, [pair(1), pair(1), pair(2, label=5), pair(3, noun="")])
    with pytest.raises(TableError) as error:
        read_pairs(path)
    text = str(error.value)
    assert f"{path}:3: more than one pair has idx 1" in text
    assert f"{path}:4: label '5' is not a whole number from 0 to 4" in text
    assert f"{path}:5: no noun" in text
    assert "3 bad rows" in text
