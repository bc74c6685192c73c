"""Texts as paragraphs, and paragraphs back to texts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.backends import passages
from plausibly.backends.passages import paragraphs_of, parse_in_batches
from plausibly.ports import Sentence

TEXTS = st.text(alphabet="ab .\n\t\r\u00a0\u2028", max_size=60)


def flat(form: str) -> Sentence:
    return Sentence([form], [form], ["X"], [0], ["root"])


def test_a_wrapped_text_is_parted_by_blank_lines() -> None:
    assert paragraphs_of("The dog chased\nthe cat.\n \nIt fled.\n") == [
        "The dog chased the cat.",
        "It fled.",
    ]


def test_a_text_with_a_long_line_is_parted_by_every_line() -> None:
    long = "word " * 30
    assert paragraphs_of(f"A title\n{long}\nThe end") == ["A title", long.strip(), "The end"]


def test_a_paragraph_too_long_is_cut_at_a_blank(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passages, "LONGEST", 10)
    assert paragraphs_of("one two three four") == ["one two", "three four"]


def test_a_word_too_long_is_cut_in_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passages, "LONGEST", 4)
    assert paragraphs_of("abcdefghij kl") == ["abcd", "efgh", "ij", "kl"]


@given(TEXTS)
def test_no_character_but_blanks_is_lost(text: str) -> None:
    paragraphs = paragraphs_of(text)
    assert "".join("".join(paragraphs).split()) == "".join(text.split())
    assert all(part == " ".join(part.split()) and part for part in paragraphs)


@given(st.lists(TEXTS, max_size=8), st.integers(1, 40))
def test_every_text_gets_its_own_sentences_back_whatever_the_batch(
    texts: list[str], batch: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passages, "BATCH", batch)
        found = list(parse_in_batches(texts, lambda group: [[flat(part)] for part in group]))
    assert found == [[flat(part) for part in paragraphs_of(text)] for text in texts]


def test_texts_are_read_no_further_than_one_batch_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passages, "BATCH", 6)
    read: list[str] = []

    def texts() -> Iterator[str]:
        for text in ("one", "two", "six", "ten"):
            read.append(text)
            yield text

    found = parse_in_batches(texts(), lambda group: [[flat(part)] for part in group])
    assert next(found) == [flat("one")]
    assert read == ["one", "two"]
