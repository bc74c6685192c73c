"""The kinds of people a simulated crowd is made of, and how many of each there are."""

from __future__ import annotations

from collections.abc import Mapping

from plausibly.errors import StudyError, UnknownName, option

KINDS = {
    "careful": "answers as the item leans, and knows checks",
    "biased": "leans to the upper end of every scale",
    "consistent-minority": "answers as careful people do, the other way round, and knows checks",
    "uniform-spammer": "answers anything, at once",
    "straight-liner": "gives one and the same answer, at once",
    "midpoint-responder": "answers in the middle of every scale, at once",
    "extreme-responder": "answers at one end or the other, at once",
    "subtle-spammer": "answers every third item or so at random",
    "bot": "answers anything within a second",
    "dropout": "is careful and leaves after a few items",
    "returning": "is careful, finishes, and comes again the next day",
}
CARELESS = (
    *("uniform-spammer", "straight-liner", "midpoint-responder", "extreme-responder"),
    *("subtle-spammer", "bot"),
)
"""Kinds whose answers say nothing about the item, or too often do not."""

MIX = {
    "careful": 0.8,
    "biased": 0.05,
    "uniform-spammer": 0.05,
    "straight-liner": 0.05,
    "dropout": 0.05,
}


def check_mix(mix: Mapping[str, float]) -> None:
    """Raise unless every kind is known and the shares sum to 1."""
    stranger = next((kind for kind in mix if kind not in KINDS), None)
    if stranger is not None:
        raise UnknownName("kind of person", stranger, KINDS)
    if abs(sum(mix.values()) - 1) > 1e-9 or min(mix.values()) < 0:
        raise StudyError(f"the shares of a mix must sum to 1; got {sum(mix.values()):g}.")


def parse_mix(text: str) -> dict[str, float]:
    """Return a mix from its text.

    >>> parse_mix("careful=.9,bot=.1")
    {'careful': 0.9, 'bot': 0.1}
    """
    mix: dict[str, float] = {}
    for part in text.split(","):
        kind, equals, share = part.strip().partition("=")
        try:
            mix[kind] = float(share)
        except ValueError as error:
            raise _wrong(f"{part.strip()!r} is not KIND=SHARE, such as careful=.8") from error
        if not equals:
            raise _wrong(f"{part.strip()!r} has no share. Write careful=.8")
    check_mix(mix)
    return mix


def _wrong(what: str) -> StudyError:
    return StudyError(f"{option('mix')}: {what}.", parameter="mix")
