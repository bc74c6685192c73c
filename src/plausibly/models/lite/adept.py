"""`adept-lite`: what an adjective does to the plausibility of a sentence, without torch.

The mean of two: a multinomial logistic regression on word vectors and on the words themselves
(hashed into a fixed number of columns), and the labels that modifier and noun had in training,
kept by hash and backed off to shorter keys. Its card shows how well it does.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy import sparse

from plausibly.datasets.adept import CLASSES
from plausibly.datasets.adept.nonsubsective import shipped_nonsubsective
from plausibly.models.adept.baselines import MASS
from plausibly.models.lite.words import BakedVectors, Floats, arrays, baked_vectors

COLUMNS = 1 << 14
WAVES = 400
HASHED = 0.7
KEYS: tuple[tuple[str, ...], ...] = (("modifier",), ("noun",), ("modifier", "noun"))
FUNCTION_WORDS = frozenset(
    {
        *("a", "an", "the", "is", "are", "for", "to", "of", "in", "and", "you", "use", "used"),
        *("your", "can", "be", "with", "some", "it", "that"),
    }
)
PATTERNS = (" is for ", " used ", "You use", " has ", " is ")


def hashed(text: str) -> int:
    """Return a number for a text, the same everywhere."""
    return zlib.crc32(text.encode())


def _predicate(sentence: str, noun: str) -> list[str]:
    """Return the words of a sentence that say something about the noun."""
    of_noun = {noun, *noun.split()}
    words = re.findall(r"[a-z']+", sentence.lower())
    return [word for word in words if word not in FUNCTION_WORDS and word not in of_noun]


def _marks(modifier: str, noun: str, sentence: str, listed: bool) -> Iterator[str]:
    yield from (f"m={modifier}", f"n={noun}", f"mn={modifier}|{noun}")
    for word in _predicate(sentence, noun):
        yield from (f"p={word}", f"mp={modifier}|{word}", f"lp={listed}|{word}")
    pattern = next((place for place, text in enumerate(PATTERNS) if text in sentence), -1)
    yield from (f"t={sentence.lower().split(' ')[0]}", f"t2={pattern}")
    yield from (f"ml={modifier[:3]}", f"mr={modifier[-3:]}")


def pair_features(
    pairs: pl.DataFrame, vectors: BakedVectors, direction: Floats, phase: Floats
) -> sparse.csr_array:
    """Return the features of every pair: dense ones first, then hashed words."""
    modifiers = [str(word).lower() for word in pairs["modifier"]]
    nouns = [str(word).lower() for word in pairs["noun"]]
    sentences = [str(text) for text in pairs["sentence1"]]
    listed = shipped_nonsubsective()
    modifier = vectors.rows(vectors.places(modifiers))
    noun = vectors.rows(vectors.places([word.split(" ")[-1] for word in nouns]))
    predicate = np.stack(
        [_mean(_predicate(s, n), vectors) for s, n in zip(sentences, nouns, strict=True)]
    )
    cosines = [(modifier * noun), (modifier * predicate), (noun * predicate)]
    waves = np.cos(np.hstack([modifier, noun, predicate]) @ direction + phase)
    dense = np.hstack(
        [
            *(2 * modifier, predicate, noun, 7 * modifier * predicate, 7 * modifier * noun),
            np.stack([2 * cosine.sum(axis=1) for cosine in cosines], axis=1),
            np.array([[float(word in listed)] for word in modifiers]),
            waves * np.sqrt(2 / WAVES) * 3,
        ]
    )
    rows, columns = [], []
    for row, (m, n, s) in enumerate(zip(modifiers, nouns, sentences, strict=True)):
        marks = [hashed(mark) % COLUMNS for mark in _marks(m, n, s, m in listed)]
        rows += [row] * len(marks)
        columns += marks
    words = sparse.csr_array(
        (np.full(len(rows), HASHED), (rows, columns)), shape=(len(modifiers), COLUMNS)
    )
    return sparse.csr_array(sparse.hstack([sparse.csr_array(dense), words]))


def _mean(words: Sequence[str], vectors: BakedVectors) -> Floats:
    total: Floats = vectors.rows(vectors.places(words)).sum(axis=0)
    length = float(np.linalg.norm(total))
    return total / length if length else total


def key_hashes(pairs: pl.DataFrame, keys: Sequence[str]) -> npt.NDArray[np.uint32]:
    """Return the hash of a key of every pair."""
    texts = pairs.select(pl.concat_str([pl.col(k).str.to_lowercase() for k in keys], separator="|"))
    return np.array([hashed(text) for text in texts.to_series()], dtype=np.uint32)


def label_shares(pairs: pl.DataFrame, model: Mapping[str, npt.NDArray[Any]]) -> Floats:
    """Return the shares of labels of a pair's modifier and noun in training, backed off."""
    whole = model["label_share"].astype(np.float64)
    shares = np.tile(whole, (pairs.height, 1))
    single: list[Floats] = []
    for keys in KEYS:
        name = "_".join(keys)
        known, counts = model[f"{name}_key"], model[f"{name}_count"].astype(np.float64)
        wanted = key_hashes(pairs, keys)
        place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        own = counts[place] * (known[place] == wanted)[:, None]
        shorter = shares if len(keys) == 1 else (single[0] + single[1]) / 2
        single.append((own + MASS * shorter) / (own.sum(axis=1, keepdims=True) + MASS))
    return single[-1]


def effect_shares(
    pairs: pl.DataFrame, vectors: BakedVectors, model: Mapping[str, npt.NDArray[Any]]
) -> Floats:
    """Return the probability of every class for every pair."""
    parts = {name: model[name].astype(np.float64) for name in ("direction", "phase", "weight")}
    features = pair_features(pairs, vectors, parts["direction"], parts["phase"])
    logits = features @ parts["weight"] + model["intercept"].astype(np.float64)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    learnt = odds / odds.sum(axis=1, keepdims=True)
    shares: Floats = (learnt + label_shares(pairs, model)) / 2
    return shares


@cache
def _shipped() -> dict[str, npt.NDArray[Any]]:
    return arrays("adept")


def predict_effects(pairs: pl.DataFrame) -> Floats:
    """Return what `adept-lite` says: the probability of every class (`CLASSES`) for every pair."""
    if pairs.is_empty():
        return np.empty((0, len(CLASSES)))
    return effect_shares(pairs, baked_vectors(), _shipped())
