"""Grammatical mistakes in the sentences of ADEPT pairs, found with a dictionary."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from plausibly.proofreading.pairs._clauses import FINITE, strange_clause
from plausibly.proofreading.pairs._confusions import confusions
from plausibly.proofreading.pairs._idioms import strange_idiom
from plausibly.proofreading.pairs._predicate import (
    strange_capitals,
    strange_ends,
    strange_neighbours,
    strange_subject,
)
from plausibly.proofreading.pairs._wanting import wanting
from plausibly.proofreading.pairs._words import EnglishWords, settings

_WORD = re.compile(r"[\w'-]+")
_TO = re.compile(r"\b(?:used|able|use(?: [\w'-]+){1,4}?) to ([a-z]+)")
_AFTER = re.compile(r"\b(?:for|of|by|without) ([a-z]+)")
_LAST = frozenset(
    {
        *("a", "an", "the", "and", "or", "who", "which", "whose", "my", "your", "his", "their"),
        *("our", "very", "because", "if", "than", "every"),
    }
)
_OF = frozenset({"made", "capable", "full", "consists", "composed"})
_NO_SUBJECT = frozenset({"a", "an", "the", "your", "my", "some"})
_BEFORE_NOUN = frozenset({"to", "for", "of", *_NO_SUBJECT})

Words = Sequence[str]
Row = Mapping[str, str]


def strange_grammar(row: Row, words: EnglishWords) -> Iterator[tuple[str, str]]:
    """Yield kind and message of what is not English in the first sentence of a pair."""
    tokens = [word.casefold() for word in _WORD.findall(row["sentence1"])]
    if not tokens:
        return
    yield from _ends(tokens)
    yield from strange_ends(tokens)
    yield from strange_neighbours(tokens, words)
    yield from strange_subject(row["noun"].casefold(), tokens, words)
    yield from strange_capitals(row["sentence1"], words)
    yield from confusions(row["sentence1"], tokens, words)
    yield from strange_clause(row, tokens, words)
    yield from strange_idiom(row["sentence1"], row["noun"].casefold(), tokens, words)
    yield from wanting(row["noun"].casefold(), tokens, words)
    for finder in (_forms, _subject, _opening, _finite):
        yield from finder(row, tokens, words)


def _forms(row: Row, tokens: Words, words: EnglishWords) -> Iterator[tuple[str, str]]:
    text = row["sentence1"].casefold()
    for found in _TO.finditer(text):
        if found[1].endswith(("s", "ing")) and words.is_verb_form(found[1]):
            yield "verb_form", f"'to {found[1]}' needs the plain form of the verb"
    for found in _AFTER.finditer(text):
        if words.is_bare_verb(found[1]):
            yield "bare_verb", f"{found[0]!r} needs a form in -ing"
            break
    lacking = [word for word in tokens if word in settings()["without_apostrophe"]]
    if lacking:
        yield "no_apostrophe", f"{lacking[0]!r} needs an apostrophe"


def _ends(tokens: Words) -> Iterator[tuple[str, str]]:
    last, before = tokens[-1], tokens[-2] if len(tokens) > 1 else ""
    letter = before in ("letter", "vitamin", "plan", "grade")
    if (last in _LAST and not letter) or (last == "of" and before in _OF):
        yield "cut_off", f"sentence1 ends with {last!r}"


def _subject(row: Row, tokens: Words, words: EnglishWords) -> Iterator[tuple[str, str]]:
    """Find what cannot follow a noun in the singular that opens the sentence."""
    noun = row["noun"].casefold()
    if len(tokens) > 2 and tokens[0] in ("this", "these") and tokens[1] == noun:
        many = tokens[0] == "these"
        if many != words.is_plural(noun) and "NOUN" in words.classes(noun):
            yield "determiner", f"'{tokens[0]} {noun}' do not go together"
    if len(tokens) < 3 or tokens[0] not in ("a", "an", "one") or tokens[1] != noun:
        return
    verb = tokens[2]
    classes = set(words.classes(verb))
    if verb == "used":
        yield "cut_off", f"'{noun} used': no 'is' before it"
    elif verb == "be" or (words.is_bare_verb(verb) and verb not in FINITE):
        yield "verb_form", f"'{noun} {verb}' needs the singular form of the verb"
    elif classes == {"ADJ"}:
        yield "no_verb", f"'{noun} {verb}': no verb follows the noun"


def _opening(row: Row, tokens: Words, words: EnglishWords) -> Iterator[tuple[str, str]]:
    first, noun = tokens[0], row["noun"].casefold()
    if len(tokens) < 2:
        return
    third = tokens[1].endswith("s") and words.is_verb_form(tokens[1])
    if first in ("you", "i", "we", "they") and third and tokens[1] not in FINITE:
        yield "verb_form", f"'{first} {tokens[1]}' needs the plain form of the verb"
    plain = "VERB" in words.classes(first) and not words.is_verb_form(first)
    if plain and first != noun and tokens[1] in _NO_SUBJECT:
        yield "imperative", f"'{first} {tokens[1]}': an instruction without a subject"


def _finite(row: Row, tokens: Words, words: EnglishWords) -> Iterator[tuple[str, str]]:
    noun = row["noun"].casefold()
    for place, word in enumerate(tokens):
        if word in FINITE or word.removesuffix("n't") in FINITE:
            return
        before = tokens[place - 1] if place else ""
        verbal = "VERB" in words.classes(word) and not word.endswith("ing")
        if verbal and before not in _BEFORE_NOUN and word != noun:
            return
    yield "no_verb", "sentence1 has no verb"
