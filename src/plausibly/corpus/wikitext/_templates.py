"""Templates whose words a reader reads as part of the sentence, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Mapping

from plausibly.corpus.wikitext._links import MARK

# From template to which of its unnamed arguments is shown.
_ARGUMENT = (
    dict.fromkeys(("lang", "rtl-lang", "script"), 1)
    | dict.fromkeys(("transl", "transliteration", "resize"), -1)
    | dict.fromkeys(("nowrap", "nobr", "small", "smaller", "big", "larger", "sc", "smallcaps"), 0)
    | dict.fromkeys(("nihongo", "angbr", "linktext", "vanchor", "abbr", "em", "strong", "gloss"), 0)
)
_CHARACTERS = {
    **dict.fromkeys(("nbsp", "thinsp", "spaces", "space"), " "),
    **dict.fromkeys(("ndash", "snd", "spaced ndash", "mdash", "mdashb"), " \u2013 "),
    "'": "'",
    "'s": "'s",
}
_QUOTES = ("quote", "blockquote", "cquote", "quotation")
_MEASURES = ("convert", "cvt")
_NAMES = (*_ARGUMENT, *_CHARACTERS, *_QUOTES, *_MEASURES, "chem", "as of")
_SHOWN = re.compile(
    r"\{\{[ \t\n]*(" + "|".join(map(re.escape, _NAMES)) + r")[ \t\n]*(?:\|([^{}]*))?\}\}",
    re.IGNORECASE,
)
_BAR = re.compile(r"\|(?![^\[\]]*\]\])")
_NAMED = re.compile(r"\s*[\w-]+\s*=")
_NUMBER = re.compile(r"\s*[-+\u2212]?[\d.,/]+\s*\Z")
_RANGES = frozenset(("to", "and", "or", "by", "x", "-", "\u2013", "and(-)", "to(-)", "to about"))
_UNITS = {
    "km": "kilometres",
    "m": "metres",
    "cm": "centimetres",
    "mm": "millimetres",
    "mi": "miles",
    "ft": "feet",
    "in": "inches",
    "yd": "yards",
    "nmi": "nautical miles",
    "km2": "square kilometres",
    "sqmi": "square miles",
    "sqkm": "square kilometres",
    "m2": "square metres",
    "sqft": "square feet",
    "acre": "acres",
    "ha": "hectares",
    "kg": "kilograms",
    "g": "grams",
    "lb": "pounds",
    "oz": "ounces",
    "t": "tonnes",
    "L": "litres",
    "C": "\u00b0C",
    "F": "\u00b0F",
}


def templates_read(text: str) -> str:
    """Return wikitext with the templates that stand for words as a reader sees them.

    >>> templates_read("The {{lang|fr|chat}} ran {{convert|5|to|6|km|mi}}.{{sfn|A}}")
    'The chat ran 5 to 6 kilometres.{{sfn|A}}'
    """
    count = 1
    while count:
        text, count = _SHOWN.subn(_shown, text)
    return text


def _shown(template: re.Match[str]) -> str:
    name, given = template.group(1).lower(), template.group(2) or ""
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    arguments = [one for one in _BAR.split(given) if not _NAMED.match(one)]
    if name in _MEASURES:
        units = {} if "adj=" in given else _UNITS
        return _measure([one.strip() for one in arguments], units)
    if name in _QUOTES:
        return f"\n\n{arguments[0].strip()}\n\n{MARK}" if arguments else MARK
    if name == "chem":
        return "".join(arguments)
    if name == "as of":
        begun = "as of" if "lc=" in given else "As of"
        return f"{begun} {arguments[0].strip()}" if arguments else MARK
    place = _ARGUMENT[name]
    return arguments[place].strip() if len(arguments) > max(place, 0) else MARK


def _measure(arguments: list[str], units: Mapping[str, str]) -> str:
    """Return the first measure of those a reader sees: numbers, and the unit they are given in.

    A unit keeps its symbol where it has no name: also before a noun, "a 5 m pole".
    """
    words: list[str] = []
    for argument in arguments:
        if _NUMBER.match(argument):
            words.append(argument)
        elif argument in _RANGES:
            words.append(argument.partition("(")[0])
        else:
            return " ".join([*words, units.get(argument, argument)]) if words else MARK
    return MARK
