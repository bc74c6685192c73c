"""Words that are words, and the wrong ones where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from plausibly.proofreading.pairs._rows import NUMBERS
from plausibly.proofreading.pairs._words import EnglishWords, settings

# Written for another word that sounds or looks the same.
_CONFUSED = (
    (r"\b(?:on|in|at|with|for|of|to|from|by|loses?|has|have) there (?!is|are)\w+", "their"),
    (r"\b(?:on|in|at|with|for|of|to|from|by|loses?|has|have) (?:it's|you're|they're) \w+", "its"),
    (r"\bto (?:much|many|late|early)$|\bto much \w+", "too"),
    (r"\b(?:more|less|fewer|better|worse|bigger|smaller|faster|other|rather) then\b", "than"),
    (r"\b(?:more|less) [a-z]+ then\b", "than"),
    (r"\btoo be\b", "to"),
    (r"\b(?:could|would|should|must|might) of\b", "have"),
    (r"\b(?:for|of|with|in|on) you [a-z]+s$", "your"),
    (r"\b(?:you|him|her|them|me|us|people) to (?!be|\w*thing)[a-z]{3,}ing\b", "to, plain form"),
    (r"\b(?:can|will|to|not) loose (?:a|an|the|your|its|their)\b", "lose"),
    (r"\b(?:you|they|we|people) loose \w+|\bloose (?:weight|money|time|control|hope)\b", "lose"),
    (r"\b(?:is|are|was|does|do|has|have) n't\b", "n't, without a space"),
    (r"\b(?:thing|object|tool|machine|place|device|something) who\b", "that"),
    (r"\b(?:person|man|woman|someone|somebody|people|child) which\b", "who"),
    (r"\bthe affect of\b|\bhas an affect\b", "effect"),
    (r"\b(?:whose|who's) (?:is|are|has)\b", "who"),
    (r"\b(?:for|of|with|by|on|in) who's\b", "whose"),
    (r"\bas (?!well|much as|many as)[a-z]+ than\b", "as"),
    (r"\ba lot off\b|\bmade off\b|\bconsists off\b|\bfull off\b", "of"),
    (r"\bby it self\b|\bby them selves\b|\bin side\b|\bout side\b", "one word"),
)
_PATTERNS = tuple((re.compile(pattern), meant) for pattern, meant in _CONFUSED)
_ANY = re.compile("|".join(pattern for pattern, _ in _CONFUSED))
_MANY = frozenset(
    {"these", "those", "many", "few", "several", "two", "three", "four", "five", "six"}
)
# What follows a noun, and no word that describes one.
_AFTER = frozenset({"to", "for", "in", "on", "of", "with", "is", "are", "and"})
_COMPARED = frozenset({"better", "worse", "best", "worst"})
_SINGLE = re.compile(r"(?:^|\b(?:and|because|when|if|but|that) )(he|she|it) ([a-z]+)\b")
_NO_TWICE = re.compile(r"\bwithout no\b|n't no\b|\bnever no\b|\bnot nothing\b")
_ONE = frozenset({"this", "each", "every", "another", "much"})
_PLACEHOLDER = re.compile(
    r"\b(?:TODO|FIXME|TBD|XXX+|LOREM|NULL|NONE|N/A)\b|\b[Ll]orem ipsum\b"
    r"|\b(?:[Nn]a[Nn]|NAN|null|undefined\W*$)\b|(?<=\w )None\b"
)
_OWNERS = {"it's": "its", "you're": "your", "they're": "their", "there": "their", "who's": "whose"}
# A figure that is read as a word: "used 4 sitting", "2 you".
_FIGURE = re.compile(r"\b(?:used|able|good|just) [24] [a-z]+|\b[24] (?:you|me|him|them|us|ever)\b")
_OWN_VIEW = re.compile(r"\bI (?:think|believe|guess|suppose)\b|^(?:In my opinion|Maybe|Perhaps)\b")


def confusions(text: str, said: Sequence[str], words: EnglishWords) -> Iterator[tuple[str, str]]:
    """Yield kind and message of what a spelling checker would let pass.

    Args:
        text: The sentence.
        said: Its words in small letters.
        words: What a dictionary says of words.
    """
    plain = text.casefold().rstrip(" .!?")
    yield from _owners(said, words)
    for pattern, meant in _PATTERNS if _ANY.search(plain) else ():
        if found := pattern.search(plain):
            yield "confused_word", f"{found[0]!r}: {meant!r} may be meant"
    yield from _written(text)
    foreign = [word for word in said if word in settings()["foreign"]]
    if len(foreign) > 1:
        yield "other_language", f"{foreign[0]!r} and {foreign[1]!r} are of another language"
    yield from _numbers(said, words)
    if (found := _SINGLE.search(plain)) and found[2] in settings()["plain_verb"]:
        yield "verb_form", f"'{found[1]} {found[2]}' wants the form of one thing"
    if said[0] in ("and", "but", "or", "so", "because"):
        yield "opening", f"sentence1 begins with {said[0]!r}"
    # "A reader leafs through a book" has no plural.
    verbal = {first for first, after in pairwise(said) if after in ("through", "the", "about")}
    uncounted = [word for word in said if word in settings()["no_plural"] - verbal]
    if uncounted:
        yield "no_plural", f"there is no plural {uncounted[0]!r}"
    if found := _NO_TWICE.search(plain):
        yield "double_negation", f"{found[0]!r} says no twice"


def _written(text: str) -> Iterator[tuple[str, str]]:
    """Yield what is no part of a statement: a placeholder, a figure for a word, who thinks so."""
    for pattern, kind, what in (
        (_PLACEHOLDER, "placeholder", "is no part of a sentence"),
        (_FIGURE, "chat_word", "has a figure for a word"),
        (_OWN_VIEW, "own_view", "says who thinks so, not what is the case"),
    ):
        if found := pattern.search(text):
            yield kind, f"{found[0]!r} {what}"


def _owners(said: Sequence[str], words: EnglishWords) -> Iterator[tuple[str, str]]:
    """Yield `it's`, `you're` and `there` before a noun they would own."""
    for place in range(len(said) - 1):
        first, second = said[place], said[place + 1]
        meant = _OWNERS.get(first)
        if not meant:
            continue
        noun = "NOUN" in words.classes(second) and not words.is_participle(second)
        if not noun or {"ADJ", "ADV"} & set(words.classes(second)):
            continue
        owned = place > 0 and place + 2 == len(said)
        if owned or (first == "there" and words.is_plural(second)):
            yield "confused_word", f"'{first} {second}': {meant!r} may be meant"


def _numbers(said: Sequence[str], words: EnglishWords) -> Iterator[tuple[str, str]]:
    """Yield words for one before nouns of many, the other way round, and degrees told twice."""
    for place in range(len(said) - 1):
        first, second = said[place], said[place + 1]
        last = said[place + 2 : place + 3] == [] or said[place + 2] in _AFTER
        if first in ("more", "most") and (second in _COMPARED or words.is_compared(second)):
            yield "compared_twice", f"'{first} {second}'"
        if first == "to" and _third_person(second, words):
            yield "verb_form", f"'to {second}' wants the plain form of the verb"
        if "NOUN" not in words.classes(second) or second in ("who", "that", "which"):
            continue
        alone = "ADJ" not in words.classes(second) and not words.is_verb_form(second)
        if first == "less" and words.is_plural(second) and last:
            yield "determiner", f"'{first} {second}': 'fewer' may be meant"
        mass = first in ("many", "fewer") and second in settings()["mass"]
        ends = place + 2 == len(said) and second not in NUMBERS and not words.is_verb_form(second)
        if (
            first in {*_MANY, "fewer"}
            and (alone or mass or ends)
            and last
            and not _many(second, words)
        ):
            yield "determiner", f"'{first} {second}' do not go together"
        if first in _ONE and words.is_plural(second) and last:
            yield "determiner", f"'{first} {second}' do not go together"


def _third_person(word: str, words: EnglishWords) -> bool:
    """Tell whether a word is a verb in the third person, and no noun of many."""
    verb = word.removesuffix("s")
    return verb != word and words.is_verb_form(word) and "NOUN" not in words.classes(verb)


def _many(noun: str, words: EnglishWords) -> bool:
    return words.is_plural(noun) or noun.endswith("s") or noun in settings()["several"]
