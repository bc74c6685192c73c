"""The words that the rules for reporting verbs and for frames apply to.

They are in `reporting_en.toml`, made by `training/count_reporting.py`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class ReportingWords:
    """The words the rules apply to.

    Args:
        clausal: Verbs that report a clause, each with its share of clauses among its objects.
        speech: Verbs whose speaker may follow them.
        subjunctive: Verbs whose clause may have a bare `be`.
        addressing: Verbs whose object may be who is spoken to, before a clause.
        contents: Nouns that a clause may follow: evidence the sea had risen.
        impersonal: Verbs that do not have people as objects.
        persons: Nouns for people.
        sayable: Nouns one can say.
        copular: Verbs whose noun is a predicate: become.
        naming: Verbs whose second object is a predicate of the first: call, consider.
        giving: Verbs whose first object receives the second.
        changing: Verbs of change; a unit after them is an extent: fall two cents.
        extents: These units.
        growing: Verbs of change that also have an object: grow wheat.
        rates: Units a number of which is an extent after these: grow five percent.
        allowing: Verbs whose object is the subject of an infinitive: allow growers to test.
        linking: Verbs whose indefinite noun is a predicate: prove a success.
        provable: Nouns that are their object all the same: prove a point.
        objectless: Verbs without an object: come, happen.
        lasting: Verbs after which a number of times is how long: play three seasons.
        times: Nouns for times.
        tellable: Nouns for what one tells, which receive nothing: a story.
        addressees: Nouns for who is spoken to: my friends, we lost.
        verbs: All verbs of speech and of clauses, whose objects are looked at.
        units: All units and times.
    """

    clausal: dict[str, float]
    speech: frozenset[str]
    subjunctive: frozenset[str]
    addressing: frozenset[str]
    contents: frozenset[str]
    impersonal: frozenset[str]
    persons: frozenset[str]
    sayable: frozenset[str]
    copular: frozenset[str]
    naming: frozenset[str]
    giving: frozenset[str]
    changing: frozenset[str]
    extents: frozenset[str]
    growing: frozenset[str]
    rates: frozenset[str]
    allowing: frozenset[str]
    linking: frozenset[str]
    provable: frozenset[str]
    objectless: frozenset[str]
    lasting: frozenset[str]
    times: frozenset[str]
    tellable: frozenset[str]
    addressees: frozenset[str]
    verbs: frozenset[str]
    units: frozenset[str]


@cache
def reporting_words() -> ReportingWords:
    """Return the English words of `reporting_en.toml`."""
    place = resources.files("plausibly.corpus") / "reporting_en.toml"
    document = tomllib.loads(place.read_text(encoding="utf-8"))
    clausal = document.pop("clausal")
    del document["measures"]
    lists = {name: frozenset(words) for name, words in document.items()}
    verbs, units = lists["speech"] | clausal.keys(), lists["extents"] | lists["times"]
    return ReportingWords(clausal, **lists, verbs=verbs, units=units)
