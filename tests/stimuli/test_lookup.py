"""Words that norms spell otherwise, or name no part of speech for."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.datasets.lexica.lookup import widened
from plausibly.datasets.lexica.norms import Norms, corpus_tags, filtered
from plausibly.datasets.lexica.provenance import Provenance
from plausibly.datasets.lexica.spellings import spellings
from worlds.svo import svo_of

ENGLISH = spellings("en")
LETTERS = st.text("abcdeilmnorstuyz-", min_size=1, max_size=12)


def norms_of(*rows: tuple[str, float, str | None]) -> Norms:
    rated = pl.DataFrame(rows, schema=["word", "concreteness", "pos"], orient="row")
    return Norms(Provenance("norms", "test"), rated)


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("organise", "organize"),
        ("nationalisation", "nationalization"),
        ("analyse", "analyze"),
        ("harbour", "harbor"),
        ("neighbourhood", "neighborhood"),
        ("theatre", "theater"),
        ("programme", "program"),
        ("judgement", "judgment"),
        ("paediatrician", "pediatrician"),
        ("co-operation", "cooperation"),
        ("re-election", "reelection"),
        ("mid-season", "midseason"),
    ],
)
def test_a_word_is_found_under_its_other_spelling_either_way(word: str, other: str) -> None:
    assert ENGLISH.respelt([word], frozenset({other})) == {word: other}
    assert ENGLISH.respelt([other], frozenset({word})) == {other: word}


@pytest.mark.parametrize(
    ("word", "another"),
    [
        ("livre", "liver"),
        ("timbre", "timber"),
        ("storey", "story"),
        ("re-sign", "resign"),
        ("re-creation", "recreation"),
        ("co-op", "coop"),
        ("four", "for"),
        ("loess", "less"),
    ],
)
def test_words_that_look_like_a_spelling_of_another_are_not_one(word: str, another: str) -> None:
    assert ENGLISH.respelt([word], frozenset({another})) == {}
    assert ENGLISH.respelt([another], frozenset({word})) == {}


@given(LETTERS)
def test_spellings_come_in_pairs(word: str) -> None:
    for other in ENGLISH.of(word):
        assert other != word
        if other not in ENGLISH.words:
            assert word in ENGLISH.of(other)


@given(st.sets(LETTERS), st.sets(LETTERS))
def test_a_known_word_keeps_its_spelling_and_others_get_a_known_one(
    words: set[str], known: set[str]
) -> None:
    respelt = ENGLISH.respelt(sorted(words), frozenset(known))
    assert set(respelt) <= words - known
    assert set(respelt.values()) <= known


def test_every_word_of_the_list_has_one_spelling() -> None:
    assert all(ENGLISH.words[other] == word for word, other in ENGLISH.words.items())


def test_other_languages_spell_words_one_way() -> None:
    assert list(spellings("it").of("colore")) == []


def test_a_rating_is_borrowed_with_its_part_of_speech() -> None:
    norms = norms_of(("organize", 2.72, "Verb"), ("color", 4.1, "Noun"), ("colour", 3.9, "Noun"))
    tags = corpus_tags(svo_of("club organise colour"))
    wide, wider = widened(norms, tags, known=ENGLISH)
    assert wider.respelt == {"organise": "organize"}
    assert wide.rated.filter(word="organise").rows() == [("organise", 2.72, "Verb")]
    # A word that is rated as it is spelt keeps its own rating.
    assert wide.rated.filter(word="colour").rows() == [("colour", 3.9, "Noun")]


@pytest.mark.parametrize("none", ["#N/A", "", "0", None])
def test_where_norms_leave_the_part_of_speech_open_the_triples_decide(none: str | None) -> None:
    norms = norms_of(
        ("blogger", 4.4, none), ("underlie", 2.0, none), ("unseen", 3.0, none), ("see", 3.0, "Verb")
    )
    tags = corpus_tags(svo_of("blogger see cause", "cause underlie blogger"))
    wide, wider = widened(norms, tags, known=ENGLISH)
    assert wider.open_pos == {"noun": ("blogger",), "verb": ("underlie",)}
    found = filtered(wide, tags, frequency=None)
    assert found.of("noun").rows() == [("blogger", 4.4)]
    assert sorted(found.of("verb").rows()) == [("see", 3.0), ("underlie", 2.0)]


def test_a_part_of_speech_the_norms_name_stays() -> None:
    norms = norms_of(("official", 2.5, "Adjective"), ("cook", 4.0, "Verb"), ("cook", 4.2, "#N/A"))
    tags = corpus_tags(svo_of("official see cook", "cook see official"))
    wide, wider = widened(norms, tags, known=ENGLISH)
    assert wider.as_json()["part_of_speech_of_the_corpus"] == {"noun": [], "verb": []}
    assert filtered(wide, tags, frequency=None).ratings.is_empty()
    assert wide.rated.filter(word="cook").height == 1
