"""Scores of parsers on hand-made sentences."""

from __future__ import annotations

import pytest
from training.scores import (
    amod_pairs,
    attachment,
    loose_svo,
    placed,
    relation_f1,
    strict_svo,
    words_of,
)

from plausibly.ports import Sentence

GOLD = Sentence(
    ["Old", "dogs", "chase", "the", "cats"],
    ["old", "dog", "chase", "the", "cat"],
    ["ADJ", "NOUN", "VERB", "DET", "NOUN"],
    [2, 3, 0, 5, 3],
    ["amod", "nsubj", "root", "det", "obj"],
)


def test_a_gold_sentence_is_right_in_everything() -> None:
    words = list(words_of([GOLD]))
    assert set(attachment(words, words).values()) == {1.0}


def test_a_wrong_label_costs_las_and_not_uas() -> None:
    found = GOLD._replace(deprels=["amod", "nsubj:pass", "root", "det", "iobj"])
    measured = attachment(list(words_of([GOLD])), list(words_of([found])))
    assert measured["uas"] == 1.0
    assert measured["las"] == pytest.approx(3 / 5)
    assert measured["las_without_subtypes"] == pytest.approx(4 / 5)


def test_a_word_cut_wrongly_is_wrong_in_all_and_its_dependents_lose_their_head() -> None:
    found = Sentence(
        ["Old", "do", "gs", "chase", "the", "cats"],
        ["old", "do", "gs", "chase", "the", "cat"],
        ["ADJ", "NOUN", "NOUN", "VERB", "DET", "NOUN"],
        [2, 4, 2, 0, 6, 4],
        ["amod", "nsubj", "goeswith", "root", "det", "obj"],
    )
    measured = attachment(list(words_of([GOLD])), list(words_of([found])))
    assert measured["words"] == pytest.approx(2 * 4 / 11)
    assert measured["las"] == pytest.approx(2 * 3 / 11)


def test_relations_are_read_off_the_tree() -> None:
    assert list(loose_svo(GOLD)) == [("dog", "chase", "cat")]
    assert list(strict_svo(GOLD)) == [("dog", "chase", "cat")]
    assert list(amod_pairs(GOLD)) == [("dog", "old")]


def test_the_strict_triple_knows_no_names_compounds_or_subtypes() -> None:
    compound = GOLD._replace(deprels=["compound", *GOLD.deprels[1:]])
    name = GOLD._replace(upos=["ADJ", "PROPN", "VERB", "DET", "NOUN"])
    outer = GOLD._replace(deprels=["amod", "nsubj:outer", "root", "det", "obj"])
    for sentence in (compound, name, outer):
        assert list(loose_svo(sentence)) == [("dog", "chase", "cat")]
        assert list(strict_svo(sentence)) == []


def test_f1_counts_each_tuple_as_often_as_it_stands() -> None:
    measured = relation_f1([[GOLD], [GOLD]], [[GOLD], []], loose_svo, resamples=40)
    assert measured["value"] == pytest.approx(2 / 3)
    assert measured["n"] == 2
    assert 0.0 <= measured["low"] <= measured["value"] <= measured["high"] <= 1.0


def test_places_stand_for_lemmas_and_run_on_over_sentences() -> None:
    first, second = placed([GOLD, GOLD])
    assert list(amod_pairs(first)) == [("(3, 7)", "(0, 3)")]
    assert list(amod_pairs(second)) == [("(22, 26)", "(19, 22)")]


def test_the_interval_is_the_same_for_the_same_seed() -> None:
    gold, found = [[GOLD], [GOLD], [GOLD]], [[GOLD], [], [GOLD]]
    assert relation_f1(gold, found, loose_svo, seed=3) == relation_f1(
        gold, found, loose_svo, seed=3
    )
