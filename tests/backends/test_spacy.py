"""The parser that comes with the package, and other spaCy pipelines."""

from __future__ import annotations

import pickle
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.backends.spacy import (
    MODEL,
    UD_LABELS,
    EmbeddedParser,
    SpacyParser,
    TextReader,
    embedded_reader,
)
from plausibly.errors import MissingExtra, StudyError
from plausibly.ports import Sentence

pytest.importorskip("spacy")

RELATIONS = (
    "acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse "
    "dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis "
    "punct reparandum root vocative xcomp"
)
CLASSES = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
UNIVERSAL = set(RELATIONS.split())
TAGS = set(CLASSES.split())


def blank() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import spacy
    return spacy.blank("en")


def clear_doc(nlp: Any) -> Any:
    """A document as spaCy's own English pipelines give it: two sentences with CLEAR labels."""
    from spacy.tokens import Doc

    return Doc(
        nlp.vocab,
        words=["Mice", "ate", "cheese", ".", "It", "was", "eaten"],
        lemmas=["mouse", "eat", "cheese", ".", "it", "be", "eat"],
        pos=["NOUN", "VERB", "NOUN", "PUNCT", "PRON", "AUX", "VERB"],
        heads=[1, 1, 1, 1, 6, 6, 6],
        deps=["nsubj", "ROOT", "dobj", "punct", "nsubjpass", "auxpass", "ROOT"],
    )


def test_the_embedded_parser_finds_subject_verb_and_object() -> None:
    [[sentence]] = EmbeddedParser().parse(["The hungry dogs chased a cat."])
    assert sentence == Sentence(
        ["The", "hungry", "dogs", "chased", "a", "cat", "."],
        ["the", "hungry", "dog", "chase", "a", "cat", "."],
        ["DET", "ADJ", "NOUN", "VERB", "DET", "NOUN", "PUNCT"],
        [3, 3, 4, 0, 6, 4, 4],
        ["det", "amod", "nsubj", "root", "det", "obj", "punct"],
    )


def test_contractions_and_bound_prefixes_are_cut_as_in_the_treebank() -> None:
    [[sentence]] = EmbeddedParser().parse(["They don't send non-stop e-mail and/or faxes!!!"])
    assert " ".join(sentence.forms) == "They do n't send non-stop e-mail and / or faxes !!!"


def test_texts_keep_their_order_and_a_blank_text_has_no_sentence() -> None:
    found = list(EmbeddedParser().parse(["Dogs bark.", " \n", "", "Cats sleep. Mice run."]))
    assert [[sentence.forms[0] for sentence in text] for text in found] == [
        ["Dogs"],
        [],
        [],
        ["Cats", "Mice"],
    ]


def test_names_in_the_plural_get_a_singular_lemma() -> None:
    [[sentence]] = EmbeddedParser().parse(["Most Brazilians and two Germans like the Beatles."])
    lemmas = dict(zip(sentence.forms, sentence.lemmas, strict=True))
    assert (lemmas["Brazilians"], lemmas["Germans"]) == ("Brazilian", "German")


def test_no_sentence_runs_across_paragraphs() -> None:
    [sentences] = EmbeddedParser().parse(["A list of things\n\nDogs bark."])
    assert [sentence.forms[0] for sentence in sentences] == ["A", "Dogs"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=80), max_size=4))
def test_every_sentence_is_a_tree_with_universal_labels_over_all_characters(
    texts: list[str],
) -> None:
    found = list(EmbeddedParser().parse(texts))
    assert len(found) == len(texts)
    for text, sentences in zip(texts, found, strict=True):
        assert "".join(f for s in sentences for f in s.forms) == "".join(text.split())
        for sentence in sentences:
            assert len({len(column) for column in sentence}) == 1
            assert list(sentence.heads).count(0) == 1
            assert all(reaches_root(sentence.heads, at) for at in range(len(sentence.heads)))
            assert {label.split(":")[0] for label in sentence.deprels} <= UNIVERSAL
            assert set(sentence.upos) <= TAGS


def reaches_root(heads: Any, at: int) -> bool:
    steps = 0
    while heads[at] != 0 and steps <= len(heads):
        at, steps = heads[at] - 1, steps + 1
    return steps <= len(heads)


def test_a_text_alone_and_among_others_is_parsed_the_same() -> None:
    texts = [f"The {noun} saw the small {noun}s near the river." for noun in ("dog", "cat", "bird")]
    alone = [next(EmbeddedParser().parse([text])) for text in texts]
    assert list(EmbeddedParser().parse(texts)) == alone


def test_the_parser_travels_to_other_processes() -> None:
    parser = pickle.loads(pickle.dumps(EmbeddedParser()))  # noqa: S301
    assert next(parser.parse(["Dogs bark."])) == next(EmbeddedParser().parse(["Dogs bark."]))


def test_the_model_is_loaded_once() -> None:
    assert embedded_reader(MODEL) is embedded_reader(MODEL)


def test_the_name_says_which_model_it_is() -> None:
    assert EmbeddedParser().name.startswith("embedded (en_plausibly_ewt ")


def test_clear_labels_become_universal_ones() -> None:
    nlp = blank()
    first, second = TextReader(nlp).sentences(clear_doc(nlp))
    assert first == Sentence(
        ["Mice", "ate", "cheese", "."],
        ["mouse", "eat", "cheese", "."],
        ["NOUN", "VERB", "NOUN", "PUNCT"],
        [2, 0, 2, 2],
        ["nsubj", "root", "obj", "punct"],
    )
    assert second.deprels == ["nsubj:pass", "aux:pass", "root"]
    assert second.heads == [3, 3, 0]


def test_every_normalised_label_is_universal() -> None:
    assert {label.split(":")[0] for label in UD_LABELS.values()} <= UNIVERSAL


def test_a_pipeline_in_a_folder_serves_as_well() -> None:
    parser = SpacyParser(str(MODEL))
    [[sentence]] = parser.parse(["The dogs chased a cat."])
    assert sentence.deprels == ["det", "nsubj", "root", "det", "obj", "punct"]
    assert set(sentence.lemmas) == {""}
    assert parser.name.startswith("spacy:")


def test_a_pipeline_that_is_not_there_is_a_study_error() -> None:
    with pytest.raises(StudyError, match="no spaCy pipeline 'xx_absent' is installed here"):
        list(SpacyParser("xx_absent").parse(["Dogs bark."]))


def test_a_pipeline_without_a_parser_is_a_study_error(tmp_path: Path) -> None:
    blank().to_disk(tmp_path / "blank")
    with pytest.raises(StudyError, match=r"has no parser, only nothing\."):
        list(SpacyParser(str(tmp_path / "blank")).parse(["Dogs bark."]))


def test_without_spacy_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtra, match=r"pip install 'plausibly\[parse\]'"):
        list(SpacyParser("xx_never_loaded").parse(["Dogs bark."]))
