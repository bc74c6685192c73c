"""How the texts of a pair are written: signs, spaces, capitals and length."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping

from plausibly.proofreading.matching import matches
from plausibly.proofreading.pairs._words import PACKAGE, settings
from plausibly.proofreading.plain import strange_sign, untidy

# The longest released sentence has 16 words.
LONGEST = 20
_SIGNS = " ,.'-\"/&%$()!?:;`"
_ABBREVIATION = re.compile(r"\b(?:[a-z]\.){2,}", re.IGNORECASE)
_FORM = re.compile(r"[a-z]{2,}|[a-z]+(?:-[a-z]+)+|\d+(?:st|nd|rd|th)", re.IGNORECASE)

Row = Mapping[str, str]


def strange_text(row: Row, *, prefixes: Container[str]) -> Iterator[tuple[str, str]]:
    """Yield kind and message of what no plain sentence, noun or modifier is written with.

    Args:
        row: sentence1, sentence2, modifier, noun.
        prefixes: Modifiers that may end in a hyphen.
    """
    for name in ("sentence1", "sentence2", "modifier", "noun"):
        text = row[name]
        if odd := strange_sign(text, signs=_SIGNS, ascii_only=True):
            yield "odd_sign", f"{name} has {odd}, which is no sign of a plain text"
            break
        if text != text.strip():
            yield "outer_space", f"{name} has spaces around it"
            break
    modifier = row["modifier"].strip().casefold()
    written = _FORM.fullmatch(modifier) or modifier in prefixes
    prefix = modifier.endswith("-") and modifier.rstrip("-") in prefixes
    if " " not in modifier and not written and not prefix:
        yield "modifier_form", f"{row['modifier']!r} is not written as an adjective is"
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
        yield "unbalanced", "sentence1 has a bracket or quotation mark too many"
    words = text.split()
    if len(words) > LONGEST:
        yield "long_sentence", f"sentence1 has {len(words)} words"
    if len(words) < 2:
        yield "fragment", "sentence1 is no sentence"
