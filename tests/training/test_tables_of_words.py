"""The lemma table and the tokeniser that training builds."""

from __future__ import annotations

import pytest
import spacy
from training.lemma_table import lemma_table
from training.tokenisation import follow_treebank
from training.treebank import Tree

pytest.importorskip("lemminflect")

ALWAYS = {"leaves": "leaf", "people": "person"}  # whatever a treebank says


def tree(*words: tuple[str, str, str], goeswith: int = 0) -> Tree:
    forms, lemmas, upos = (list(column) for column in zip(*words, strict=True))
    heads = [0] * len(forms)
    deprels = ["dep"] * len(forms)
    if goeswith:
        heads[goeswith], deprels[goeswith] = goeswith, "goeswith"
    return Tree(forms=forms, lemmas=lemmas, upos=upos, heads=heads, deprels=deprels)


def test_the_table_holds_only_what_the_rules_do_not_say() -> None:
    table = lemma_table(
        [tree(("Dogs", "dog", "NOUN"), ("data", "datum", "NOUN"), ("us", "we", "PRON"))]
    )
    assert table == {"NOUN": {"data": "datum", **ALWAYS}, "PRON": {"us": "we"}}


def test_the_most_frequent_lemma_wins_and_ties_go_to_the_first() -> None:
    frequent = [
        tree(("her", "she", "PRON")),
        tree(("her", "her", "PRON")),
        tree(("her", "she", "PRON")),
    ]
    assert lemma_table(frequent) == {"NOUN": ALWAYS, "PRON": {"her": "she"}}
    assert lemma_table([tree(("x", "b", "X")), tree(("x", "a", "X"))]) == {
        "NOUN": ALWAYS,
        "X": {"x": "a"},
    }


def test_people_are_persons_whatever_the_treebank_says() -> None:
    treebank = [tree(("People", "people", "NOUN"), ("Peoples", "people", "NOUN"))]
    assert lemma_table(treebank) == {"NOUN": ALWAYS}


def test_the_first_half_of_a_word_written_apart_is_left_out() -> None:
    apart = tree(("ever", "everyone", "PRON"), ("one", "one", "X"), goeswith=1)
    assert lemma_table([apart]) == {"NOUN": ALWAYS}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Wow!!! ===== no...", "Wow !!! ===== no ..."),
        ("Non-stop e-mail, well-known", "Non-stop e-mail , well - known"),
        ("this and/or that b/c", "this and / or that b/c"),
        ("I don't, we'll, Kim's", "I do n't , we 'll , Kim 's"),
    ],
)
def test_the_tokeniser_cuts_as_the_treebank_does(text: str, words: str) -> None:
    nlp = spacy.blank("en")
    follow_treebank(nlp)
    assert " ".join(token.text for token in nlp(text)) == words
