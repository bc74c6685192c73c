"""English words in their place, checked by hand and against larger lexica."""

from __future__ import annotations

import pytest

from plausibly.datasets.lexica.english import article, plural, third_person
from plausibly.datasets.lexica.language import language, require
from plausibly.errors import StudyError, UnknownName
from plausibly.stimuli.realise import Realiser

ENGLISH = language("en")


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("bake", "bakes"),
        ("carry", "carries"),
        ("play", "plays"),
        ("catch", "catches"),
        ("fix", "fixes"),
        ("go", "goes"),
        ("woo", "woos"),
        ("have", "has"),
        ("be", "is"),
        ("quiz", "quizzes"),
        ("focus", "focuses"),
        ("halve", "halves"),
        ("look after", "looks after"),
    ],
)
def test_verbs_take_the_third_person(verb: str, form: str) -> None:
    assert third_person(verb, ENGLISH) == form


@pytest.mark.parametrize(
    ("phrase", "form"),
    [
        ("apple", "an"),
        ("unicorn", "a"),
        ("unimportant matter", "an"),
        ("unusual idea", "an"),
        ("hour", "an"),
        ("horse", "a"),
        ("heirloom", "an"),
        ("European city", "a"),
        ("one-way street", "a"),
        ("onion", "an"),
        ("user", "a"),
        ("usher", "an"),
        ("FBI agent", "an"),
        ("UN member", "a"),
        ("NATO base", "a"),
        ("HTML page", "an"),
        ("8-year-old", "an"),
        ("18th attempt", "an"),
        ("180-degree turn", "a"),
        ("11,000-strong crowd", "an"),
        ("110th floor", "a"),
    ],
)
def test_articles_go_by_sound(phrase: str, form: str) -> None:
    assert article(phrase, ENGLISH) == form


@pytest.mark.parametrize(
    ("noun", "form"),
    [
        ("dog", "dogs"),
        ("city", "cities"),
        ("toy", "toys"),
        ("church", "churches"),
        ("child", "children"),
        ("policeman", "policemen"),
        ("human", "humans"),
        ("sheep", "sheep"),
        ("police", "police"),
        ("water", "water"),
        ("bus driver", "bus drivers"),
    ],
)
def test_nouns_take_their_plural(noun: str, form: str) -> None:
    assert plural(noun, ENGLISH) == form


def test_plural_subjects_leave_the_verb_alone() -> None:
    say = Realiser(ENGLISH)
    assert say.event("police", "stop", "train") == "police stop train"
    assert say.event("people", "be", "water") == "people are water"
    assert say.event("headquarters", "deny", "request") == "headquarters deny request"
    assert say.event("officer", "stop", "train") == "officer stops train"


def test_groups_are_singular() -> None:
    assert Realiser(ENGLISH).event("team", "win", "match") == "team wins match"


def test_sentences_know_mass_nouns_and_the_larger_lexicon() -> None:
    class Known:
        def plural(self, noun: str) -> str:
            return f"{noun}s"

        def is_mass(self, noun: str) -> bool:
            return noun == "shingle"

    say = Realiser(ENGLISH, nouns=Known())
    assert say.sentence("hour", "need", "shingle") == "An hour needs shingle."
    assert say.sentence("police", "drink", "tea") == "Police drink tea."
    assert say.sentence("scholar", "have", "expertise") == "A scholar has expertise."
    assert Realiser(ENGLISH).phrase("shingle") == "a shingle"


def test_italian_is_realised_by_italian_rules() -> None:
    italian = Realiser(language("it"))
    assert italian.event("gatto", "mangiare", "topo") == "gatto mangia topo"
    assert italian.sentence("zio", "leggere", "idea") == "Uno zio legge un'idea."


def test_a_language_says_what_a_protocol_lacks() -> None:
    with pytest.raises(StudyError, match=r"building pap in Italian needs .*: norms"):
        require("it", "pap")
    assert require("it", "pap", given=frozenset({"norms"})).name == "Italian"
    assert require("it", "sp10k").lang == "it"
    with pytest.raises(StudyError, match="conceptnet, nonsubsective adjectives"):
        require("it", "adept")
    with pytest.raises(UnknownName, match=r"unknown language 'eng'. Did you mean 'en'"):
        language("eng")


def test_articles_agree_with_inflect_on_frequent_words() -> None:
    inflect = pytest.importorskip("inflect")
    wordfreq = pytest.importorskip("wordfreq")
    engine = inflect.engine()
    words = [w for w in wordfreq.top_n_list("en", 8000) if w.isascii() and w.isalpha()]
    words = [word for word in words if len(word) > 4]
    theirs = {word: engine.a(word).split()[0] for word in words}
    differ = [word for word in words if article(word, ENGLISH) != theirs[word]]
    # inflect says "an oneself" and "a usher".
    assert set(differ) <= {"oneself", "usher", "ewing"}


def test_verbs_agree_with_lemminflect_on_regular_and_irregular_ones() -> None:
    lemminflect = pytest.importorskip("lemminflect")
    for verb in ("be", "have", "go", "buzz", "veto", "undergo", "lie", "obey", "deny", "focus"):
        assert third_person(verb, ENGLISH) in lemminflect.getInflection(verb, "VBZ")
