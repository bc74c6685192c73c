"""DepCC: Stanford labels and Penn tags become those of Universal Dependencies."""

from __future__ import annotations

import pytest

from plausibly.corpus._depcc import read_depcc
from plausibly.corpus.relations import Patterns, find
from plausibly.io.conllu import BadLine
from plausibly.ports import Sentence

ROWS = (
    ("The", "the", "DT", 2, "det"),
    ("old", "old", "JJ", 2, "amod"),
    ("dog", "dog", "NN", 4, "nsubj"),
    ("has", "have", "VBZ", 4, "aux"),
    ("chased", "chase", "VBN", 4, "ROOT"),
    ("Rex", "Rex", "NNP", 6, "nn"),
    ("cats", "cat", "NNS", 4, "dobj"),
)


def block(*, first: int) -> bytes:
    lines = ["# sent_id = 1"]
    for place, (form, lemma, tag, head, label) in enumerate(ROWS):
        cells = [place + first, form, lemma, tag, tag, "_", head + first, label, "_", "O"]
        lines.append("\t".join(map(str, cells)))
    return "\n".join(lines).encode() + b"\n\n"


@pytest.mark.parametrize("first", [0, 1])
def test_words_may_be_numbered_from_zero_or_one(first: int) -> None:
    (sentence,) = read_depcc(block(first=first))
    assert isinstance(sentence, Sentence)
    assert sentence.heads == [3, 3, 5, 5, 0, 7, 5]
    assert sentence.upos == ["X", "ADJ", "NOUN", "AUX", "VERB", "PROPN", "NOUN"]


def test_relations_are_found_and_compounds_forbid_triples() -> None:
    (sentence,) = read_depcc(block(first=0))
    assert isinstance(sentence, Sentence)
    rows = {row[:3] for row in find(sentence, Patterns()).rows}
    assert rows == {
        ("nsubj", "chase", "dog"),
        ("dobj", "chase", "cat"),
        ("amod", "dog", "old"),
        ("nsubj_amod", "chase", "old"),
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"\tO\n", b"\n", "9 columns separated by tabs, expected 10"),
        (b"\t2\tamod", b"\tx\tamod", "head 'x' is not a number"),
        (b"\t2\tamod", b"\t" + b"9" * 5000 + b"\tamod", f"head {'9' * 40!r} is not a number"),
        (b"1\told", b"9" * 5000 + b"\told", f"id {'9' * 40!r} is not a number"),
        (b"1\told", b"5\told", "id 5 where 1 was expected"),
        (b"old\told", b"\xff\told", "not UTF-8"),
        (b"\t2\tamod", b"\t99\tamod", "head 99 lies outside a sentence of 7 words"),
    ],
)
def test_a_bad_line_is_named_and_takes_its_sentence_with_it(
    old: bytes, new: bytes, message: str
) -> None:
    assert old in block(first=0)
    found = list(read_depcc(block(first=0).replace(old, new, 1) + block(first=0)))
    assert [one.message for one in found if isinstance(one, BadLine)] == [message]
    assert sum(isinstance(one, Sentence) for one in found) == 1
