"""Stanza behind the port: with a fake pipeline, and for real where its models are."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from plausibly.backends.stanza import RESOURCES, StanzaParser
from plausibly.errors import MissingExtra, StudyError
from plausibly.ports import Sentence


class FakePipeline:
    """Makes of each text one sentence of nouns that hang on the first word."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def bulk_process(self, texts: list[str]) -> list[Any]:
        self.batches.append(texts)
        return [SimpleNamespace(sentences=[self._sentence(text.split())]) for text in texts]

    @staticmethod
    def _sentence(forms: list[str]) -> Any:
        words = [
            SimpleNamespace(
                text=form,
                lemma=None if form == "none" else form.lower(),
                upos="NOUN",
                head=min(at, 1),
                deprel="dep" if at else "root",
            )
            for at, form in enumerate(forms)
        ]
        return SimpleNamespace(words=words)


def test_words_become_columns() -> None:
    [[sentence]] = StanzaParser(pipeline=FakePipeline()).parse(["Dogs and none"])
    assert sentence == Sentence(
        ["Dogs", "and", "none"],
        ["dogs", "and", ""],
        ["NOUN"] * 3,
        [0, 1, 1],
        ["root", "dep", "dep"],
    )


def test_texts_keep_their_order_and_go_in_batches() -> None:
    pipeline = FakePipeline()
    found = list(StanzaParser(pipeline=pipeline).parse(["One", "", "Two\n\nThree"]))
    assert [[s.forms[0] for s in text] for text in found] == [["One"], [], ["Two", "Three"]]
    assert pipeline.batches == [["One", "Two", "Three"]]


def test_without_stanza_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stanza", None)
    with pytest.raises(MissingExtra, match=r"pip install 'plausibly\[stanza\]'"):
        list(StanzaParser("xx").parse(["Dogs bark."]))


def test_without_models_the_error_says_where_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stanza", SimpleNamespace(__version__="1"))
    monkeypatch.delenv(RESOURCES, raising=False)
    with pytest.raises(StudyError, match=rf"{RESOURCES} is not set.*--parser embedded"):
        list(StanzaParser("xx").parse(["Dogs bark."]))


def test_a_folder_without_the_models_is_a_study_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def pipeline(*_: object, **__: object) -> None:
        raise FileNotFoundError("resources.json")

    fake = SimpleNamespace(__version__="1", Pipeline=pipeline)
    monkeypatch.setitem(sys.modules, "stanza", fake)
    monkeypatch.setenv(RESOURCES, "empty")
    with pytest.raises(StudyError, match=rf"{RESOURCES}: no models for 'xy'"):
        list(StanzaParser("xy").parse(["Dogs bark."]))


def test_the_name_says_which_language_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stanza", SimpleNamespace(__version__="1.9.2"))
    assert StanzaParser("it").name == "stanza (it 1.9.2)"


@pytest.mark.skipif(RESOURCES not in os.environ, reason=f"set {RESOURCES} to Stanza's models")
def test_the_real_pipeline_finds_subject_verb_and_object() -> None:
    pytest.importorskip("stanza")
    [[sentence]] = StanzaParser().parse(["The dogs chased a cat."])
    assert list(sentence.deprels) == ["det", "nsubj", "root", "det", "obj", "punct"]
    assert list(sentence.lemmas) == ["the", "dog", "chase", "a", "cat", "."]
