"""How an Italian word begins when it is said: what articles and adjectives before it go by."""

from __future__ import annotations

import re

VOWELS = "aeiouàèéìòù"
# Before these a masculine noun takes `uno`: s + consonant, z, gn, ps, pn, pt, ts, ft, mn, x, y,
# i + vowel, and French ch.
_FRENCH = "ch(?:ef|alet|ampagne|ansonnier|aperon|ardonnay|arme|iffon|ignon)"
UNO = re.compile(rf"(?:s[^{VOWELS}]|z|gn|ps|pn|pt|t[sz]|(?:ft|mn|i)[{VOWELS}]|x|y|{_FRENCH})")
GLIDE = re.compile(rf"i[{VOWELS}]")
ELIDED = re.compile(rf"h?[{VOWELS}]")
# Acronyms nobody can say as a word are spelt, so their article goes with a letter's name: l'FBI.
_SPELT = re.compile(rf"[^{VOWELS}]+$|(?:[hlmnrx]|f(?![lr])|[pt](?![lr])|g(?![lnr]))[^{VOWELS}]|i.$")
_LETTERS = {"f": "effe", "g": "gi", "h": "acca", "l": "elle", "m": "emme", "n": "enne", "p": "pi"}
_LETTERS |= {"i": "i", "r": "erre", "s": "esse", "t": "ti", "x": "ics"}


def spoken(words: str) -> str:
    """Return what an article or adjective hears: a letter's name if an acronym is spelt (SMS)."""
    first, start = words.partition(" ")[0], words.casefold()
    spelt = len(first) > 1 and first.isupper() and _SPELT.match(first.casefold())
    return _LETTERS.get(start[0], start) if spelt else start
