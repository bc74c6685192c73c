"""Sentences of ADEPT pairs that need another form of a word, or another word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from plausibly.datasets.lexica.language import language
from plausibly.datasets.lexica.usage import usage
from plausibly.proofreading.pairs._clauses import FINITE, OPENING, is_plain, is_third
from plausibly.proofreading.pairs._words import EnglishWords, settings

_ONE_OF = frozenset({"a", "an", "one", "each", "every", "another"})
_OWNERS = frozenset({"your", "my", "his", "its", "our", "their", "you're", "they're"})
# Verbs of states, without a progressive form: "has", never "is having".
_STATES = frozenset(
    {
        *("having", "containing", "knowing", "wanting", "needing", "belonging", "owning"),
        *("consisting", "meaning", "costing", "seeming", "liking", "believing", "hating"),
    }
)
# Words that need a complement: for what, of what or how.
_UNFINISHED = frozenset({"used", "made", "called", "considered", "named", "supposed", "able"})
# Counts of a verb from which on its uses as a noun, if any, would have been seen.
_SEEN = 15

Remarks = Iterator[tuple[str, str]]
Words = Sequence[str]


def wanting(noun: str, tokens: Words, words: EnglishWords) -> Remarks:
    """Yield kind and message of what a sentence lacks, or has in the wrong form.

    Args:
        noun: Its noun.
        tokens: Its words, in lower case.
        words: A dictionary.
    """
    if len(tokens) < 3:
        return
    first, second, third = tokens[:3]
    if first in _ONE_OF and second == noun and not words.is_plural(noun):
        yield from _of_one(noun, tokens, words)
    if first in _OWNERS and second != noun and is_plain(second, words) and third in OPENING:
        yield "determiner", f"'{first} {second} {third}': a verb needs a subject"
    yield from _ends(tokens, words)
    if any(two == ("used", "of") for two in pairwise(tokens)):
        yield "preposition", "'used of': 'for' may be meant"


def _of_one(noun: str, tokens: Words, words: EnglishWords) -> Remarks:
    """Find what cannot follow a singular noun: `A cat drink milk.`, `A car red is fast.`."""
    verb, rest = tokens[2], tokens[3:]
    after = rest[0] if rest else ""
    if verb == "is" and after in _STATES and len(rest) > 1:
        yield "verb_form", f"'{noun} is {after}': a state has no progressive form"
    listed = verb in FINITE or verb in settings()["preposition"] or verb in settings()["adverb"]
    if listed or not words.classes(verb):
        return
    described = {"ADJ", "ADV"} & set(words.classes(verb)) == {"ADJ"}
    if described and after in ("is", "has", "was") and len(rest) > 1:
        yield "no_verb", f"'{noun} {verb}': an adjective after its noun"
    may_be = is_plain(verb, words) and not words.is_participle(verb) and not verb.endswith("ly")
    if may_be and rest and not any(_may_be_verb(word, words) for word in rest):
        yield "verb_form", f"'{noun} {verb}' needs the singular form of the verb"


def _may_be_verb(word: str, words: EnglishWords) -> bool:
    """Return whether a word may be the verb of a singular subject."""
    form = words.is_verb_form(word) and not word.endswith("ing")
    return word in FINITE or word.endswith("n't") or is_third(word, words) or form


def _ends(tokens: Words, words: EnglishWords) -> Remarks:
    before, last = tokens[-2:]
    if last in _UNFINISHED and before in ("is", "are", "was", "were"):
        yield "cut_off", f"sentence1 ends with '{before} {last}'"
    uses = sum(usage().verbs.get(last, (0,)))
    hardly = uses >= _SEEN and last not in usage().nouns and last not in language("en").mass
    plain = is_plain(last, words) and not words.is_participle(last)
    if before == "for" and plain and hardly and "ADJ" not in words.classes(last):
        yield "bare_verb", f"'for {last}' needs a form in -ing"
