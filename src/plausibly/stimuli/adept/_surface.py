"""Sentences from what ConceptNet's authors wrote: brackets off, modal verbs made declarative."""

from __future__ import annotations

import re

from plausibly.datasets.lexica.english import third_person
from plausibly.stimuli.adept._nouns import NounRefusal
from plausibly.stimuli.adept.lexicon import Lexicon

MODALS = ("can", "may", "might", "could", "will", "would", "should", "must", "shall")
_MODAL = re.compile(
    rf"\b(?:{'|'.join(MODALS)})\b\s+(?P<adverbs>(?:(?:\w+ly|often|also|always|sometimes)\s+)*)"
    r"(?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|cannot|never|no|can't|won't|don't|doesn't|isn't|aren't)\b", re.IGNORECASE
)
_MANY = frozenset({"you", "we", "they", "i", "people", "these", "those", "many", "most", "some"})
_BRACKETS = re.compile(r"\[\[|\]\]")
_ARTICLE_WITHIN = re.compile(r"(?<=\s)(?:A|An|The)(?=\s)")


def declarative(surface: str, noun: str, lexicon: Lexicon) -> str | NounRefusal:
    """Return a surface text as a plain statement, or why it makes none.

    `can`, `may` and the like go, and the verb behind them agrees with the subject: "A candidate
    can win" becomes "A candidate wins", "can be" becomes "is" (ADEPT, section 4.1).
    """
    text = " ".join(_BRACKETS.sub("", surface).lstrip("*").split()).rstrip(" .!")
    text = _ARTICLE_WITHIN.sub(lambda found: found[0].lower(), text)
    if "?" in text or not text:
        return NounRefusal("no_statement", "the surface text is not a statement")
    if _NEGATED.search(text):
        return NounRefusal("negated", "the surface text is negated")
    found = _MODAL.search(text)
    if found is not None:
        if found["verb"].casefold() == noun:
            return NounRefusal("no_verb", f"{noun!r} follows a modal verb")
        verb = _agreeing(found["verb"], text[: found.start()], lexicon)
        text = f"{text[: found.start()]}{_with_adverbs(found, verb)}{text[found.end() :]}"
    if _MODAL.search(text) or re.search(r"\bmight\b|\bmay\b", text, re.IGNORECASE):
        return NounRefusal("modal_left", "more than one modal verb")
    if not re.search(rf"(?<![\w-]){re.escape(noun)}(?![\w-])", text, re.IGNORECASE):
        return NounRefusal("no_noun", f"{noun!r} is not a word of the surface text")
    return f"{text[:1].upper()}{text[1:]}."


def _with_adverbs(found: re.Match[str], verb: str) -> str:
    adverbs = found["adverbs"] or ""
    return f"{verb} {adverbs.strip()}" if verb in ("is", "are") and adverbs else adverbs + verb


def _agreeing(verb: str, before: str, lexicon: Lexicon) -> str:
    """Return the verb as the words before the modal want it."""
    words = before.casefold().split()
    many = bool(words) and (words[0] in _MANY or words[-1] in _MANY or lexicon.is_plural(words[-1]))
    if verb.casefold() == "be":
        return "are" if many else "is"
    return verb if many else third_person(verb, lexicon.language)
