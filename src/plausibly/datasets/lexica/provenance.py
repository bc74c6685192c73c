"""Where a lexicon comes from, and how much of what we ask it knows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from plausibly.io import file_hash


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a lexicon comes from.

    Args:
        name: What it is called in reports.
        source: File, package with version, or citation.
        entries: How many words it knows, None if it cannot say.
        sha256: Of the file, None if there is none.
        note: What a reader has to know about it.
    """

    name: str
    source: str
    entries: int | None = None
    sha256: str | None = None
    note: str | None = None

    def as_json(self) -> dict[str, str | int | None]:
        """Return the provenance as it is written into reports."""
        return asdict(self)


def of_file(name: str, path: Path, *, entries: int) -> Provenance:
    """Return the provenance of a user's file."""
    return Provenance(name, path.name, entries, file_hash(path))


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the words asked for a lexicon knows, by types and by tokens."""

    types: int
    known_types: int
    tokens: int
    known_tokens: int

    def as_json(self) -> dict[str, int | float | None]:
        """Return counts and shares; a share of nothing is null."""
        return {
            "types": self.types,
            "known_types": self.known_types,
            "share_types": self.known_types / self.types if self.types else None,
            "tokens": self.tokens,
            "known_tokens": self.known_tokens,
            "share_tokens": self.known_tokens / self.tokens if self.tokens else None,
        }


def coverage(counts: Iterable[tuple[str, int]], known: Iterable[str]) -> Coverage:
    """Return how much of the words with their counts is among the known ones.

    >>> coverage([("tea", 3), ("ghost", 1)], {"tea"}).as_json()["share_tokens"]
    0.75
    """
    words, there = dict(counts), set(known)
    found = {word: count for word, count in words.items() if word in there}
    return Coverage(len(words), len(found), sum(words.values()), sum(found.values()))
