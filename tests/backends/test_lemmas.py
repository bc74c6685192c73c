"""English lemmas: the table first, then the rules."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from plausibly.backends import lemmas
from plausibly.backends.lemmas import PLURAL_NAME, Lemmatiser, inflected_lemma, read_lemmatiser
from plausibly.errors import MissingExtra


@pytest.mark.parametrize(
    ("form", "upos", "lemma"),
    [
        ("dogs", "NOUN", "dog"),
        ("chased", "VERB", "chase"),
        ("blorping", "VERB", "blorp"),
        ("trialling", "VERB", "trial"),
        ("falling", "VERB", "fall"),
        ("narrower", "ADJ", "narrow"),
        ("learned", "ADJ", "learned"),
        ("dogs", "PROPN", "dogs"),
        ("12's", "NOUN", "12's"),
    ],
)
def test_rules_undo_inflection_and_leave_derivation_alone(form: str, upos: str, lemma: str) -> None:
    pytest.importorskip("lemminflect")
    assert inflected_lemma(form, upos) == lemma


def test_the_table_comes_before_the_rules() -> None:
    lemmatiser = Lemmatiser({"NOUN": {"people": "person"}, "PRON": {"us": "we"}})
    assert lemmatiser["People", "NOUN"] == "person"
    assert lemmatiser["us", "PRON"] == "we"


def test_names_keep_their_case_and_other_words_lose_it() -> None:
    lemmatiser = Lemmatiser({})
    assert lemmatiser["Rome", "PROPN"] == "Rome"
    assert lemmatiser["The", "DET"] == "the"


@pytest.mark.parametrize(
    ("form", "lemma"),
    [("Cyclones", "Cyclone"), ("UFOs", "UFO"), ("Countries", "Country"), ("states", "States")],
)
def test_names_in_the_plural_lose_the_ending_and_keep_the_case(form: str, lemma: str) -> None:
    pytest.importorskip("lemminflect")
    assert Lemmatiser({"PROPN": {"states": "States"}})[form, PLURAL_NAME] == lemma


def test_a_pair_is_worked_out_once() -> None:
    lemmatiser = Lemmatiser({"ADJ": {"better": "good"}})
    assert lemmatiser["Better", "ADJ"] == "good"
    assert dict(lemmatiser) == {("Better", "ADJ"): "good"}


def test_no_more_pairs_are_kept_than_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lemmas, "KEPT", 3)
    lemmatiser = Lemmatiser({})
    found = [lemmatiser[form, "X"] for form in ("A", "B", "C", "D", "A")]
    assert found == ["a", "b", "c", "d", "a"]
    assert len(lemmatiser) <= 3


def test_a_written_table_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "lemmas.json"
    path.write_text(json.dumps({"ADJ": {"better": "good"}}), encoding="utf-8")
    assert read_lemmatiser(path)["better", "ADJ"] == "good"


def test_without_lemminflect_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "lemminflect", None)
    lemmas._lemminflect.cache_clear()
    with pytest.raises(MissingExtra, match=r"pip install 'plausibly\[parse\]'"):
        inflected_lemma("dogs", "NOUN")
