"""Treebanks as documents."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path
from random import Random

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from training.treebank import (
    Tree,
    bare_doc,
    forget_rare_words,
    gold_doc,
    passage_reader,
    passages,
    read_trees,
)

CONLLU = """\
# newdoc id = one
# sent_id = 1
# text = Dogs don't bark.
1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tbark\tbark\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\tSpaceAfter=No
4.1\tloud\tloud\tADV\t_\t_\t_\t_\t_\t_
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

# newdoc id = two
# text = No.
1\tNo\tno\tINTJ\tUH\t_\t0\troot\t_\tSpaceAfter=No
2\t.\t.\tPUNCT\t.\t_\t1\tpunct\t_\t_
"""


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "small.conllu.gz"
    path.write_bytes(gzip.compress(CONLLU.encode()))
    return path


def test_words_are_read_without_ranges_and_empty_nodes(treebank: Path) -> None:
    first, second = read_trees(treebank)
    assert first.forms == ["Dogs", "do", "n't", "bark", "."]
    assert first.lemmas == ["dog", "do", "not", "bark", "."]
    assert first.heads == [4, 4, 4, 0, 4]
    assert first.deprels == ["nsubj", "aux", "advmod", "root", "punct"]
    assert second.forms == ["No", "."]
    assert (first.document, second.document) == (1, 2)


def test_the_blank_after_a_contraction_is_that_of_its_range(treebank: Path) -> None:
    first = read_trees(treebank)[0]
    assert first.spaces == [True, False, True, False, True]
    assert bare_doc(spacy.blank("en").vocab, [first]).text.strip() == first.text


def test_a_gold_document_holds_the_trees_as_sentences(treebank: Path) -> None:
    doc = gold_doc(spacy.blank("en").vocab, read_trees(treebank))
    assert [sentence.text.strip() for sentence in doc.sents] == ["Dogs don't bark.", "No."]
    assert [token.head.text for token in doc] == [
        "bark",
        "bark",
        "bark",
        "bark",
        "bark",
        "No",
        "No",
    ]
    assert [token.dep_ for token in doc][3:6] == ["ROOT", "punct", "ROOT"]
    assert [token.pos_ for token in doc][:2] == ["NOUN", "AUX"]


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 5))
def test_passages_cover_every_sentence_once_and_keep_documents_apart(
    documents: list[int], length: int
) -> None:
    trees = [Tree(text=str(at), document=d) for at, d in enumerate(sorted(documents))]
    found = list(passages(trees, lambda: length))
    assert [tree for passage in found for tree in passage] == trees
    assert all(len({tree.document for tree in passage}) == 1 for passage in found)
    assert all(len(passage) <= length for passage in found)


def test_reading_is_the_same_for_the_same_seed(treebank: Path) -> None:
    nlp = spacy.blank("en")

    def norms() -> list[list[str]]:
        read = passage_reader(str(treebank), 1, 3, word_dropout=5.0, seed=7)
        return [[token.norm_ for token in example.predicted] for example in read(nlp)]

    assert norms() == norms()


def test_dropout_leaves_words_alone_that_are_frequent_and_changes_no_form() -> None:
    doc = spacy.blank("en")("the dog saw the cat")
    counts = Counter({token.norm: 10**12 for token in doc if token.text == "the"})
    forget_rare_words(doc, counts, 1.0, Random(1))  # noqa: S311
    assert [token.norm_.startswith("unknown-") for token in doc] == [False, True, True, False, True]
    assert doc.text == "the dog saw the cat"
