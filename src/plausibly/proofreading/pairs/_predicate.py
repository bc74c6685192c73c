"""Neighbouring words in the first sentence of a pair that do not go together in English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from plausibly.datasets.lexica.english import like_gerund
from plausibly.datasets.lexica.language import language
from plausibly.datasets.lexica.usage import usage
from plausibly.proofreading.pairs._clauses import FINITE, is_plain
from plausibly.proofreading.pairs._words import EnglishWords, settings

_SINGULAR = frozenset({"is", "has", "was", "does"})
_PLURAL = frozenset({"are", "have", "were", "do"})
_MANY = frozenset({"you", "we", "they", "i"})
_ONE = frozenset({"he", "she", "it"})
_EACH = frozenset({"a", "an", "each", "every", "another"})
# Words after a plural to which a singular determiner before it belongs ("a sports car").
_AFTER_NOUN = frozenset({"of", "in", "on", "to", "for", "with", "and", "is", "are", "at", ""})
_AGAIN = re.compile(r"\b(\w+ \w+) \1\b")

Remarks = Iterator[tuple[str, str]]


def strange_neighbours(tokens: Sequence[str], words: EnglishWords) -> Remarks:
    """Yield kind and message of two words that cannot follow each other.

    Args:
        tokens: The words of a sentence, in lower case.
        words: A dictionary.
    """
    for place, (word, after) in enumerate(pairwise(tokens)):
        third = tokens[place + 2] if place + 2 < len(tokens) else ""
        for wrong, kind in (
            (_be(word, after, words) or _used(word, after), "verb_form"),
            (_prepositions(word, after), "two_prepositions"),
            (_compared(word, after, words), "compared_twice"),
            (_number(word, after), "agreement"),
            (_plural(word, after, third, words), "determiner"),
        ):
            if wrong:
                yield kind, f"'{word} {after}' do not go together"
    if again := _AGAIN.search(" ".join(tokens)):
        yield "word_twice", f"{again[0]!r}: the same words twice"


def _be(word: str, after: str, words: EnglishWords) -> bool:
    if word in ("has", "have"):
        return after in ("is", "are", "was", "be")
    if word not in ("is", "are"):
        return False
    plain = words.is_bare_verb(after) or (
        after.endswith("s") and set(words.classes(after)) == {"VERB"}
    )
    return (
        after in ("use", "make", "been")
        or after in _SINGULAR | _PLURAL
        or (plain and not words.is_participle(after))
    )


def _used(word: str, after: str) -> bool:
    return word == "used" and (after in ("too", "is") or after.endswith("ing"))


def _prepositions(word: str, after: str) -> bool:
    return word in ("for", "of", "by", "with") and after == "to"


def _compared(word: str, after: str, words: EnglishWords) -> bool:
    return word in ("more", "most") and words.is_compared(after)


def _number(word: str, after: str) -> bool:
    return (word in _MANY and after in _SINGULAR) or (word in _ONE and after in _PLURAL)


def _plural(word: str, after: str, third: str, words: EnglishWords) -> bool:
    if word not in _EACH:
        return False
    many = "NOUN" in words.classes(after) and words.is_plural(after)
    return many and (third in _AFTER_NOUN or word not in ("a", "an"))


def strange_ends(tokens: Sequence[str]) -> Remarks:
    """Yield words with which a sentence cannot begin or end."""
    last, before = tokens[-1], tokens[-2] if len(tokens) > 1 else ""
    if last in ("to", "for", "with", "by") and before in ("used", "is", "are", "made"):
        yield "cut_off", f"sentence1 ends with '{before} {last}'"
    if len(tokens) < 4 and last in _SINGULAR | _PLURAL:
        yield "cut_off", f"sentence1 ends with {last!r}"
    if tokens[0] in _SINGULAR | _PLURAL:
        yield "question", f"sentence1 begins with {tokens[0]!r}"


def strange_subject(noun: str, tokens: Sequence[str], words: EnglishWords) -> Remarks:
    """Yield a subject whose verb has another number, or that is not a noun."""
    classes = set(words.classes(noun))
    if classes and "NOUN" not in classes and not _may_be_noun(noun, words):
        yield "noun_function_word", f"{noun!r} is not a noun"
    if noun in settings()["name"]:
        yield "noun_name", f"{noun!r} is a name"
    if len(tokens) < 2 or tokens[0] != noun:
        return
    verb = tokens[1]
    third = verb in _SINGULAR or (verb.endswith("s") and set(words.classes(verb)) == {"VERB"})
    if "NOUN" in classes and words.is_plural(noun) and not noun.endswith("s") and third:
        yield "agreement", f"{noun!r} is plural, {verb!r} is singular"
    if noun in language("en").mass and verb in _PLURAL:
        yield "agreement", f"{noun!r} is singular, {verb!r} is plural"


def _may_be_noun(noun: str, words: EnglishWords) -> bool:
    """Return whether a word is a noun though the dictionary does not say so: `bar`, `singing`."""
    listed = noun in settings()["rare_noun"] or noun in settings()["name"]
    counted = noun in usage().nouns or like_gerund(noun) or listed
    # The dictionary lacks many short nouns; short words that were counted as verbs are not nouns.
    short = len(noun) < 4 and noun not in usage().verbs
    return counted or not noun.isalpha() or (short and is_plain(noun, words))


def strange_capitals(sentence: str, words: EnglishWords) -> Remarks:
    """Yield capitalised ordinary words inside a sentence, and names without a capital."""
    proper = language("en").proper
    for word in re.findall(r"[^\W\d_]+", sentence)[1:]:
        plain = word.casefold()
        people = plain in proper and "VERB" not in words.classes(plain)  # to polish
        if word == plain and (people or plain in settings()["name"]):
            yield "no_capital", f"{word!r} needs a capital"
        grammar = plain in settings()["preposition"] or plain in FINITE
        ordinary = len(word) > 2 and plain not in proper and (grammar or words.classes(plain))
        if ordinary and (word.istitle() or (word.isupper() and len(word) > 3)):
            yield "capital_inside", f"{word!r} has a capital inside sentence1"
