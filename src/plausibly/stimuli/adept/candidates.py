"""Which assertions can become ADEPT sentences, and which adjectives modify their nouns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import polars as pl

from plausibly.datasets.adept.nonsubsective import SUBSECTIVE
from plausibly.datasets.lexica.english import cased, like_superlative, simpler
from plausibly.datasets.lexica.identity import IdentityTerms
from plausibly.ports import SILENCE, Watch
from plausibly.stimuli.adept._nouns import NounRefusal
from plausibly.stimuli.adept._phrases import MOST_WORDS, sentence
from plausibly.stimuli.adept._surface import declarative
from plausibly.stimuli.adept.lexicon import Lexicon, settings
from plausibly.stimuli.ledger import Sieve, sieve

PAIR_COUNTS = {"noun": pl.String(), "adjective": pl.String(), "count": pl.Int64()}
AMOD = """
SELECT noun, adjective, CAST(sum(count) AS BIGINT) AS count FROM (
  SELECT :corpus head AS noun, dependent AS adjective, CAST(sum(count) AS BIGINT) AS count
  FROM counts
  WHERE relation = 'amod'
  GROUP BY :corpus head, dependent
  HAVING sum(count) >= :min_count
) often
GROUP BY noun, adjective
ORDER BY noun, adjective
"""
"""Nouns with the adjectives that modify them often enough, in one corpus if there are several."""

ALL_PAIRS = """
SELECT CAST(count(*) AS BIGINT) AS pairs FROM (
  SELECT head, dependent FROM counts WHERE relation = 'amod' GROUP BY head, dependent
) every
"""
"""How many distinct pairs of noun and adjective there are."""

ADJECTIVE_RULES = ("profane_word", "identity", "capitalised", "no_word", "no_adjective")
ASSERTION_RULES = (
    *("not_one_word", "function_word", "few_adjectives", "no_noun", "profane_word", "odd_letters"),
    *("too_long", "noun_repeated", "no_plain_statement", "dangling", "unknown_word"),
    *("no_statement", "negated", "modal_left", "no_verb", "no_property", "two_properties"),
    *("no_participle", "no_thing", "no_use", "no_object", "odd_object", "two_nouns"),
    *("doubtful_noun", "doubtful_article"),
)
"""The checks an assertion must pass to become a sentence, in order."""

REPORTED_EVERY = 1000
_LETTERS = re.compile(r"[a-z]+(?:-[a-z]+)*")
_PREDICATE = re.compile(r"[a-z]+(?:['-][a-z]+)*(?: [a-z]+(?:['-][a-z]+)*)*")


@dataclass(frozen=True, slots=True)
class Assertion:
    """One assertion that makes a sentence."""

    name: str
    relation: str
    noun: str
    lemma: str
    predicate: str
    sentence: str
    surface: str | None
    dataset: str | None


@dataclass(frozen=True, slots=True)
class Adjectives:
    """What modifies each noun.

    Args:
        of: Counts by noun lemma and adjective, the adjective in its most frequent case.
        non_subsective: The class of each non-subsective adjective.
        sieve: The pairs of noun and adjective, those left out with the reason.
        identity: Which adjectives group people.
        mode: What to do with such pairs: move them to the ledger (`apart`), annotate them `with`
            the others, or annotate `only` them.
    """

    of: Mapping[str, Mapping[str, int]]
    non_subsective: Mapping[str, str]
    sieve: Sieve = field(repr=False)
    identity: IdentityTerms
    mode: str = "apart"

    def stratum(self, adjective: str, noun: str) -> str:
        """Return `identity` if an adjective groups the people a noun denotes, else `plain`."""
        return "identity" if self.identity.groups(adjective, noun) else "plain"

    def kind(self, adjective: str) -> str:
        """Return the class of an adjective: as listed, or subsective."""
        return self.non_subsective.get(adjective.casefold(), SUBSECTIVE)


def adjectives_of(
    pairs: pl.DataFrame,
    *,
    nouns: Iterable[str],
    non_subsective: Mapping[str, str],
    profane: Mapping[str, str],
    lexicon: Lexicon,
    people: tuple[IdentityTerms, str],
) -> Adjectives:
    """Return the adjectives of the nouns that assertions are about.

    Args:
        pairs: noun, adjective, count, each pair often enough.
        nouns: Starts of assertions; a noun counts in the singular and in the plural.
        non_subsective: The class of each non-subsective adjective.
        profane: Words to leave out, with the kind of offence; and phrases of adjective and noun,
            with the reason.
        lexicon: Distinguishes adjectives from other words.
        people: Which adjectives group people, and what to do with such pairs.
    """
    wanted = {form for noun in nouns for form in simpler(noun)}
    folded = pairs.with_columns(
        pl.col("noun").str.to_lowercase(), key=pl.col("adjective").str.to_lowercase()
    ).filter(pl.col("noun").is_in(wanted))
    often = pl.col("adjective").sort_by("count", "adjective", descending=[True, False]).first()
    summed = folded.group_by("noun", "key").agg(often, pl.col("count").sum())
    summed = summed.sort("noun", "key")
    terms, mode = people
    judge = _Judge(non_subsective, profane, lexicon, terms, mode)
    judged = [
        judge.refusal(noun, key, cased(adjective, lexicon.language))
        for noun, key, adjective in summed.select("noun", "key", "adjective").iter_rows()
    ]
    pairs_left = sieve(summed, candidate=pl.format("amod|{}|{}", "noun", "adjective")).sift(
        judged, rules=ADJECTIVE_RULES
    )
    of: dict[str, dict[str, int]] = {noun: {} for noun in summed["noun"]}
    for noun, adjective, count in pairs_left.kept.select("noun", "adjective", "count").iter_rows():
        of[noun][cased(adjective, lexicon.language)] = count
    return Adjectives(of, non_subsective, pairs_left, terms, mode)


@dataclass(frozen=True, slots=True)
class _Judge:
    """Decides which adjectives may precede which nouns."""

    listed: Mapping[str, str]
    profane: Mapping[str, str]
    lexicon: Lexicon
    terms: IdentityTerms
    mode: str

    def refusal(self, noun: str, word: str, written: str) -> NounRefusal | None:
        """Return why an adjective, in its written form, may not precede a noun."""
        offence = self.profane.get(f"{word} {noun}")
        if word in self.profane or offence:
            reason = offence or f"in the list ({self.profane[word]})"
            return NounRefusal("profane_word", reason)
        if word in self.listed:
            return None
        if self.terms.groups(word, noun):
            apart = NounRefusal("identity", f"{written!r} groups people before {noun!r}")
            return apart if self.mode == "apart" else None
        if written[:1].isupper():
            return NounRefusal("capitalised", f"{written!r} is a name, a people or a creed")
        if not _LETTERS.fullmatch(word) or len(word) < 3:
            return NounRefusal("no_word", "not only letters, or fewer than three")
        other = _other_word(word, self.lexicon)
        return NounRefusal("no_adjective", other) if other else None


def _other_word(word: str, lexicon: Lexicon) -> str:
    """Return why a word does not describe nouns, empty if it does."""
    if word in settings()["no_adjective"]:
        return "does not describe a noun"
    if word in settings()["ordinal"]:
        return ""
    if like_superlative(word):
        return "a superlative, which needs 'the'"
    if lexicon.judges and lexicon.share(word, "adjective") < 0.5:
        return "mostly something else in the counts"
    asked = lexicon.is_adjective if word not in lexicon.language.proper else None
    return "not a plain adjective in the dictionary" if asked and not asked(word) else ""


def candidates(
    assertions: pl.DataFrame,
    adjectives: Adjectives,
    lexicon: Lexicon,
    *,
    profane: Mapping[str, str],
    at_least: int = 4,
    watch: Watch = SILENCE,
) -> Iterator[tuple[str, Assertion | NounRefusal]]:
    """Yield every assertion by name, as a candidate or with the reason why it is not one.

    Args:
        assertions: relation, start, end, surface, dataset.
        adjectives: What modifies each noun.
        lexicon: Facts about words.
        profane: Words to leave out, with the kind of offence.
        at_least: Adjectives a noun needs.
        watch: Receives the progress.
    """
    watch.begin("assertions", assertions.height)
    for place, (relation, start, end, surface, dataset) in enumerate(
        assertions.select("relation", "start", "end", "surface", "dataset").iter_rows(), start=1
    ):
        if place % REPORTED_EVERY == 0 or place == assertions.height:
            watch.advance(place % REPORTED_EVERY or REPORTED_EVERY)
        name = f"{relation}|{start}|{end}"
        noun, predicate = start.casefold(), end.casefold()
        refused = _noun(noun, adjectives, lexicon, at_least) or _words(
            noun, predicate, lexicon, profane
        )
        if refused is not None:
            yield name, refused
            continue
        worded = (
            sentence(relation, noun, predicate, lexicon)
            if surface is None
            else declarative(surface, noun, lexicon)
        )
        lemma = lemma_of(noun, adjectives, lexicon) or noun
        if isinstance(worded, NounRefusal):
            yield name, worded
        else:
            yield (
                name,
                Assertion(name, relation, noun, lemma, predicate, worded, surface, dataset),
            )


def lemma_of(noun: str, adjectives: Adjectives, lexicon: Lexicon) -> str | None:
    """Return the form of a noun that the counts have: itself, or its singular."""
    if noun in adjectives.of:
        return noun
    forms = [form for form in simpler(noun) if form != noun and form in adjectives.of]
    return next((form for form in forms if lexicon.plural(form) == noun), None)


def _noun(noun: str, adjectives: Adjectives, lexicon: Lexicon, at_least: int) -> NounRefusal | None:
    if not _LETTERS.fullmatch(noun) or len(noun) < 3:
        return NounRefusal("not_one_word", "the start is not one word of letters")
    if noun in settings()["function"] or noun in settings()["determiner"]:
        return NounRefusal("function_word", f"{noun!r} is not a noun")
    lemma = lemma_of(noun, adjectives, lexicon)
    found = len(adjectives.of.get(lemma, {})) if lemma else 0
    if found < at_least:
        return NounRefusal("few_adjectives", f"{found} of {at_least} adjectives in the counts")
    if lexicon.judges and lemma is not None and lexicon.share(lemma, "noun") < 0.5:
        return NounRefusal("no_noun", f"{lemma!r} is mostly something else in the counts")
    return None


def _words(
    noun: str, predicate: str, lexicon: Lexicon, profane: Mapping[str, str]
) -> NounRefusal | None:
    words = predicate.split()
    for word in (noun, *words):
        offence = next((profane[form] for form in simpler(word) if form in profane), None)
        if offence is not None:
            return NounRefusal("profane_word", f"{word!r} is in the list ({offence})")
    if not _PREDICATE.fullmatch(predicate):
        return NounRefusal("odd_letters", "the predicate contains digits, signs or foreign letters")
    if len(words) > MOST_WORDS:
        return NounRefusal("too_long", f"{len(words)} words, at most {MOST_WORDS}")
    if noun in words or any(form in words for form in simpler(noun)):
        return NounRefusal("noun_repeated", f"the predicate repeats {noun!r}")
    return _odd_word(words, lexicon)


def _odd_word(words: list[str], lexicon: Lexicon) -> NounRefusal | None:
    forbidden = next((word for word in words if word in settings()["forbidden"]), None)
    if forbidden is not None:
        return NounRefusal("no_plain_statement", f"the predicate contains {forbidden!r}")
    last = words[-1]
    if last in ("a", "an", "the", *settings()["preposition"] - settings()["particle"]):
        return NounRefusal("dangling", f"the predicate ends in {last!r}")
    if words[0] in settings()["preposition"] or words == ["have"]:
        return NounRefusal("dangling", f"the predicate begins with {words[0]!r} alone")
    unknown = next((word for word in words if not lexicon.knows(word)), None)
    if unknown is not None:
        return NounRefusal("unknown_word", f"{unknown!r} is not in the counts")
    return None
