"""Wordings of a form: in which words an answer is asked for, and whose."""

from __future__ import annotations

from pathlib import Path
from string import Formatter

import pytest

from plausibly.asking.wordings import FORM, Endings, FormWording, known_endings, read_wordings
from plausibly.errors import StudyError


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", sorted(known_endings()))
def test_every_language_has_every_sentence_with_the_same_fields(language: str) -> None:
    ours = known_endings()["en"]
    theirs = known_endings()[language]
    assert set(theirs) == set(ours)
    assert {key: fields(one) for key, one in theirs.items()} == {
        key: fields(one) for key, one in ours.items()
    }


def test_a_language_without_sentences_is_asked_in_english_or_in_own_words(tmp_path: Path) -> None:
    assert Endings("sv")("answer") == "Answer:"
    file = tmp_path / "wordings.toml"
    file.write_text('[endings]\nanswer = "Svar:"\n', encoding="utf-8")
    (wording,) = read_wordings(file).values()
    assert (wording.name, wording.template) == (FORM, "")
    assert Endings("sv", wording.endings)("answer") == "Svar:"
    assert wording.digest != FormWording().digest


def test_the_form_itself_keeps_its_digest() -> None:
    assert FormWording().digest.startswith("cbe5cfdf")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('svar = "Svar:"', "unknown key 'svar'"),
        ("answer = 3", "write texts"),
        ('whole = "från {lowest}"', "unknown field 'lowest'"),
        ('whole = "från {low"', "Write a brace that is meant as such twice"),
    ],
)
def test_endings_that_cannot_be_used_are_named(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "wordings.toml"
    file.write_text(f"[endings]\n{text}\n", encoding="utf-8")
    with pytest.raises(StudyError, match=why):
        read_wordings(file)
