"""Predicted norms: concreteness from word vectors, by coefficients that come with the package.

Ridge regression on random Fourier features of a word's vector and of the mean vector of its
inflected forms, on those forms themselves, and on how the word begins and ends. The training
script and the card next to the coefficients say how well it does.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.datasets.lexica.norms import Norms
from plausibly.datasets.lexica.provenance import Provenance

Floats = npt.NDArray[np.float32]

LOWEST, HIGHEST = 1.0, 5.0
DECIMALS = 2
AFFIXES = 4096
LONGEST_AFFIX = 5
# How strongly each kind of feature may bear on the rating compared with the others.
FOURIER_SCALE = 10.0
FORM_SCALE = 0.3
BATCH = 4096


class VectorLookup(Protocol):
    """Vectors of words, by the word in lower case."""

    @property
    def name(self) -> str:
        """Return what the vectors are called, with their version."""
        ...

    def places(self, words: Sequence[str]) -> list[int]:
        """Return the place of every word by frequency, from 0; -1 for an unknown one."""
        ...

    def rows(self, places: Sequence[int]) -> Floats:
        """Return the vectors at these places."""
        ...


@dataclass(frozen=True, eq=False)
class Model:
    """The fitted estimator.

    Args:
        centre: Means of vector, mean form, forms and plain features in the training words.
        scale: Their standard deviations.
        projections: Directions of the Fourier features, of the vector and of the mean form.
        phases: Their phases.
        weights: One for every feature.
        intercept: What is left when all features are at their mean.
    """

    centre: Floats
    scale: Floats
    projections: Floats
    phases: Floats
    weights: Floats
    intercept: float


def predicted_norms(words: pl.Series, vectors: VectorLookup) -> Norms:
    """Return predicted norms of the words that have a vector; others stay without a rating."""
    folded = words.str.to_lowercase()
    asked = folded.filter(folded.str.contains(r"^[a-z][a-z-]+$")).unique().sort()
    known = [
        word
        for word, place in zip(asked.to_list(), vectors.places(asked.to_list()), strict=True)
        if place >= 0
    ]
    ratings = predict(known, vectors, shipped_model())
    rated = pl.DataFrame(
        {"word": known, "concreteness": ratings},
        schema={"word": pl.String, "concreteness": pl.Float64},
    ).with_columns(pos=pl.lit(None, dtype=pl.String))
    note = "Predicted, not rated by people: " + card()["summary"]
    source = f"plausibly's estimator on {vectors.name}"
    return Norms(Provenance("norms", source, len(known), note=note), rated, predicted=True)


def predict(words: Sequence[str], vectors: VectorLookup, model: Model) -> list[float]:
    """Return the rating of every word, from 1 to 5 with two decimals; all must have a vector."""
    found: list[float] = []
    for batch in _batches(words):
        dense = (dense_features(batch, vectors) - model.centre) / model.scale
        features = assemble(batch, dense, model.projections, model.phases)
        raw = features.astype(np.float64) @ model.weights.astype(np.float64) + model.intercept
        found += np.clip(raw, LOWEST, HIGHEST).round(DECIMALS).tolist()
    return found


def _batches(words: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(words), BATCH):
        yield words[start : start + BATCH]


def dense_features(words: Sequence[str], vectors: VectorLookup) -> Floats:
    """Return, one row per word: its vector, the mean of its forms, each form, plain features.

    Plain features are the logarithm of the word's place, the length of its vector, the number
    of letters, and which forms there are.
    """
    places = vectors.places(words)
    own = vectors.rows(places)
    forms, there = [], []
    for of_words in zip(*(_forms(word) for word in words), strict=True):
        found = vectors.places(of_words)
        known = (np.array(found) >= 0).astype(np.float32)
        forms.append(vectors.rows([max(place, 0) for place in found]) * known[:, None])
        there.append(known)
    total = own + np.sum(forms, axis=0)
    mean = total / (1 + np.sum(there, axis=0))[:, None]
    plain = [
        np.log1p(np.array(places, dtype=np.float32)),
        np.linalg.norm(own, axis=1),
        np.array([len(word) for word in words], dtype=np.float32),
        *there,
    ]
    features: Floats = np.hstack([own, mean, *forms, np.stack(plain, axis=1)]).astype(np.float32)
    return features


def _forms(word: str) -> tuple[str, str, str]:
    """Return the forms in -s, -ing and -ed a word would have if it were regular."""
    stem = word.removesuffix("e")
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        plural = f"{word[:-1]}ies"
    else:
        plural = word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s")
    return plural, f"{stem}ing", f"{stem}ed"


def assemble(words: Sequence[str], dense: Floats, projections: Floats, phases: Floats) -> Floats:
    """Return all features of the words from their standardised dense ones."""
    size = projections.shape[1]
    own, mean, rest = dense[:, :size], dense[:, size : 2 * size], dense[:, 2 * size :]
    forms, plain = rest[:, : 3 * size], rest[:, 3 * size :]
    number = phases.shape[1]
    waves = [
        np.cos(part @ projections[at] + phases[at]) * np.sqrt(2 / number) * FOURIER_SCALE
        for at, part in enumerate((own, mean))
    ]
    features: Floats = np.hstack([*waves, forms * FORM_SCALE, plain, _affixes(words)])
    return features.astype(np.float32)


def _affixes(words: Sequence[str]) -> Floats:
    """Return which beginnings and endings each word has, hashed into a fixed number of columns."""
    marks = np.zeros((len(words), AFFIXES), dtype=np.float32)
    for row, word in enumerate(words):
        text = f"<{word}>"
        for size in range(2, min(LONGEST_AFFIX, len(text)) + 1):
            for affix in {text[:size], text[-size:]}:
                marks[row, zlib.crc32(affix.encode()) % AFFIXES] += 1
    return marks


@cache
def shipped_model() -> Model:
    """Return the estimator that comes with the package."""
    place = resources.files("plausibly.datasets.lexica") / "norms_model" / "coefficients.npz"
    with resources.as_file(place) as path, np.load(path) as arrays:
        parts = {name: arrays[name].astype(np.float32) for name in arrays.files}
    intercept = float(parts.pop("intercept"))
    return Model(**parts, intercept=intercept)


def card() -> dict[str, str]:
    """Return a short form of the estimator's card."""
    place = resources.files("plausibly.datasets.lexica") / "norms_model" / "card.json"
    document: dict[str, str] = json.loads(place.read_text(encoding="utf-8"))
    return document
