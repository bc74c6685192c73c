"""Wrong words in ADEPT pairs, found by lists and a dictionary."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol

from plausibly.datasets.adept.nonsubsective import shipped_nonsubsective
from plausibly.datasets.lexica.english import like_superlative, word_lists
from plausibly.datasets.lexica.language import language
from plausibly.datasets.lexica.profanity import own_list

PACKAGE = "plausibly.proofreading.pairs"
_WORD = re.compile(r"[\w'-]+")
_ONE = re.compile(r"(?<![\w'-])an? ([^\s,.;:!?]+)", re.IGNORECASE)
_TWICE = re.compile(r"\b([a-z]+) \1\b", re.IGNORECASE)
# Endings of profane modifiers; adjectives that a dictionary may list only as verbs.
_ENDINGS = ("", "s", "y", "ed", "ing", "ish", "ty", "ting")
_HISSED = ("ches", "shes", "sses", "xes", "zes")
_HARMLESS = frozenset({"spicy", "cocky", "pricked"})
_VERB_LIKE = ("ate", "ete", "ect", "wed", "sic")
# Prefixes and suffixes of rare words, which are therefore not misspellings of others.
_BEFORE = ("anti", "in", "inter", "non", "over", "pre", "sub", "super", "un")
_AFTER = ("able", "al", "ary", "ed", "ic", "ish", "ive", "less", "like", "ous", "y")
# Suffixes that nearly any word can take.
_FREELY = ("able", "less", "like")
# Adverbs that modify nouns though dictionaries do not list them as adjectives.
_OF_TIME = frozenset({"hourly", "fortnightly", "multiply"})
# Endings of adjectives that a dictionary lacks.
_OF_ADJECTIVES = (
    *("able", "ac", "aic", "al", "an", "ant", "ar", "ary", "ate", "bound", "ed", "en", "ent"),
    *("ern", "ese", "esque", "fold", "free", "ful", "ible", "ic", "id", "ile", "ine", "ing", "ish"),
    *("ive", "less", "like", "most", "oid", "ory", "ose", "ous", "proof", "some", "ward", "wide"),
    *("wise", "worthy", "y"),
)
_SAID_TWICE = frozenset({"very", "so", "much", "had", "that", "bye", "ha"})


def settings() -> Mapping[str, Any]:
    """Return the word lists used by the checks of pairs."""
    return word_lists(PACKAGE)


class EnglishWords(Protocol):
    """A dictionary of English words."""

    def is_word(self, word: str) -> bool:
        """Return whether a word exists."""
        ...

    def is_unseen(self, word: str) -> bool:
        """Return whether a word is in no dictionary and in no text."""
        ...

    def is_noun_alone(self, word: str) -> bool:
        """Return whether a word is a noun but not an adjective."""
        ...

    def is_bare_verb(self, word: str) -> bool:
        """Return whether a word is a verb in its plain form and nothing else."""
        ...

    def classes(self, word: str) -> Collection[str]:
        """Return the classes of a word: NOUN, VERB, ADJ, ADV, ...; none if it is unknown."""
        ...

    def is_verb_form(self, word: str) -> bool:
        """Return whether a word is an inflected form of a verb."""
        ...

    def is_participle(self, word: str) -> bool:
        """Return whether a word is a participle of a verb."""
        ...

    def is_compared(self, word: str) -> bool:
        """Return whether a word is an inflected adjective in -er or -est."""
        ...

    def meant(self, word: str) -> str:
        """Return the intended word of a misspelling; empty for a word that may be right."""
        ...

    def is_plural(self, word: str) -> bool:
        """Return whether a word is the plural of a noun and not also a singular noun."""
        ...

    def other_language(self, word: str) -> str:
        """Return the language of a word that is not English; empty for an English word."""
        ...


def wrong_words(
    rows: Sequence[Mapping[str, str]], words: EnglishWords | None
) -> Iterator[tuple[int, str, str]]:
    """Yield idx, kind and message of the wrong words in pairs."""
    profane, listed = own_list().words, shipped_nonsubsective()
    offences = {word: _profane(word, profane) for word in _all_words(rows)}
    for row in rows:
        idx, modifier = int(row["idx"]), row["modifier"].casefold()
        offence = _offence(modifier, profane)
        if offence:
            yield (idx, "offensive_modifier", f"{modifier!r} is {offence}")
        for word in _WORD.findall(row["sentence1"].casefold()):
            if offence := offences[word]:
                yield (idx, "offensive_word", f"{word!r} is {offence}")
        if words is None:
            continue
        if modifier in settings()["predicative"]:
            yield (idx, "predicative_modifier", f"{modifier!r} cannot precede a noun")
        if modifier not in listed:
            yield from ((idx, *one) for one in _strange_modifier(modifier, words))
        yield from ((idx, *one) for one in _strange_sentence(row, words))


def _all_words(rows: Sequence[Mapping[str, str]]) -> set[str]:
    return {word for row in rows for word in _WORD.findall(row["sentence1"].casefold())}


def _profane(word: str, profane: Mapping[str, str]) -> str:
    """Return what is profane in a word or in its lemma."""
    ends = ("", "s", "ed", "ing", "in", "'s", *(("es",) if word.endswith(_HISSED) else ()))
    stems = (word.removesuffix(end) for end in ends)
    return next((profane[stem] for stem in stems if stem in profane), "")


def _offence(modifier: str, profane: Mapping[str, str]) -> str:
    if modifier in _HARMLESS:
        return ""
    cut = [modifier.removesuffix(end) for end in _ENDINGS if modifier.endswith(end)]
    doubled = [stem[:-1] for stem in cut if len(stem) > 3 and stem[-1] == stem[-2]]
    stems = [*cut, *doubled, *(f"{stem}e" for stem in cut)]
    return next((profane[stem] for stem in stems if stem in profane), "")


def _strange_modifier(modifier: str, words: EnglishWords) -> Iterator[tuple[str, str]]:
    classes = words.classes(modifier)
    if modifier in settings()["name"]:
        yield "unlisted_modifier", f"{modifier!r} is a name"
    elif words.is_noun_alone(modifier) and modifier not in settings()["rare_adjective"]:
        yield "noun_modifier", f"{modifier!r} is a noun"
    elif set(classes) == {"ADV"} and modifier not in _OF_TIME:
        yield "adverb_modifier", f"{modifier!r} is an adverb"
    elif words.is_bare_verb(modifier) and not modifier.endswith(_VERB_LIKE):
        yield "verb_modifier", f"{modifier!r} is a verb"
    elif modifier.isalpha() and words.is_unseen(modifier) and not _seldom(modifier, words):
        yield "unknown_word", f"the modifier {modifier!r} is not a word"
    elif _misspelt(modifier, words):
        yield "unknown_word", f"the modifier {modifier!r} ({words.meant(modifier)}) is not a word"
    elif words.is_compared(modifier) or like_superlative(modifier):
        yield "compared_modifier", f"{modifier!r} is a comparative or superlative"
    elif "ADJ" not in classes and classes:
        yield from _other_class(modifier, words)
    elif not classes and modifier.isalpha() and not _may_be_adjective(modifier, words):
        yield "unlisted_modifier", f"no dictionary lists {modifier!r} as an adjective"


def _misspelt(modifier: str, words: EnglishWords) -> bool:
    """Check if a rare modifier stands for a frequent one; the first letter is seldom wrong."""
    alike = words.meant(modifier)[:1] == modifier[:1]
    return alike and modifier.isalpha() and not _made_up(modifier, words)


def _other_class(modifier: str, words: EnglishWords) -> Iterator[tuple[str, str]]:
    if words.is_verb_form(modifier) and _is_finite(modifier, words):
        yield "verb_modifier", f"{modifier!r} is a verb"
    elif words.is_plural(modifier):
        yield "noun_modifier", f"{modifier!r} is a noun"


def _is_finite(modifier: str, words: EnglishWords) -> bool:
    """Return whether a form of a verb is finite and not a participle."""
    regular = modifier.endswith(("ed", "en", "lt", "rnt", "ing"))
    return modifier.endswith("s") or not (regular or words.is_participle(modifier))


def _may_be_adjective(modifier: str, words: EnglishWords) -> bool:
    known = modifier in settings()["rare_adjective"] or modifier in language("en").proper
    return known or modifier.endswith(_OF_ADJECTIVES) or _made_up(modifier, words)


def _seldom(modifier: str, words: EnglishWords) -> bool:
    """Return whether a word found in no text is still a word: `overfamiliar`, not `tablish`."""
    return modifier in settings()["rare_adjective"] or _made_up(modifier, words, ends=_FREELY)


def _made_up(modifier: str, words: EnglishWords, *, ends: Sequence[str] = _AFTER) -> bool:
    """Return whether a rare word is a known one with a prefix or suffix."""
    after = (modifier.removesuffix(end) for end in ends if modifier.endswith(end))
    stems = [form for stem in after for form in (stem, f"{stem}e")]
    stems += [modifier.removeprefix(start) for start in _BEFORE if modifier.startswith(start)]
    return any(
        (len(stem) > 3 and words.classes(stem)) or (len(stem) > 6 and words.is_word(stem))
        for stem in stems
    )


def _strange_sentence(row: Mapping[str, str], words: EnglishWords) -> Iterator[tuple[str, str]]:
    strange = _unknown(row, words)
    if strange:
        yield "unknown_word", f"{strange!r} is not a word"
    elif foreign := _foreign(row, words):
        yield "other_language", foreign
    twice = _TWICE.search(row["sentence1"])
    if twice is not None and not _both_ways(twice[1].casefold(), words):
        yield "word_twice", f"{twice[0]!r}: the same word twice"
    noun = row["noun"].casefold()
    one = next(
        (found for found in _ONE.finditer(row["sentence1"]) if found[1].casefold() == noun), None
    )
    single = noun.removesuffix("s")
    many = not words.classes(noun) and single != noun and "NOUN" in words.classes(single)
    if one is not None and (many or words.is_plural(noun)):
        yield "article_before_plural", f"{one[0]!r}: an article before a plural"


def _foreign(row: Mapping[str, str], words: EnglishWords) -> str:
    for place, word in enumerate(_WORD.findall(row["sentence1"])):
        plain, name = word.casefold(), word[:1].isupper() and place > 0
        judged = len(plain) > 2 and not name and plain.isalpha() and not words.classes(plain)
        if judged and (spoken := words.other_language(plain)):
            return f"{word!r} is a word of {spoken}"
    return ""


def _both_ways(word: str, words: EnglishWords) -> bool:
    """Return whether a word may follow itself: as an intensifier, or as verb and object in -s."""
    doing = word.endswith("s") and {"NOUN", "VERB"} <= set(words.classes(word))
    return word in _SAID_TWICE or doing


def _unknown(row: Mapping[str, str], words: EnglishWords) -> str:
    """Return the first unknown word that is in both sentences; names are not judged."""
    second = set(_WORD.findall(row["sentence2"].casefold()))
    for place, word in enumerate(_WORD.findall(row["sentence1"])):
        plain = word.casefold().removesuffix("'s").strip("'-")
        name = word[:1].isupper() and place > 0
        if not plain.isascii() or not plain.isalpha() or name or len(plain) < 4:
            continue
        if plain in second and not words.is_word(plain):
            return str(word)
        if plain in second and words.meant(plain):
            return f"{word} ({words.meant(plain)})"
    return ""
