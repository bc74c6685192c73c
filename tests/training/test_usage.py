"""What is counted of nouns and verbs for the table of use."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from training.count_usage import AT_LEAST, table, uses

from plausibly.ports import Sentence


def parsed(*words: tuple[str, str, str, int, str]) -> Sentence:
    forms, lemmas, upos, heads, labels = zip(*words, strict=True)
    return Sentence(forms, lemmas, upos, heads, labels)


def eating(*, label: str = "root", before: str = "det", form: str = "an") -> Sentence:
    return parsed(
        ("Dogs", "dog", "NOUN", 2, "nsubj"),
        ("eat", "eat", "VERB", 0, label),
        (form, form, "DET", 4, before),
        ("apple", "apple", "NOUN", 2, "obj"),
    )


def test_articles_and_objects_are_counted_and_subjects_are_not() -> None:
    assert set(uses(eating())) == {("eat", "VERB", "marked"), ("apple", "NOUN", "marked")}


@pytest.mark.parametrize("before", ["nummod", "nmod:poss"])
def test_a_number_or_a_possessor_tells_nothing_of_a_noun(before: str) -> None:
    assert set(uses(eating(before=before, form="one"))) == {("eat", "VERB", "marked")}


def test_another_determiner_tells_nothing_and_none_is_bare() -> None:
    assert ("apple", "NOUN", "bare") not in set(uses(eating(form="the")))
    assert ("apple", "NOUN", "bare") in set(uses(eating(before="amod", form="red")))


def test_a_relative_clause_tells_nothing_of_its_verb() -> None:
    assert not [use for use in uses(eating(label="acl:relcl")) if use[1] == "VERB"]


def test_the_passive_tells_nothing_of_its_verb() -> None:
    passive = parsed(
        ("Apples", "apple", "NOUN", 3, "nsubj:pass"),
        ("are", "be", "AUX", 3, "aux:pass"),
        ("eaten", "eat", "VERB", 0, "root"),
    )
    assert not list(uses(passive))


def test_the_table_keeps_words_that_were_seen_often_enough() -> None:
    seen = Counter({("tea", "NOUN", "bare"): AT_LEAST, ("pot", "NOUN", "marked"): AT_LEAST - 1})
    assert json.loads(table(seen)) == {"NOUN": {"tea": [0, AT_LEAST, 0]}, "VERB": {}}
