"""Word vectors that come with the package: GloVe's most frequent words, one byte a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from plausibly.models.counts import unpacked

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SHIPPED = "plausibly.models.lite"
SHORTEST = 2


@dataclass(frozen=True, eq=False)
class BakedVectors:
    """Vectors at length 1 by word, most frequent words first."""

    place: dict[str, int]
    table: Floats

    def places(self, words: Sequence[str], *, verbs: bool = False) -> Ints:
        """Return the row of every word or of its lemma, -1 for one that is not there."""
        return np.array([self._row(word.lower(), verbs=verbs) for word in words], dtype=np.int64)

    def _row(self, word: str, *, verbs: bool) -> int:
        """Return the row of the lemma, if that is a more frequent word than the form itself."""
        own = self.place.get(word, -1)
        for lemma in lemmas(word, verbs=verbs):
            row = self.place.get(lemma, -1)
            if row >= 0 and (own < 0 or row < own):
                return row
        return own

    def rows(self, places: Ints) -> Floats:
        """Return the vectors at these rows, zeros for words that are not there."""
        found: Floats = self.table[np.maximum(places, 0)] * (places >= 0)[:, None]
        return found


def lemmas(word: str, *, verbs: bool) -> Iterator[str]:
    """Yield what a regular form may come from.

    >>> list(lemmas("carries", verbs=True)), list(lemmas("stopped", verbs=True))
    (['carrie', 'carri', 'carry'], ['stoppe', 'stopp', 'stop'])
    """
    stems: list[str] = []
    if word.endswith("s") and not word.endswith("ss"):
        stems += [word[:-1], word[:-2] if word.endswith("es") else ""]
        stems += [f"{word[:-3]}y" if word.endswith("ies") else ""]
    if verbs and word.endswith("ed"):
        stems += [word[:-1], word[:-2], _undoubled(word[:-2])]
    if verbs and word.endswith("ing"):
        stems += [word[:-3], f"{word[:-3]}e", _undoubled(word[:-3])]
    yield from (stem for stem in stems if len(stem) >= SHORTEST)


def _undoubled(stem: str) -> str:
    return stem[:-1] if len(stem) > SHORTEST and stem[-1] == stem[-2] else ""


def arrays(name: str) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a file that comes with the package."""
    place = resources.files(SHIPPED) / "shipped" / f"{name}.npz"
    with resources.as_file(place) as path, np.load(path, allow_pickle=False) as archive:
        return {part: archive[part] for part in archive.files}


@cache
def baked_vectors() -> BakedVectors:
    """Return the vectors that come with the package."""
    return unbaked(arrays("vectors"))


def unbaked(parts: dict[str, npt.NDArray[Any]]) -> BakedVectors:
    """Return vectors from bytes, centred and at length 1."""
    words = unpacked(parts["words"])
    table = parts["table"].astype(np.float64) * parts["scale"].astype(np.float64)[:, None]
    table -= table.mean(axis=0)
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    place = {word: row for row, word in enumerate(words)}
    return BakedVectors(place, table / np.where(lengths > 0, lengths, 1.0))
