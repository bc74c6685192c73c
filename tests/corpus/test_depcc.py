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
        (b"1\told", b"0\told", "id 0 where more than 0 was expected"),
        (b"old\told", b"\xff\told", "not UTF-8"),
        (b"\t2\tamod", b"\t99\tamod", "head 99 is outside the sentence, which ends with 6"),
    ],
)
def test_a_bad_line_is_named_and_takes_its_sentence_with_it(
    old: bytes, new: bytes, message: str
) -> None:
    assert old in block(first=0)
    found = list(read_depcc(block(first=0).replace(old, new, 1) + block(first=0)))
    assert [one.message for one in found if isinstance(one, BadLine)] == [message]
    assert sum(isinstance(one, Sentence) for one in found) == 1


AS_WRITTEN = """# parser = a parser
# newdoc\turl = http://example.org\ts3 = file.warc
# sent_id = http://example.org#1
# text = So old dogs chase the cats there.
1\told\told\tJJ\tJJ\t\t2\tamod\t2:amod\tO
2\tdogs\t\tNNS\tNNS\t_\t3\tnsubj\t_\tO
3\tchase\tchase\tVBP\tVBP\t_\t3\tROOT\t3:ROOT\tO
5\tcats\tcat\tNNS\tNNS\t_\t3\tdobj\t3:dobj\tO
6\tthere\tthere\t\t\t_\t-2\tadvmod\t_\tO
8\tbig\tbig\tJJ\tJJ\t_\t7\tamod\t_\tO

"""


def test_gaps_and_heads_outside_lose_no_sentence() -> None:
    (sentence,) = read_depcc(AS_WRITTEN.encode())
    assert isinstance(sentence, Sentence)
    assert sentence.heads == [2, 3, 0, 3, 0, 0]
    rows = set(find(sentence, Patterns()).rows)
    assert rows == {
        ("amod", "dogs", "old", ""),
        ("nsubj", "chase", "dogs", ""),
        ("nsubj_amod", "chase", "old", ""),
        ("dobj", "chase", "cat", ""),
        ("svo", "chase", "dogs", "cat"),
    }


@pytest.mark.parametrize(
    ("label", "triples"),
    [("ROOT", {("svo", "chase", "dogs", "cat")}), ("ccomp", set()), ("conj", set())],
)
def test_a_verb_governed_from_outside_is_a_root_only_where_it_says_so(
    label: str, triples: set[tuple[str, ...]]
) -> None:
    # Its governor is in no sentence at hand, but a clause below another verb is no root of PAP's.
    block = AS_WRITTEN.replace("\t3\tROOT\t3:ROOT", f"\t-2\t{label}\t_")
    (sentence,) = read_depcc(block.encode())
    assert isinstance(sentence, Sentence)
    rows = set(find(sentence, Patterns()).rows)
    assert {("nsubj", "chase", "dogs", ""), ("dobj", "chase", "cat", "")} <= rows
    assert {row for row in rows if row[0] == "svo"} == triples
