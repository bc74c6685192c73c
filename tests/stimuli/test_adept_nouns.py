"""Noun phrases and verbs of bare predicates, when enough words are known to judge them."""

from __future__ import annotations

import polars as pl
import pytest

from plausibly.datasets.lexica.language import language
from plausibly.datasets.lexica.usage import usage
from plausibly.stimuli.adept._nouns import NounRefusal, with_articles
from plausibly.stimuli.adept._phrases import sentence
from plausibly.stimuli.adept.lexicon import ENOUGH_WORDS, Lexicon, lexicon

VERBS = (
    *("visit", "represent", "result", "teach", "draw", "use", "sleep", "make", "study"),
    *("help", "become", "point"),
)
NOUNS = (
    *("museum", "expertise", "competition", "room", "oboe", "point", "art", "expert", "time"),
    "type",
)
ADJECTIVES = ("old", "loud", "famous", "warm", "british", "long", "veteran")


def judging() -> Lexicon:
    """Return a lexicon of so many words that it refuses what it cannot tell."""
    rows = [("dobj", "head", verb, 50) for verb in VERBS]
    rows += [("amod", "head", noun, 50) for noun in NOUNS]
    rows += [("amod", "dependent", one, 50) for one in ADJECTIVES]
    # Too rare for the table of usage: one has objects in the counts, the other subjects as well.
    rows += [("dobj", "head", "foil", 4), ("dobj", "head", "moo", 3), ("nsubj", "head", "moo", 9)]
    rows += [("dobj", "head", "lead", 50), ("amod", "head", "lead", 40)]
    rows += [("amod", "head", f"w{number}", 1) for number in range(ENOUGH_WORDS)]
    table = pl.DataFrame(rows, schema=["relation", "role", "word", "count"], orient="row")
    return lexicon(table, ["museums"], language=language("en"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("museum", "a museum"),
        ("old museum together", "an old museum together"),
        ("expertise", "expertise"),
        ("of experts", "of experts"),
        ("to visit museum", "to visit a museum"),
        ("by visiting museum", "by visiting a museum"),
        ("in sleeping room", "in a sleeping room"),
        ("expert warm", "an expert warm"),
        ("over internet", "over the internet"),
        ("every museum", "every museum"),
        ("made famous", "made famous"),
    ],
)
def test_a_singular_gets_the_article_it_wants(words: str, expected: str) -> None:
    told = with_articles(words.split(), judging())
    assert told == expected.split()


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("competition", "doubtful_article"),
        ("oboe", "doubtful_article"),
        ("long time", "doubtful_article"),
        ("lead", "doubtful_noun"),
        ("experts study", "two_nouns"),
        ("to loud", "no_thing"),
        ("with such museum", "doubtful_article"),
        ("in same room", "doubtful_article"),
    ],
)
def test_what_nobody_can_tell_is_refused(words: str, rule: str) -> None:
    told = with_articles(words.split(), judging())
    assert isinstance(told, NounRefusal)
    assert told.rule == rule


@pytest.mark.parametrize(
    ("relation", "predicate", "expected"),
    [
        ("CapableOf", "visit museum", "An expert visits a museum."),
        ("CapableOf", "sleep", "An expert sleeps."),
        ("CapableOf", "represent", "no_object"),
        ("CapableOf", "represent in museum", "no_object"),
        ("CapableOf", "result museum", "odd_object"),
        ("UsedFor", "representing", "no_object"),
        ("UsedFor", "foil", "no_object"),
        ("UsedFor", "foil expert", "An expert is used to foil an expert."),
        ("CapableOf", "moo", "An expert moos."),
        (
            "UsedFor",
            "teaching british expertise",
            "An expert is used for teaching British expertise.",
        ),
        ("HasProperty", "famous old", "two_properties"),
        ("CapableOf", "represent veteran", "doubtful_noun"),
        ("CapableOf", "become veteran", "An expert becomes veteran."),
        ("CapableOf", "represent visit", "doubtful_noun"),
        ("CapableOf", "help visit room", "An expert helps visit a room."),
        ("UsedFor", "making museum sleep", "doubtful_article"),
        ("UsedFor", "point to draw room", "no_use"),
        ("UsedFor", "use art to sheared", "no_verb"),
        ("CapableOf", "draw type of room", "An expert draws a type of room."),
    ],
)
def test_verbs_have_their_objects(relation: str, predicate: str, expected: str) -> None:
    told = sentence(relation, "expert", predicate, judging())
    assert (told.rule if isinstance(told, NounRefusal) else told) == expected


def test_there_is_one_world() -> None:
    assert sentence("HasProperty", "world", "old", judging()) == "The world is old."


def test_a_word_that_was_never_counted_tells_nothing() -> None:
    assert usage().countable("gloob") is None
    assert usage().transitive("gloob") is None
    assert not usage().forbids_object("gloob")


def test_the_table_of_use_has_words_once_and_enough_of_each() -> None:
    known = usage()
    assert len(known.nouns) > 2000
    assert len(known.verbs) > 1000
    assert all(marked + bare >= 12 for marked, bare, _ in known.nouns.values())
    assert all(marked + bare >= 12 for marked, bare in known.verbs.values())
