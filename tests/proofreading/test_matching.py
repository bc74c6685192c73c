"""Patterns in TOML: each finds its example, and lists decide where they are named."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import pytest

from plausibly.proofreading.matching import Pattern, matches, patterns
from plausibly.proofreading.pairs._words import settings
from plausibly.proofreading.pairs.check import KINDS
from plausibly.proofreading.stories.wording import word_settings

ROOM = "plausibly.proofreading"
LISTS: Mapping[str, Mapping[str, Collection[str]]] = {
    ROOM: {},
    f"{ROOM}.pairs": settings(),
    f"{ROOM}.stories": {**word_settings("it"), "names": ()},
}
EVERY = [
    pytest.param(package, pattern, id=f"{package}-{group}-{place}-{pattern.kind}")
    for package in LISTS
    for group, of_group in patterns(package).items()
    for place, pattern in enumerate(of_group)
]


@pytest.mark.parametrize(("package", "pattern"), EVERY)
def test_a_pattern_finds_its_example(package: str, pattern: Pattern) -> None:
    [(kind, message), *_] = pattern.findings(pattern.example, LISTS[package])
    assert kind == pattern.kind
    assert message
    assert "{" not in message


@pytest.mark.parametrize("package", LISTS)
def test_no_pattern_is_written_twice(package: str) -> None:
    written = [one.pattern.pattern for of_group in patterns(package).values() for one in of_group]
    assert len(written) == len(set(written))


def test_every_kind_of_a_pattern_of_pairs_is_known() -> None:
    found = {one.kind for of_group in patterns(f"{ROOM}.pairs").values() for one in of_group}
    assert found <= set(KINDS)


def test_a_sound_sentence_matches_nothing() -> None:
    lists = LISTS[f"{ROOM}.stories"]
    for group in patterns(f"{ROOM}.stories"):
        assert not list(matches("Ada apre la scatola.", f"{ROOM}.stories", group, lists))


def test_lists_decide_and_the_first_place_is_enough_unless_every_one_is_asked_for() -> None:
    word = re.compile(r"(?P<word>\w+)s")
    once = Pattern("k", word, "{0}", "cats", among="animals", unless=("pets",))
    lists = {"animals": ("cat", "dog", "owl"), "pets": ("cat",)}
    assert list(once.findings("dogs cats owls", lists)) == [("k", "dogs")]
    assert not list(once.findings("cats dogs", lists))
    every = Pattern("k", word, "{1}", "cats", every=True, among="animals", unless=("pets",))
    assert list(every.findings("dogs cats owls", lists)) == [("k", "dog"), ("k", "owl")]
