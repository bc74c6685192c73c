"""Columns: what is counted at once adds up however often it is folded."""

from __future__ import annotations

import pytest

from plausibly.corpus import _columns
from plausibly.corpus._columns import ColumnCounter
from plausibly.corpus.relations import Patterns
from plausibly.io.conllu.columns import read_columns
from worlds.trees import DOG, GIRL, conllu


@pytest.mark.parametrize("fold", [1, 7, 1 << 20])
def test_folding_early_changes_nothing(fold: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_columns, "FOLD", fold)
    counter = ColumnCounter(Patterns())
    for _ in range(3):
        counter.add(read_columns(conllu(DOG, GIRL, DOG))[0])
    assert sorted(counter.frame().rows()) == [
        ("amod", "cat", "black", 6),
        ("amod", "girl", "hungry", 3),
        ("dobj", "chase", "cat", 6),
        ("dobj", "eat", "apple", 3),
        ("dobj_amod", "chase", "black", 6),
        ("nsubj", "chase", "dog", 6),
        ("nsubj", "eat", "girl", 3),
        ("nsubj_amod", "eat", "hungry", 3),
    ]
    assert counter.triples.count(("svo", "chase", "dog", "cat")) == 6
    assert (counter.sentences, counter.words) == (9, 48)


def test_nothing_counted_is_an_empty_table() -> None:
    assert ColumnCounter(Patterns()).frame().is_empty()
