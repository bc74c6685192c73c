"""In which order answers in words stand, where their wording shows it.

The order is proposed and never assumed: "rather likely" is below "likely" on most scales, but
whoever asked the question knows. Where two answers would have the same place, there is no proposal.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from plausibly.io.opening import packaged_toml

FEWEST = 3
BARE = 3  # the strength of an answer without a word for it
# "1 - not at all", "5 (very likely)", "7 = certain", and LimeSurvey's codes A1 to A5.
_NUMBERED = re.compile(r"^\s*([+-]?\d{1,3})\s*(?:[-\u2013\u2014:.=)(\]]|\s)\s*\D")
_CODED = re.compile(r"^\s*(?:AO?|L)0*(\d{1,3})\s*$")


def likely_order(answers: Iterable[str]) -> tuple[str, ...]:
    """Return the answers from least to most, as their wording suggests; none if it does not.

    >>> likely_order(["Likely", "Very unlikely", "Neither likely nor unlikely"])
    ('Very unlikely', 'Neither likely nor unlikely', 'Likely')
    >>> likely_order(["eher plausibel", "nicht plausibel", "sehr plausibel"])
    ('nicht plausibel', 'eher plausibel', 'sehr plausibel')
    >>> likely_order(["1 (gar nicht)", "10 (völlig)", "5 (so so)"])
    ('1 (gar nicht)', '5 (so so)', '10 (völlig)')
    >>> likely_order(["plausible", "grammatical", "other"])
    ()
    """
    distinct = [*dict.fromkeys(answers)]
    if len(distinct) < FEWEST:
        return ()
    for places in _places(distinct):
        known = [place for place in places if place is not None]
        if len(known) == len(distinct) == len({*known}):
            return tuple(answer for _, answer in sorted(zip(known, distinct, strict=True)))
    return ()


def _places(answers: Sequence[str]) -> Iterable[list[float | None]]:
    """Yield the places of answers by every rule that may give them one."""
    for pattern in (_NUMBERED, _CODED):
        matches = [pattern.match(answer) for answer in answers]
        yield [float(match[1]) if match else None for match in matches]
    bare = [_bare(answer) for answer in answers]
    for own in _lists()["series"].values():
        for series in own:
            places = {_bare(word): float(n) for n, word in enumerate(series)}
            yield [places.get(answer) for answer in bare]
    for language, pairs in _lists()["sides"].items():
        for pair in pairs:
            more, less = map(_bare, pair)
            yield [_degree(answer, more, less, language) for answer in bare]


def _degree(answer: str, more: str, less: str, language: str) -> float | None:
    """Return the place of one answer on the scale between two sides."""
    if _begins(answer, _middle(language)):
        about = answer.split()[1:]
        return 0.0 if not about or more in answer or less in answer or len(about) < FEWEST else None
    for side, sign in ((less, -1), (more, 1)):
        rest = _without(answer, side)
        if rest is None:
            continue
        if rest in _weights("against", language):
            return -sign * _weights("against", language)[rest]
        if rest == "" or rest in _weights("strength", language):
            return sign * (_weights("strength", language)[rest] if rest else BARE)
    return None


def _without(answer: str, side: str) -> str | None:
    """Return what is left of an answer without what it is about; None if it is about another.

    >>> _without("stimme eher nicht zu", "stimme zu"), _without("very likely", "unlikely")
    ('eher nicht', None)
    """
    words, parts = answer.split(), side.split()
    if not {*parts} <= {*words}:
        return None
    for part in parts:
        words.remove(part)
    return " ".join(words)


def _begins(answer: str, starts: Iterable[str]) -> bool:
    return any(answer == start or answer.startswith(f"{start} ") for start in starts)


def _bare(text: str) -> str:
    """Return a text in lower case without accents and signs between words."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(sign for sign in letters if not unicodedata.combining(sign))
    return " ".join(re.sub(r"[^\w'/]+|_", " ", plain).split())


@cache
def _weights(kind: str, language: str) -> Mapping[str, float]:
    return {_bare(word): float(one) for word, one in _lists()[kind][language].items()}


@cache
def _middle(language: str) -> tuple[str, ...]:
    return tuple(_bare(word) for word in _lists()["middle"][language])


@cache
def _lists() -> Mapping[str, Mapping[str, Any]]:
    return packaged_toml("plausibly.measures", "wordings.toml")
