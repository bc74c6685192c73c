"""Real-word errors (there/their), and words that do not agree in number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from plausibly.proofreading.matching import matches
from plausibly.proofreading.pairs._rows import NUMBERS
from plausibly.proofreading.pairs._words import PACKAGE, EnglishWords, settings

_MANY = frozenset(
    {"these", "those", "many", "few", "several", "two", "three", "four", "five", "six"}
)
# Words that follow a noun, but not an adjective.
_AFTER = frozenset({"to", "for", "in", "on", "of", "with", "is", "are", "and"})
_COMPARED = frozenset({"better", "worse", "best", "worst"})
_ONE = frozenset({"this", "each", "every", "another", "much"})
_OWNERS = {"it's": "its", "you're": "your", "they're": "their", "there": "their", "who's": "whose"}


def confusions(text: str, tokens: Sequence[str], words: EnglishWords) -> Iterator[tuple[str, str]]:
    """Yield kind and message of mistakes that a spelling checker misses.

    Args:
        text: The sentence.
        tokens: Its words in lower case.
        words: A dictionary.
    """
    plain = text.casefold().rstrip(" .!?")
    yield from _owners(tokens, words)
    yield from matches(plain, PACKAGE, "plain", settings())
    yield from matches(text, PACKAGE, "worded")
    foreign = [word for word in tokens if word in settings()["foreign"]]
    if len(foreign) > 1:
        yield "other_language", f"{foreign[0]!r} and {foreign[1]!r} are from another language"
    yield from _numbers(tokens, words)
    if tokens[0] in ("and", "but", "or", "so", "because"):
        yield "opening", f"sentence1 begins with {tokens[0]!r}"
    # "A reader leafs through a book" has no plural.
    verbal = {first for first, after in pairwise(tokens) if after in ("through", "the", "about")}
    uncounted = [word for word in tokens if word in settings()["no_plural"] - verbal]
    if uncounted:
        yield "no_plural", f"there is no plural {uncounted[0]!r}"


def _owners(tokens: Sequence[str], words: EnglishWords) -> Iterator[tuple[str, str]]:
    """Yield `it's`, `you're` and `there` before a noun, where a possessive is meant."""
    for place in range(len(tokens) - 1):
        first, second = tokens[place], tokens[place + 1]
        meant = _OWNERS.get(first)
        if not meant:
            continue
        noun = "NOUN" in words.classes(second) and not words.is_participle(second)
        if not noun or {"ADJ", "ADV"} & set(words.classes(second)):
            continue
        owned = place > 0 and place + 2 == len(tokens)
        if owned or (first == "there" and words.is_plural(second)):
            yield "confused_word", f"'{first} {second}': {meant!r} may be meant"


def _numbers(tokens: Sequence[str], words: EnglishWords) -> Iterator[tuple[str, str]]:
    """Yield determiners that disagree in number with their noun, and double comparatives."""
    for place in range(len(tokens) - 1):
        first, second = tokens[place], tokens[place + 1]
        last = tokens[place + 2 : place + 3] == [] or tokens[place + 2] in _AFTER
        if first in ("more", "most") and (second in _COMPARED or words.is_compared(second)):
            yield "compared_twice", f"'{first} {second}'"
        if first == "to" and _third_person(second, words):
            yield "verb_form", f"'to {second}' needs the plain form of the verb"
        if "NOUN" not in words.classes(second) or second in ("who", "that", "which"):
            continue
        alone = "ADJ" not in words.classes(second) and not words.is_verb_form(second)
        if first == "less" and words.is_plural(second) and last:
            yield "determiner", f"'{first} {second}': 'fewer' may be meant"
        mass = first in ("many", "fewer") and second in settings()["mass"]
        ends = place + 2 == len(tokens) and second not in NUMBERS and not words.is_verb_form(second)
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
    """Return whether a word is a verb in the third person and not a plural noun."""
    verb = word.removesuffix("s")
    return verb != word and words.is_verb_form(word) and "NOUN" not in words.classes(verb)


def _many(noun: str, words: EnglishWords) -> bool:
    return words.is_plural(noun) or noun.endswith("s") or noun in settings()["several"]
