"""Repair of subjects that are none, of verbs without an object, and of Italian quantities."""

from __future__ import annotations

import pytest

from plausibly.backends.parsers import parser_named
from plausibly.corpus import Patterns, find
from plausibly.corpus._repair import repaired
from worlds.trees import tree

ROLES = Patterns().roles


def rows(text: str) -> tuple[set[tuple[str, ...]], list[str]]:
    """Return what a repaired tree holds, and the rules that changed it."""
    sentence, actions = repaired(tree(text), ROLES)
    return {tuple(filter(None, row)) for row in find(sentence, Patterns()).rows}, actions


@pytest.mark.parametrize(
    ("text", "event", "rule"),
    [
        (
            "A former miner, his courage won admiration.",
            ("win", "courage", "admiration"),
            "description",
        ),
        (
            "The second book in a series, the novel won a prize.",
            ("win", "novel", "prize"),
            "description",
        ),
        ("Fishermen this morning found a boat.", ("find", "fisherman", "boat"), "time"),
        ("The vote came amid protests over the price of bread.", None, "objectless"),
        ("A little patience goes a long way.", None, "objectless"),
        ("Ladies and gentlemen, our city needs a bridge.", ("need", "city", "bridge"), "address"),
        ("My friends, he did not see a red house.", None, "address"),
        ("The singer played three seasons for the club.", None, "extent"),
        ("This mayor, my friend, simply gets it on schools.", None, "address"),
    ],
)
def test_a_verb_has_one_subject_and_no_time_or_circumstance_as_object(
    text: str, event: tuple[str, ...] | None, rule: str
) -> None:
    [[parsed]] = parser_named("embedded").parse([text])
    sentence, actions = repaired(parsed, ROLES)
    events = [row[1:] for row in find(sentence, Patterns()).rows if row[0] == "svo"]
    assert events == ([event] if event else [])
    assert actions == [rule]


def test_a_noun_before_a_time_becomes_the_subject() -> None:
    """The national executive last night rejected a bid, if executive is below night."""
    found, actions = rows(
        """the/DET/2/det
        board/NOUN/4/amod
        last/ADJ/4/amod
        night/NOUN/5/nsubj
        rejected=reject/VERB/0/root
        a/DET/7/det
        bid/NOUN/5/obj"""
    )
    assert ("svo", "reject", "board", "bid") in found
    assert not any("night" in row for row in found if row[0] != "amod")
    assert actions == ["time"]


@pytest.mark.parametrize("comma", ["", ",/PUNCT/5/punct"])
def test_a_time_before_ago_is_no_subject(comma: str) -> None:
    """Years ago he wrote a book, if years and he are both subjects."""
    shift = 1 if comma else 0
    found, actions = rows(
        f"""years=year/NOUN/{4 + shift}/nsubj
        ago/ADV/{4 + shift}/advmod {comma.replace("/5/", f"/{4 + shift}/")}
        he/PRON/{4 + shift}/nsubj
        wrote=write/VERB/0/root
        book/NOUN/{4 + shift}/obj"""
    )
    assert found == {("dobj", "write", "book")}
    assert actions == ["time"]


@pytest.mark.parametrize(
    "words",
    [
        "Growers=grower/NOUN/4/nsubj ,/PUNCT/3/punct farmers=farmer/NOUN/4/nsubj",
        "sailor/NOUN/4/nsubj ,/PUNCT/3/punct Hale/PROPN/4/nsubj",
        "The=the/DET/3/det last/ADJ/3/amod week/NOUN/4/nsubj",
    ],
)
def test_headlines_names_and_times_alone_keep_their_subjects(words: str) -> None:
    text = words + " buy/VERB/0/root boats=boat/NOUN/4/obj"
    assert rows(text)[1] == []


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Police will announce their verdict before play begins today.", None),
        ("Scores of divers searched the lake.", "quantity"),
        ("The score of the film won a prize.", None),
    ],
)
def test_a_conjunction_opens_another_clause_and_only_scores_measure(
    text: str, rule: str | None
) -> None:
    [[parsed]] = parser_named("embedded").parse([text])
    assert repaired(parsed, ROLES)[1] == ([rule] if rule else [])


def test_a_bit_of_what_cannot_be_said_is_not_said() -> None:
    text = "say/VERB/0/root a/DET/3/det bit/NOUN/1/obj of/ADP/5/case {}/NOUN/3/nmod"
    assert ("dobj", "say", "court") not in rows(text.format("court"))[0]
    assert ("dobj", "say", "prayer") in rows(text.format("prayer"))[0]


