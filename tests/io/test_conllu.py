"""CoNLL-U: what a sentence is, what a bad line is, and where blocks end."""

from __future__ import annotations

import io

import pytest

from plausibly.io.conllu import LONGEST_LINE, BadLine, blocks, read_block, write_block
from plausibly.io.conllu.columns import read_columns
from plausibly.ports import Sentence
from worlds.trees import DOG, GIRL, conllu, fixed, tree

WORD = b"1\tDogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n"


def messages(block: bytes) -> list[tuple[int, str]]:
    return [(one.line, one.message) for one in read_block(block) if isinstance(one, BadLine)]


def sentences(block: bytes) -> list[Sentence]:
    return [one for one in read_block(block) if isinstance(one, Sentence)]


def test_ranges_empty_nodes_and_comments_are_passed_over() -> None:
    block = (
        b"# text = Don't go\n1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
        b"1\tDo\tdo\tAUX\t_\t_\t3\taux\t_\t_\n2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_\n"
        b"2.1\tyou\tyou\tPRON\t_\t_\t_\t_\t_\t_\n3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    )
    (sentence,) = sentences(block)
    assert list(sentence.forms) == ["Do", "n't", "go"]
    assert list(sentence.heads) == [3, 3, 0]


def test_the_last_sentence_needs_no_blank_line_and_no_newline() -> None:
    assert len(sentences(WORD + b"\n" + WORD.rstrip(b"\n"))) == 2


def test_windows_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    plain = conllu(DOG, GIRL)
    dressed = b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n")
    assert [*map(fixed, sentences(dressed))] == [*map(fixed, sentences(plain))]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"1\tDogs\tdog\tNOUN", "4 columns separated by tabs, expected 10"),
        (WORD.strip().replace(b"0\troot", b"x\troot"), "head 'x' is not a number"),
        (WORD.strip().replace(b"0\troot", b"-1\troot"), "head '-1' is not a number"),
        (WORD.strip().replace(b"1\tDogs", b"one\tDogs"), "id 'one' is not a number"),
        (WORD.strip().replace(b"1\tDogs", b"2\tDogs"), "id 2 where 1 was expected"),
        (WORD.strip().replace(b"0\troot", b"7\troot"), "head 7 lies outside a sentence of 1 words"),
        (WORD.strip().replace(b"dog\t", b"\t"), "column 3 is empty, expected _ or a value"),
        (WORD.strip().replace(b"Dogs", b"D\xf6gs"), "not UTF-8"),
        (b"x" * (LONGEST_LINE + 1), "1048577 bytes in one line, at most 1048576 are read"),
    ],
)
def test_a_bad_line_is_named_and_takes_its_sentence_with_it(line: bytes, message: str) -> None:
    block = b"# one\n" + WORD + b"\n# two\n" + line + b"\n\n" + WORD
    assert messages(block) == [(5, message)]
    assert len(sentences(block)) == 2


def test_a_range_with_too_few_columns_is_a_bad_line() -> None:
    assert messages(b"1-2" + b"\t_" * 8 + b"\n" + WORD) == [
        (1, "9 columns separated by tabs, expected 10")
    ]


def test_an_id_with_a_zero_before_it_is_the_same_bad_line_to_both_readers() -> None:
    block = WORD.replace(b"1\tDogs", b"01\tDogs")
    assert messages(block) == [(1, "id 01 where 1 was expected")]
    assert read_columns(block)[1] == list(read_block(block))


def test_lines_are_counted_through_extra_blank_lines() -> None:
    assert messages(b"\n\n" + WORD + b"\n\n\nbroken\n")[0][0] == 7


def test_a_very_long_comment_is_no_bad_line() -> None:
    assert len(sentences(b"# " + b"x" * (2 * LONGEST_LINE) + b"\n" + WORD)) == 1


def test_a_sentence_of_more_than_a_thousand_words_is_read() -> None:
    rows = [f"{place}\tw\tw\tX\t_\t_\t{place - 1}\tdep\t_\t_" for place in range(1, 1501)]
    (sentence,) = sentences("\n".join(rows).encode())
    assert len(sentence.forms) == 1500


def test_written_sentences_are_read_back() -> None:
    assert [fixed(one) for one in sentences(conllu(DOG))] == [tree(DOG)]


def test_a_missing_lemma_is_written_as_an_underscore() -> None:
    assert b"1\tgo\t_\tVERB" in write_block([Sentence(("go",), ("",), ("VERB",), (0,), ("root",))])


@pytest.mark.parametrize("size", [1, 7, 30, 37, 38, 39, 100, 10_000])
def test_blocks_end_on_blank_lines_and_lose_nothing(size: int) -> None:
    content = conllu(DOG, GIRL, DOG) + WORD
    cut = list(blocks(io.BytesIO(content), size))
    assert b"".join(cut) == content
    assert all(block.endswith(b"\n\n") for block in cut[:-1])
