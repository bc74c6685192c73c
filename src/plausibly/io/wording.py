"""Counts in sentences: the noun agrees with its number."""

from __future__ import annotations

IRREGULAR = {"person": "people", "story": "stories"}


def noun(count: int, one: str) -> str:
    """Return a noun as its count needs it.

    >>> noun(1, "person"), noun(2, "person"), noun(0, "pair of people")
    ('person', 'people', 'pairs of people')
    """
    head, of, rest = one.partition(" of ")
    return one if count == 1 else f"{IRREGULAR.get(head, f'{head}s')}{of}{rest}"


def plural(count: int, one: str) -> str:
    """Return a count with its noun.

    >>> plural(1, "item"), plural(1200, "item"), plural(2, "person")
    ('1 item', '1,200 items', '2 people')
    """
    return f"{count:,} {noun(count, one)}"
