"""Mistakes of written Italian that are seen without a parser."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

Settings = Mapping[str, Collection[str]]
Mistake = tuple[str, str]
"""Kind of mistake, and what is wrong."""

# An accent written as an apostrophe; a few short words do end in one.
_APOSTROPHE = re.compile(
    r"\b(?!(?:po|mo|be|va|fa|sta|da|di|to|ca|de|ne|co|su|a)')\w*[aeiou]'(?!\w)"
)
_ELIDED = re.compile(r"\bun['\u2019](\w+o)\b", re.IGNORECASE)
_WITH_AVERE = re.compile(r"\b(?:h[oa]i?|hanno|abbiamo|avete|avev\w+) (?:già |poi )?(\w+)[oaie]\b")
_PARTICIPLE = r"\w+(?:ato|uto|ito|erto|eso|esso|otto|itto|iuso|orso|asto|osto|into|anto|atto)"
_A_FOR_HA = re.compile(rf"^(?:[Oo]|\w+ [ao]) ({_PARTICIPLE})\b")
_INFINITIVE = re.compile(
    r"\b(?:h[oa]i?|hanno|abbiamo|avete|avev\w+) (?!piacere|potere|sapere|carattere)"
    r"(\w{2,}[aei]re)\b"
)
# "c'è" as it is heard, an article before what is no noun, a letter that stands for a word.
_CE = re.compile(
    r"\bce (?:un['\u2019]?|una|uno|il|lo|la|l['\u2019]|del(?:la|lo)?)(?!\w)", re.IGNORECASE
)
_NO_NOUN = re.compile(
    r"\b(?:il|i) (?:non|è|ha|di|e|con|per|si|in|a|da)\b"
    r"|\b(?:un|una|uno) (?:non|è|ha|e|con|per|si|in|a|da)\b",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?<![\w'\u2019.-])[b-df-hj-np-tv-z](?![\w'\u2019.-])")
_APART = re.compile(r"\b(?:di|a|da|in|su) (?:il|lo|la|i|gli|le)\b", re.IGNORECASE)
# Articles of several things that are no pronouns too, or stand behind a preposition.
_SEVERAL = re.compile(
    r"\b(?:i|(?:con|per|tra|fra|dietro|sopra|sotto|verso|senza|dentro|contro) (?:gli|le)"
    r"|d(?:ei|egli|elle|ai|agli|alle)|a(?:i|gli|lle)|n(?:ei|egli|elle)|s(?:ui|ugli|ulle)) "
    r"(\w+[oa])\b"
)
# "dal'auto" for "dall'auto".
_ONE_L = re.compile(r"\b(?:al|dal|del|nel|sul)['\u2019](?=\w)", re.IGNORECASE)
_ANYWHERE = (
    (_APOSTROPHE, "spelling", "has an apostrophe for an accent"),
    (_CE, "spelling", "has not the accent of the verb: c'è"),
    (_LETTER, "spelling", "is a letter and no word"),
    (_NO_NOUN, "article", "has no noun behind the article"),
    (_APART, "article", "are one word"),
    (_ONE_L, "article", "wants two l"),
)
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
_LAST = re.compile(r"(\w+)[.!?]*$")
_COMMON = (
    r"(?:la|una|della|alla|nella|sulla|dalla) (\w+a)",
    r"(?:il|lo|un|uno|del|al|nel|sul|dal) (\w+o)",
)


def mistakes(sentence: str, *, names: Collection[str], settings: Settings) -> Iterator[Mistake]:
    """Yield kind and words of every mistake of a sentence.

    Args:
        sentence: One sentence.
        names: The actors, in small letters.
        settings: Lists of words by what they are good for.

    >>> lists = dict.fromkeys(("misspelt", "with_essere", "never_last"), ("perche",))
    >>> lists |= dict.fromkeys(("feminine_in_o", "one_form", "masculine_in_a"), ())
    >>> lists |= {"attributes": ()}
    >>> [what for _, what in mistakes("Ada a preso un'orso.", names=["ada"], settings=lists)]
    ["'un'orso': a masculine noun is not elided", "'Ada a preso' without the h of the verb"]
    """
    yield from _spelling(sentence, names, settings)
    yield from _verbs(sentence, names, settings)
    yield from _attributes(sentence, settings)
    last = _LAST.search(sentence)
    if last and last[1].casefold() in settings["never_last"]:
        yield "cut_off", f"it ends in {last[1]!r}"


def _spelling(sentence: str, names: Collection[str], settings: Settings) -> Iterator[Mistake]:
    for pattern, kind, what in _ANYWHERE:
        if found := pattern.search(sentence):
            yield kind, f"{found[0]!r} {what}"
    for word in re.findall(r"[\w'\u2019]+", sentence.casefold()):
        if word in settings["misspelt"] and word not in names:
            yield "spelling", f"{word!r} is a frequent misspelling"
    for found in _SEVERAL.finditer(sentence):
        if found[1].casefold() not in {*settings["feminine_in_o"], *settings["one_form"]}:
            yield "article", f"'{found[0]}': an article of several, a noun of one"
    for found in _ELIDED.finditer(sentence):
        if found[1].casefold() not in settings["feminine_in_o"]:
            yield "article", f"'{found[0]}': a masculine noun is not elided"


def _verbs(sentence: str, names: Collection[str], settings: Settings) -> Iterator[Mistake]:
    words = sentence.split()
    first = words[0].casefold() if words else ""
    if (found := _A_FOR_HA.match(sentence)) and (first in names or first == "o"):
        yield "verb_form", f"'{found[0]}' without the h of the verb"
    if len(words) > 1 and list(names) == [first] and _PLURAL.match(words[1]):
        yield "verb_form", f"'{words[0]} {words[1]}': one actor, a verb of several"
    fitting = _PERSONS.get(first, "").split()
    if fitting and len(words) > 1 and words[1] in _AUXILIARIES - {*fitting}:
        yield "verb_form", f"'{words[0]} {words[1]}' do not agree"
    if found := _INFINITIVE.search(sentence):
        yield "verb_form", f"'{found[0]}': an infinitive behind avere"
    for found in _WITH_AVERE.finditer(sentence):
        if found[1].casefold() in settings["with_essere"]:
            yield "verb_form", f"'{found[0]}': this verb goes with essere"


def _attributes(sentence: str, settings: Settings) -> Iterator[Mistake]:
    both = (settings["masculine_in_a"], settings["feminine_in_o"])
    for noun, unlike, ending in zip(_COMMON, both, "oa", strict=True):
        stems = "|".join(sorted(settings["attributes"]))
        for found in re.finditer(rf"\b{noun} (?:{stems}){ending}\b", sentence, re.IGNORECASE):
            if stems and found[1].casefold() not in unlike:
                yield "agreement", f"'{found[0]}' do not agree"
