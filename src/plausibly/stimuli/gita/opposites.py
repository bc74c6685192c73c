"""A sentence with its verb turned into the opposite, and the preposition that goes with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from plausibly.datasets.lexica.italian import AFTER, JOINED
from plausibly.io.opening import packaged_toml

# A thing that is put somewhere is in it or on it, whatever preposition is usual with the verb.
_PLACES = {"it": ("in", "su"), "en": ("into", "onto", "in", "on")}
_DETERMINER = r"(?= (?:the|an?|his|her|its|my|our|their|your)\b)"


@dataclass(frozen=True, slots=True)
class OpposedSentence:
    """A sentence of a story with one verb replaced by its opposite.

    Args:
        place: Which sentence, from 0.
        verb: What it said.
        opposite: What it says now.
        sentence: The new sentence.
    """

    place: int
    verb: str
    opposite: str
    sentence: str


def opposed_sentences(
    sentences: Sequence[str], opposites: Mapping[str, str], *, lang: str
) -> Iterator[OpposedSentence]:
    """Yield every sentence in which a verb can be replaced by its opposite, in order.

    Args:
        sentences: A story.
        opposites: From a verb, as it is in a sentence, to its opposite.
        lang: The language of the story.
    """
    for place, sentence in enumerate(sentences):
        for verb, opposite in opposites.items():
            turned = opposed(sentence, verb, opposite, lang=lang)
            if turned != sentence and turned not in sentences:
                yield OpposedSentence(place, verb, opposite, turned)


def opposed(sentence: str, verb: str, opposite: str, *, lang: str) -> str:
    """Return a sentence with the opposite of a verb; unchanged where it does not have the verb.

    >>> opposed("Ada toglie la torta dal forno.", "toglie", "mette", lang="it")
    'Ada mette la torta nel forno.'
    >>> opposed("Ada ha messo il latte nell'armadio.", "messo", "preso", lang="it")
    "Ada ha preso il latte dall'armadio."
    >>> opposed("Ada esce dal bagno.", "esce", "corre", lang="it")  # of no known preposition
    'Ada corre dal bagno.'
    """
    found = re.search(rf"(?<!\w){re.escape(verb)}(?!\w)", sentence)
    if found is None:
        return sentence
    rest = sentence[found.end() :]
    before, after = _preposition(verb, lang), _preposition(opposite, lang)
    places = _PLACES.get(lang, ())
    usual = [before, *(one for one in places if before in places)]
    if before and after and after not in usual:
        turned = (_exchanged(rest, one, after, lang) for one in usual)
        rest = next((one for one in turned if one != rest), rest)
    return f"{sentence[: found.start()]}{opposite}{rest}"


def _preposition(verb: str, lang: str) -> str:
    """Return the preposition that goes with a verb, empty if that is not known."""
    words = verb.casefold().split()
    stems = [
        (len(stem), preposition)
        for preposition, listed in _prepositions().get(lang, {}).items()
        for stem in listed
        if any(word.startswith(stem) for word in words)
    ]
    return max(stems)[1] if stems else ""


def _exchanged(text: str, before: str, after: str, lang: str) -> str:
    """Return a text whose first such preposition is the other one; its article stays.

    >>> _exchanged(" la tazza dagli scaffali", "da", "in", "it")
    ' la tazza negli scaffali'
    """
    if lang != "it":
        there = _DETERMINER if before in ("in", "on") else r"\b"
        return re.sub(rf"\b{before}{there}", after, text, count=1)
    endings = "|".join(
        "ll['\u2019]" if ending.endswith("'") else rf"{ending}\b" for ending in AFTER.values()
    )
    # Without an article it is often an idiom: "mette in moto".
    forms = rf"\b(?:{JOINED[before]}(?P<ending>{endings})|{before}(?= (?:un|quest|quell)))"
    return re.sub(
        forms,
        lambda found: after if found["ending"] is None else JOINED[after] + found["ending"],
        text,
        count=1,
    )


@cache
def _prepositions() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return packaged_toml("plausibly.stimuli.gita", "prepositions.toml")
