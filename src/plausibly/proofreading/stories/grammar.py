"""Mistakes of written Italian that are seen without a parser."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from plausibly.proofreading.matching import matches

Settings = Mapping[str, Collection[str]]
PACKAGE = "plausibly.proofreading.stories"
Mistake = tuple[str, str]
"""Kind of mistake, and what is wrong."""

_PARTICIPLE = (
    r"\w+(?:ato|uto|ito|erto|eso|esso|otto|itto|iuso|orso|asto|osto|into|anto|atto|unto|olto|erso|isto"
    r"|esto)"
)
_A_FOR_HA = re.compile(rf"^(?:[Oo]|\w+ [ao]) ({_PARTICIPLE})\b")
_PERSONS = {
    "io": "ho sono avevo ero",
    "tu": "hai sei avevi eri",
    "lui": "ha è aveva era",
    "lei": "ha è aveva era",
    "noi": "abbiamo siamo avevamo eravamo",
    "voi": "avete siete avevate eravate",
    "loro": "hanno sono avevano erano",
}
_AUXILIARIES = frozenset(" ".join(_PERSONS.values()).split())
_PLURAL = re.compile(r"(?:hanno|sono|erano|\w+(?:ano|ono))$")
_COMMON = (
    r"(?:la|una|della|alla|nella|sulla|dalla) (\w+a)",
    r"(?:il|lo|un|uno|del|al|nel|sul|dal) (\w+o)",
)
# Behind a preposition, a condition may be the actor's: "esce dalla doccia asciutto".
_DIRECT = (
    r"(?<!\bcon )(?<!\bper )(?:la|una) (\w+a)",
    r"(?<!\bcon )(?<!\bper )(?:il|lo|un|uno) (\w+o)",
)


def mistakes(sentence: str, *, names: Collection[str], settings: Settings) -> Iterator[Mistake]:
    """Yield kind and words of every mistake of a sentence.

    Args:
        sentence: One sentence.
        names: The actors, in lower case.
        settings: Lists of words by what they are good for.

    >>> lists = dict.fromkeys(("misspelt", "with_essere", "never_last"), ("perche",))
    >>> lists |= dict.fromkeys(("feminine_in_o", "one_form", "masculine_in_a"), ())
    >>> lists |= dict.fromkeys(("attributes", "conditions", "singular_in_i", "elided_in_i"), ())
    >>> lists |= dict.fromkeys(("feminine_in_a", "feminine_plurals", "elided_in_e"), ())
    >>> [what for _, what in mistakes("Ada a preso un'orso.", names=["ada"], settings=lists)]
    ["'un'orso': a masculine noun is not elided", "'Ada a preso' without the h of the verb"]
    """
    yield from matches(sentence, PACKAGE, "italian", {**settings, "names": names})
    yield from _verbs(sentence, names)
    yield from _attributes(sentence, settings)


def _verbs(sentence: str, names: Collection[str]) -> Iterator[Mistake]:
    words = sentence.split()
    first = words[0].casefold() if words else ""
    if (found := _A_FOR_HA.match(sentence)) and (first in names or first == "o"):
        yield "verb_form", f"'{found[0]}' without the h of the verb"
    if len(words) > 1 and list(names) == [first] and _PLURAL.match(words[1]):
        yield "verb_form", f"'{words[0]} {words[1]}': one actor, a verb of several"
    fitting = _PERSONS.get(first, "").split()
    if fitting and len(words) > 1 and words[1] in _AUXILIARIES - {*fitting}:
        yield "verb_form", f"'{words[0]} {words[1]}' do not agree"


def _attributes(sentence: str, settings: Settings) -> Iterator[Mistake]:
    for stems, nouns in ((settings["attributes"], _COMMON), (settings["conditions"], _DIRECT)):
        yield from _unlike("|".join(sorted(stems)), nouns, sentence, settings)


def _unlike(
    stems: str, nouns: tuple[str, str], sentence: str, settings: Settings
) -> Iterator[Mistake]:
    both = (settings["masculine_in_a"], settings["feminine_in_o"])
    for noun, unlike, ending in zip(nouns, both, "oa", strict=True):
        for found in re.finditer(rf"\b{noun} (?:{stems}){ending}\b", sentence, re.IGNORECASE):
            if stems and found[1].casefold() not in unlike:
                yield "agreement", f"'{found[0]}' do not agree"
