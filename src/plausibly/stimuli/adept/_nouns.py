"""Noun phrases of bare predicates: puts articles back, or gives the reason why it cannot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from plausibly.datasets.adept.articles import article_by_sound
from plausibly.datasets.lexica.english import like_gerund, like_past
from plausibly.datasets.lexica.usage import usage
from plausibly.stimuli.adept.lexicon import Lexicon, settings

HEDGES = frozenset({"very", "quite", "often", "usually", "sometimes", "always", "generally", "too"})
_JOINING = frozenset({"", "and", "or", "as", "than"})
# Nouns that take "of" and a thing without an article.
KINDS = frozenset({"kind", "type", "sort", "form", "kinds", "types", "sorts", "forms"})
# Before a noun without an article, a word is a verb if a larger share of its uses is verbal.
VERB = 0.7
# A word is a noun if a larger share of its uses than this is nominal.
NOUN = 0.6


class NounRefusal(NamedTuple):
    """Why a predicate does not become a sentence."""

    rule: str
    reason: str


def with_articles(words: Sequence[str], lexicon: Lexicon) -> list[str] | NounRefusal:
    """Return the words with an article before each bare singular that needs one.

    A noun phrase is a run of words between prepositions; it gets an article if its last word is
    a countable singular noun without a determiner. If that is uncertain, the predicate is
    refused.
    """
    worded: list[str] = []
    for before, run in _runs(words):
        of_a_kind = before == "of" and worded[-1:] and worded[-1] in KINDS  # "a type of product"
        made = run if of_a_kind else _phrase(run, lexicon, after=before)
        if isinstance(made, NounRefusal):
            return made
        worded += [before, *made] if before else made
    return worded


def _runs(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the words between prepositions, each run with the preposition before it."""
    before, run = "", list[str]()
    for word in words:
        if word in settings()["preposition"]:
            if before or run:
                yield before, run
            before, run = word, []
        else:
            run.append(word)
    yield before, run


def _phrase(run: Sequence[str], lexicon: Lexicon, *, after: str) -> list[str] | NounRefusal:
    if not run or run[0] in settings()["determiner"] or run[0] in HEDGES:
        return list(run)
    refused = _verb_within(run, lexicon, after=after) if lexicon.judges else None
    if refused is not None:
        return refused
    if len(run) > 1 and _verbal(run[0], lexicon, after=after):
        rest = _phrase(run[1:], lexicon, after="")
        return rest if isinstance(rest, NounRefusal) else [run[0], *rest]
    if len(run) > 1 and _adverb(run[-1]):
        rest = _phrase(run[:-1], lexicon, after=after)
        return rest if isinstance(rest, NounRefusal) else [*rest, run[-1]]
    place = len(run) - 1
    if lexicon.share(run[-1], "adjective") > 0.5:
        if len(run) == 1 and after not in _JOINING and lexicon.judges:
            return NounRefusal("no_thing", f"{run[0]!r} after {after!r} is an adjective")
        if len(run) == 2:
            place = 0  # "keep head warm"
    return _with_article(run, place, lexicon)


def _verb_within(run: Sequence[str], lexicon: Lexicon, *, after: str) -> NounRefusal | None:
    """Refuse "make organization run", where the article is uncertain, and "to sheared"."""
    if after == "to" and len(run) == 1 and like_past(run[0]):
        return NounRefusal("no_verb", f"'to {run[0]}' is not a plain verb")
    for place, (noun, verb) in enumerate(pairwise(run), start=2):
        plain = not like_gerund(verb) and not like_past(verb)
        compound = verb in usage().nouns and place == len(run)  # "phone call"
        bare = lexicon.share(noun, "noun") > NOUN and _needs_article(noun, lexicon)
        if lexicon.share(verb, "verb") > VERB and plain and bare and not compound:
            return NounRefusal("doubtful_article", f"{noun!r} before the verb {verb!r}")
    return None


def _with_article(run: Sequence[str], place: int, lexicon: Lexicon) -> list[str] | NounRefusal:
    """Return the run with an article if the noun at this place needs one."""
    noun = run[place]
    refused = _doubtful(run, place, lexicon) if lexicon.judges else None
    if refused is not None:
        return refused
    if noun in settings()["definite"]:
        return ["the", *run]
    if not _needs_article(noun, lexicon):
        return list(run)
    if place and run[0] in settings()["no_adjective"]:
        return NounRefusal("doubtful_article", f"{run[0]!r} does not follow an article")
    return [article_by_sound(run[0]), *run]


def _needs_article(noun: str, lexicon: Lexicon) -> bool:
    if noun in settings()["bare"] or noun in settings()["function"] or _no_singular(noun, lexicon):
        return False
    countable = lexicon.countable(noun)
    # Few counts cannot show that a word is a noun, but Wikipedia may have counted it as one.
    known = noun in lexicon.language.collective or (not lexicon.judges and noun in usage().nouns)
    if lexicon.share(noun, "noun") <= NOUN and not known:
        return False
    return countable is True or (countable is None and not like_gerund(noun))


def _doubtful(run: Sequence[str], place: int, lexicon: Lexicon) -> NounRefusal | None:
    """Return why it is uncertain whether a noun needs an article, if it is."""
    noun = run[place]
    if any(lexicon.is_plural(word) for word in run[:place]):
        return NounRefusal("two_nouns", f"a plural before {noun!r}")
    settled = noun in settings()["definite"] or noun in settings()["function"]
    if settled or _no_singular(noun, lexicon):
        return None
    if noun in settings()["bare"]:
        doubt = place > 0  # "last a long time"
    elif lexicon.share(noun, "noun") <= NOUN and noun not in lexicon.language.collective:
        strange = not _describes(noun, lexicon)
        return NounRefusal("doubtful_noun", f"{noun!r} may not be a noun") if strange else None
    else:
        doubt = lexicon.countable(noun) is None and not like_gerund(noun)
    return NounRefusal("doubtful_article", f"{noun!r} may not need an article") if doubt else None


def _describes(word: str, lexicon: Lexicon) -> bool:
    participle = word in settings()["participle"]
    return participle or like_gerund(word) or lexicon.share(word, "adjective") > 0.5


def _no_singular(noun: str, lexicon: Lexicon) -> bool:
    return lexicon.is_plural(noun) or like_past(noun) or noun.endswith("ly")


def _adverb(word: str) -> bool:
    return word in settings()["adverb"] or word.endswith("ly")


def _verbal(word: str, lexicon: Lexicon, *, after: str) -> bool:
    """Return whether a run begins with a verb (`to eat`, `help people grow`), not with a noun."""
    if is_gerund(word, lexicon):
        # A verb without an object makes a compound: "dining room".
        return lexicon.transitive(verb_of(word, lexicon)) is not False
    return lexicon.share(word, "verb") > (0.05 if after == "to" else VERB)


def is_gerund(word: str, lexicon: Lexicon) -> bool:
    """Return whether a word is the gerund of a known verb."""
    if not like_gerund(word):
        return False
    return verb_of(word, lexicon) != word or not lexicon.judges


def verb_of(gerund: str, lexicon: Lexicon) -> str:
    """Return the verb of a gerund; the word itself if the counts have no such verb."""
    stems = (gerund[:-3], f"{gerund[:-3]}e", gerund[:-4])
    return next((stem for stem in stems if stem in lexicon.uses["verb"]), gerund)
