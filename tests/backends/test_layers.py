"""The embedded model layer by layer: what spaCy's own way gives, whatever was read before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.backends import spacy as reading
from plausibly.backends._layers import AT_ONCE, Layers, LexicalLayers
from plausibly.backends.spacy import MODEL, EmbeddedParser, embedded_reader

pytest.importorskip("spacy")

TEXTS = [
    "The hungry dogs chased a cat. It can't swim, and it won't learn to.",
    "Dogs.",
    "What the committee of the town decided in 1984 (after a long debate) surprised nobody.",
    "In the garden stood a tree; birds, bees and butterflies visited it every day at 5 p.m.",
]
WORDS = st.sampled_from(" ".join(TEXTS).split(" "))


def columns(doc: Any) -> list[Any]:
    names = ["ORTH", "POS", "MORPH", "HEAD", "DEP", "SENT_START"]
    rows: list[Any] = doc.to_array(names).tolist()
    return rows


def annotated(texts: list[str]) -> list[Any]:
    nlp = embedded_reader(MODEL).nlp
    docs = [nlp.make_doc(text) for text in texts]
    Layers(nlp).annotate([doc for doc in docs if len(doc)])
    return [columns(doc) for doc in docs]


def test_trees_are_those_of_the_pipeline() -> None:
    nlp = embedded_reader(MODEL).nlp
    assert annotated(TEXTS) == [columns(doc) for doc in nlp.pipe(TEXTS)]


def test_more_words_than_one_group_holds_change_no_tree() -> None:
    texts = TEXTS * (1 + AT_ONCE // 40)
    assert sum(map(len, annotated(texts))) > AT_ONCE
    assert annotated(texts) == annotated(TEXTS) * (1 + AT_ONCE // 40)


def test_no_document_is_no_work() -> None:
    assert annotated([]) == []


def vectors_of(*texts: str) -> tuple[list[Any], list[Any]]:
    """Our vectors of the words of texts, and the model's."""
    nlp = embedded_reader(MODEL).nlp
    tok2vec: Any = nlp.get_pipe("tok2vec")
    embed = tok2vec.model.layers[0]
    docs = [nlp.make_doc(text) for text in texts]
    return LexicalLayers(embed, nlp.vocab)(docs), embed.predict(docs)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(WORDS, min_size=1, max_size=30).map(" ".join), min_size=1, max_size=4))
def test_a_word_has_the_vector_the_model_gives_it(texts: list[str]) -> None:
    mine, theirs = vectors_of(*texts)
    assert [len(one) for one in mine] == [len(one) for one in theirs]
    np.testing.assert_allclose(np.concatenate(mine), np.concatenate(theirs), rtol=1e-4, atol=1e-5)


def test_a_form_with_another_norm_is_another_word() -> None:
    mine, theirs = vectors_of("ca", "can't")
    assert not np.allclose(mine[0][0], mine[1][0])
    np.testing.assert_allclose(mine[1], theirs[1], rtol=1e-4, atol=1e-5)


def test_a_text_gives_the_same_bits_whatever_was_read_before() -> None:
    nlp = embedded_reader(MODEL).nlp
    fresh, used = Layers(nlp), Layers(nlp)
    used.annotate([nlp.make_doc(text) for text in TEXTS[:3]])
    docs = [nlp.make_doc(TEXTS[3]) for _ in range(2)]
    for layers, doc in zip((fresh, used), docs, strict=True):
        layers.annotate([doc])
    assert np.array_equal(docs[0].tensor, docs[1].tensor)


def test_a_full_vocabulary_forgets_new_words_and_parses_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [f"Zorb{number}ak and quix{number}le were seen by dogs." for number in range(3)]
    strings = embedded_reader(MODEL).nlp.vocab.strings
    monkeypatch.setattr(reading, "KEPT", 0)
    forgotten = list(EmbeddedParser().parse(texts))
    assert "Zorb1ak" not in strings
    monkeypatch.undo()
    assert list(EmbeddedParser().parse(texts)) == forgotten
    assert "Zorb1ak" in strings


def test_forms_are_kept_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "KEPT", 2)
    nlp = embedded_reader(MODEL).nlp
    forms = reading._Forms(nlp)
    numbers = [nlp.vocab.strings.add(word) for word in ("dog", "cat", "bird")]
    assert [forms[number] for number in numbers] == ["dog", "cat", "bird"]
    assert list(forms.values()) == ["bird"]
