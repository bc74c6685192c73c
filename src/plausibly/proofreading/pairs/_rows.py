"""Irregularities in one ADEPT pair, found by lists and spelling alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from functools import cache

from plausibly.datasets.adept.articles import BY_SOUND, article_by_sound
from plausibly.datasets.adept.pairs import PUBLISHED, modified
from plausibly.datasets.lexica.language import Language, language
from plausibly.proofreading.matching import matches
from plausibly.proofreading.pairs._words import PACKAGE, settings
from plausibly.proofreading.plain import strange_sign, untidy

# The longest released sentence has 16 words.
LONGEST = 20
_SIGNS = " ,.'-\"/&%$()!?:;`"
_ABBREVIATION = re.compile(r"\b(?:[a-z]\.){2,}", re.IGNORECASE)
_FORM = re.compile(r"[a-z]{2,}|[a-z]+(?:-[a-z]+)+|\d+(?:st|nd|rd|th)", re.IGNORECASE)


def strange_text(row: Row, *, prefixes: Container[str]) -> Iterator[tuple[str, str]]:
    """Yield kind and message of characters foreign to a plain sentence, noun or modifier.

    Args:
        row: sentence1, sentence2, modifier, noun.
        prefixes: Modifiers that may end in a hyphen.
    """
    for name in ("sentence1", "sentence2", "modifier", "noun"):
        text = row[name]
        if odd := strange_sign(text, signs=_SIGNS, ascii_only=True):
            yield "odd_sign", f"{name} has {odd}, which does not belong in a plain text"
            break
        if text != text.strip():
            yield "outer_space", f"{name} has spaces around it"
            break
    modifier = row["modifier"].strip().casefold()
    written = _FORM.fullmatch(modifier) or modifier in prefixes
    prefix = modifier.endswith("-") and modifier.rstrip("-") in prefixes
    if " " not in modifier and not written and not prefix:
        yield "modifier_form", f"{row['modifier']!r} is not written like an adjective"
    yield from _sentence(row["sentence1"])
    noun = row["noun"]
    if noun != noun.casefold() and not (noun.isupper() and len(noun) < 4):
        yield "capital_inside", f"the noun {noun!r} has a capital"


def _sentence(text: str) -> Iterator[tuple[str, str]]:
    plain = _ABBREVIATION.sub("a", text).replace(":", "")
    yield from matches(plain, PACKAGE, "shortened")
    yield from matches(text, PACKAGE, "sentence", settings())
    for kind, what in untidy(plain):
        if kind not in ("word_twice", "space_before_sign"):
            yield kind, f"sentence1 {what}"
    if text.count("(") != text.count(")") or text.count('"') % 2 or text.startswith(('"', "(")):
        yield "unbalanced", "sentence1 has an unbalanced bracket or quotation mark"
    words = text.split()
    if len(words) > LONGEST:
        yield "long_sentence", f"sentence1 has {len(words)} words"
    if len(words) < 2:
        yield "fragment", "sentence1 is not a sentence"


MODALS = ("might", "may", "can", "could", "must", "will", "would", "should", "shall")
FUNCTION_WORDS = frozenset(
    {
        *("a", "an", "the", "this", "that", "these", "those", "some", "any", "one", "ones"),
        *("to", "of", "in", "on", "at", "by", "for", "with", "from", "and", "or", "but", "not"),
        *("i", "you", "he", "she", "it", "we", "they", "is", "are", "be"),
    }
)
NUMBERS = frozenset(
    {
        *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
        *("twelve", "twenty", "thirty", "forty", "fifty", "hundred", "thousand", "million"),
    }
)
_ARTICLE = re.compile(r"(?<![\w'-])(an?)\s+([\w'-]+)", re.IGNORECASE)
# Endings of singular nouns: gas, glass, bus, basis, physics.
_NO_PLURAL = ("as", "ss", "us", "is", "ics", "ews")
_WORD = re.compile(r"[\w'-]+")

_PLURAL_VERB = re.compile(r"an? ([\w'-]+) (?:have|are|were|do)\b", re.IGNORECASE)

Row = Mapping[str, str]


def follows(row: Row) -> bool:
    """Return whether the second sentence follows from the first by either rule."""
    made = (
        modified(row["sentence1"], noun=row["noun"], modifier=row["modifier"], rule=rule)
        for rule in (PUBLISHED, BY_SOUND)
    )
    return row["sentence2"] in made


def irregular(row: Row, *, exact: bool) -> Iterator[tuple[str, str]]:
    """Yield kind and message of each irregularity in a pair, exact or not."""
    if not exact:
        yield "not_by_rule", f"sentence2 is not sentence1 with {row['modifier']!r} before the noun"
    for kind, finds in FINDERS.items():
        message = finds(row)
        if message is not None:
            yield kind, message


def _lower_case_start(row: Row) -> str | None:
    low = [name for name in ("sentence1", "sentence2") if row[name][:1].islower()]
    return f"{low[0]} begins with a lower-case letter" if low else None


def _singular_with_plural_verb(row: Row) -> str | None:
    found = _PLURAL_VERB.match(row["sentence1"])
    if found is None or found[1].casefold() != row["noun"].casefold():
        return None
    return f"{found[0]!r}: a singular with a plural verb"


def _noun_inside_word(row: Row) -> str | None:
    text, noun = row["sentence1"].casefold(), row["noun"].casefold()
    first = text.find(noun)
    if first < 0:
        return None
    around = text[max(first - 1, 0) : first] + text[first + len(noun) :][:1]
    if not any(one.isalnum() or one in "_-" for one in around):
        return None
    return f"the noun {row['noun']!r} is first found inside a longer word"


def _no_noun(row: Row) -> str | None:
    if row["noun"].casefold() in row["sentence1"].casefold():
        return None
    return f"the noun {row['noun']!r} is not in sentence1"


def _noun_function_word(row: Row) -> str | None:
    noun = row["noun"].casefold()
    if noun not in FUNCTION_WORDS | NUMBERS | settings()["no_noun"] and not _letter(noun):
        return None
    return f"{row['noun']!r} is {'a letter' if _letter(noun) else 'not a noun'}"


def _letter(noun: str) -> bool:
    return len(noun) == 1 and noun.isalpha()


def _modifier_function_word(row: Row) -> str | None:
    if row["modifier"].casefold() not in settings()["closed"]:
        return None
    return f"{row['modifier']!r} is not an adjective"


def _modifier_words(row: Row) -> str | None:
    return f"{row['modifier']!r} is more than one word" if " " in row["modifier"].strip() else None


def _modifier_capital(row: Row) -> str | None:
    modifier = row["modifier"]
    if not modifier[:1].isupper() or modifier.casefold() in _english().proper:
        return None
    return f"{modifier!r} has a capital, like a name"


def _noun_number(row: Row) -> str | None:
    number = re.fullmatch(r"\d+(?:st|nd|rd|th|s)?", row["noun"].strip().casefold())
    return f"{row['noun']!r} is a number" if number else None


def _articles(sentence: str) -> list[str]:
    return [
        f"{found[1]} {found[2]}"
        for found in _ARTICLE.finditer(sentence)
        if found[1].lower() != article_by_sound(found[2])
        and not (found[2].isupper() and len(found[2]) > 1)
        and found[2].casefold() not in FUNCTION_WORDS
    ]


def _article_in_original(row: Row) -> str | None:
    wrong = _articles(row["sentence1"])
    return f"{wrong[0]!r} sounds wrong in sentence1" if wrong else None


def _article_before_modifier(row: Row) -> str | None:
    modifier = row["modifier"].casefold()
    before = [
        found[1]
        for found in _ARTICLE.finditer(row["sentence2"])
        if row["sentence2"][found.start(2) :].casefold().startswith(modifier)
        and found[2].casefold() in (modifier, modifier.partition(" ")[0])
    ]
    if not before or before[0].lower() == article_by_sound(row["modifier"]):
        return None
    return f"'{before[0]} {row['modifier']}' sounds wrong in sentence2"


def _modal_left(row: Row) -> str | None:
    words = [word.casefold() for word in _WORD.findall(row["sentence1"])]
    left = [word for word in words if word in MODALS and word != row["noun"].casefold()]
    return f"the modal {left[0]!r} is left in sentence1" if left else None


def _modifier_already_there(row: Row) -> str | None:
    words = {word.casefold() for word in _WORD.findall(row["sentence1"])}
    if row["modifier"].casefold() not in words:
        return None
    return f"{row['modifier']!r} is already in sentence1"


def _noun_twice(row: Row) -> str | None:
    words = [word.casefold() for word in _WORD.findall(row["sentence1"])]
    times = words.count(row["noun"].casefold())
    return f"the noun occurs {times} times; the first is modified" if times > 1 else None


def _agreement(row: Row) -> str | None:
    """Find a plural noun that opens the sentence before a verb in the singular."""
    noun, words = row["noun"].casefold(), row["sentence1"].casefold().rstrip(" .").split()
    if len(words) < 2 or words[0] != noun:
        return None
    profile, verb = _english(), words[1]
    many = noun.endswith("s") and not noun.endswith(_NO_PLURAL) and noun not in profile.mass
    one = verb.endswith("s") and (verb == "is" or not verb.endswith(("ss", "us", "is")))
    if not one or not (many or noun in profile.plural_only):
        return None
    return f"{noun!r} is plural, {verb!r} is singular"


@cache
def _english() -> Language:
    return language("en")


FINDERS: dict[str, Callable[[Row], str | None]] = {
    "no_noun": _no_noun,
    "noun_inside_word": _noun_inside_word,
    "noun_function_word": _noun_function_word,
    "noun_number": _noun_number,
    "modifier_function_word": _modifier_function_word,
    "modifier_words": _modifier_words,
    "modifier_capital": _modifier_capital,
    "noun_twice": _noun_twice,
    "article_in_original": _article_in_original,
    "article_before_modifier": _article_before_modifier,
    "modal_left": _modal_left,
    "modifier_already_there": _modifier_already_there,
    "agreement": _agreement,
    "singular_with_plural_verb": _singular_with_plural_verb,
    "lower_case_start": _lower_case_start,
}