def test_neither_a_day_nor_a_story_makes_a_receiver() -> None:
    day = "left=leave/VERB/0/root Lisbon/PROPN/1/obj Monday/PROPN/1/obj"
    story = "tells=tell/VERB/0/root story/NOUN/1/obj Hale/PROPN/1/obj"
    for text in (day, story):
        assert rows(text)[1] == []


ITALIAN = """guerra/NOUN/2/nsubj
uccide=uccidere/VERB/0/root
{article}/DET/4/det
{noun}={lemma}/NOUN/2/obj
di/ADP/6/case
persone=persona/NOUN/4/nmod"""


@pytest.mark.parametrize(
    ("article", "noun", "lemma", "thing"),
    [
        ("un", "milione", "milione", "persona"),
        ("una", "decina", "decina", "persona"),
        ("un", "numero", "numero", "persona"),
        ("il", "numero", "numero", "numero"),
        ("una", "parte", "parte", "parte"),
        ("una", "madre", "madre", "madre"),
    ],
)
def test_an_italian_quantity_gives_its_place_to_the_noun_after_di(
    article: str, noun: str, lemma: str, thing: str
) -> None:
    found, actions = rows(ITALIAN.format(article=article, noun=noun, lemma=lemma))
    assert ("svo", "uccidere", "guerra", thing) in found
    assert actions == ([] if thing == lemma else ["quantity"])


def test_a_part_measures_only_with_an_adjective_before_it() -> None:
    found, actions = rows(
        """fa=fare/VERB/0/root
        gran=grande/ADJ/3/amod
        parte/NOUN/1/obj
        di/ADP/6/case
        il/DET/6/det
        lavoro/NOUN/3/nmod"""
    )
    assert ("dobj", "fare", "lavoro") in found
    assert actions == ["quantity"]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (
            """signs=sign/NOUN/2/nsubj indicate/VERB/0/root sites=site/NOUN/2/obj ,/PUNCT/6/punct
            and/CCONJ/6/cc paths=path/NOUN/7/nsubj run/VERB/2/conj""",
            ("dobj", "indicate", "site"),
        ),
        (
            """files=file/NOUN/2/nsubj reveal/VERB/0/root facts=fact/NOUN/2/obj of/ADP/6/case
            the/DET/6/det part/NOUN/3/nmod guards=guard/NOUN/8/nsubj played=play/VERB/2/advcl""",
            ("dobj", "reveal", "fact"),
        ),
        (
            """giving=give/VERB/0/root Ann/PROPN/1/iobj titles=title/NOUN/1/obj
            silver/NOUN/1/obj""",
            ("dobj", "give", "title"),
        ),
        (
            """unions=union/NOUN/2/nsubj promise/VERB/0/root growers=grower/NOUN/2/obj
            not/PART/6/advmod to/PART/4/fixed pay/VERB/2/xcomp""",
            ("dobj", "promise", "grower"),
        ),
        (
            """the/DET/2/det sorting/NOUN/6/nsubj ,/PUNCT/5/punct into/ADP/5/case
            towns=town/NOUN/6/nsubj ended=end/VERB/0/root""",
            ("nsubj", "end", "sorting"),
        ),
        (
            """the/DET/2/det level/NOUN/6/nsubj ,/PUNCT/5/punct the/DET/5/det level/NOUN/6/nsubj
            lacked=lack/VERB/0/root depth/NOUN/6/obj""",
            ("svo", "lack", "level", "depth"),
        ),
        (
            """the/DET/2/det unit/NOUN/8/nsubj ,/PUNCT/7/punct the/DET/7/det east/NOUN/7/compound
            and/CCONJ/5/cc regions=region/NOUN/8/nsubj took=take/VERB/0/root
            years=year/NOUN/8/obj""",
            ("svo", "take", "unit", "year"),
        ),
        (
            """a/DET/2/det drought/NOUN/11/nsubj ,/PUNCT/5/punct a/DET/5/det plague/NOUN/11/nsubj
            and/CCONJ/8/cc a/DET/8/det flood/NOUN/5/conj in/ADP/10/case May/PROPN/8/nmod
            ruined=ruin/VERB/0/root crops=crop/NOUN/11/obj""",
            ("svo", "ruin", "drought", "crop"),
        ),
    ],
)
def test_what_only_looks_like_another_clause_or_subject_changes_nothing(
    text: str, row: tuple[str, ...]
) -> None:
    found, actions = rows(text)
    assert row in found
    assert actions == []


def test_in_a_headline_who_warns_or_urges_comes_last() -> None:
    text = """plants=plant/NOUN/6/nsubj out/ADP/4/case of/ADP/4/case parts=part/NOUN/1/nmod
    ,/PUNCT/6/punct warns=warn/VERB/0/root union/NOUN/6/obj"""
    assert rows(text) == ({("nsubj", "warn", "union")}, ["speaker"])
