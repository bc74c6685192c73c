"""`events-lite`: how plausible an event of subject, verb and object is, from word vectors.

A logistic regression on the products of the three words' vectors, the vectors themselves, how
frequent the words are, and waves of each two vectors. It learnt to tell events people or texts
report, and pairs of verb and subject or object counted in texts, from the same with words
exchanged; its card says on what, how that was chosen, and how well it does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import polars as pl
from scipy.special import expit

from plausibly.datasets.events import QUESTION, WORDS
from plausibly.models.lite.words import BakedVectors, Floats, Ints, arrays, baked_vectors
from plausibly.models.pairs import BACKED_OFF, SEEN, UNKNOWN
from plausibly.tables import PREDICTIONS

WAVES = 300
PRODUCT, COSINE, VECTOR, WAVE = 7.0, 3.0, 3.0, 6.0
PLAUSIBLE, IMPLAUSIBLE = "plausible", "implausible"


def places_of(events: Sequence[Sequence[str]], vectors: BakedVectors) -> Ints:
    """Return the rows of subject, verb and object of every event."""
    columns = [
        vectors.places([event[role] for event in events], verbs=role == 1) for role in range(3)
    ]
    return np.stack(columns, axis=1) if events else np.empty((0, 3), dtype=np.int64)


def plain_features(places: Ints, vectors: BakedVectors) -> Floats:
    """Return products of vectors, cosines, the vectors themselves, and how frequent words are."""
    subject, verb, object_ = (vectors.rows(places[:, role]) for role in range(3))
    twos = ((subject, verb), (verb, object_), (subject, object_))
    products = [first * second for first, second in twos]
    cosines = np.stack([product.sum(axis=1) for product in products], axis=1)
    often = np.log(np.where(places >= 0, places, len(vectors.place)) + 10.0)
    plain = [PRODUCT * product for product in products]
    own = [VECTOR * vector for vector in (subject, verb, object_)]
    return np.hstack([*plain, COSINE * cosines, *own, often - often_mean(vectors)])


def event_features(places: Ints, vectors: BakedVectors, direction: Floats, phase: Floats) -> Floats:
    """Return the features of every event; those of two words are 0 if either is not known."""
    subject, verb, object_ = (vectors.rows(places[:, role]) for role in range(3))
    twos = ((subject, verb), (verb, object_), (subject, object_))
    known = places >= 0
    both = (known[:, 0] & known[:, 1], known[:, 1] & known[:, 2], known[:, 0] & known[:, 2])
    waves = [
        np.cos(np.hstack(two) @ direction[at] + phase[at])
        * (np.sqrt(2 / WAVES) * WAVE * both[at])[:, None]
        for at, two in enumerate(twos)
    ]
    return np.hstack([plain_features(places, vectors), *waves])


def often_mean(vectors: BakedVectors) -> float:
    """Return the mean of the logarithm of a word's place, over all words."""
    return float(np.log(np.arange(len(vectors.place)) + 10.0).mean())


def event_scores(places: Ints, vectors: BakedVectors, model: Mapping[str, Floats]) -> Floats:
    """Return the logit that each event is plausible."""
    features = event_features(places, vectors, model["direction"], model["phase"])
    logit: Floats = (features - model["centre"]) @ model["weight"] + float(model["intercept"])
    return logit


@cache
def _shipped() -> dict[str, Floats]:
    return {name: part.astype(np.float64) for name, part in arrays("events").items()}


def predict_frequency(events: pl.DataFrame, *, model: str = "events-frequency") -> pl.DataFrame:
    """Return how frequent the three words of each event are, the baseline a model must beat.

    `score` is the mean of the logarithms of the words' places in the order of frequency, from the
    most frequent down, so more frequent words score higher; a word without a vector stands last.

    Args:
        events: item, subject, verb, object.
        model: The name the predictions carry.
    """
    distinct = events.unique("item", maintain_order=True)
    vectors = baked_vectors()
    places = places_of(distinct.select(WORDS).rows(), vectors)
    often = np.log(np.where(places >= 0, places, len(vectors.place)) + 10.0)
    table = distinct.select(
        "item",
        question=pl.lit(QUESTION),
        model=pl.lit(model),
        score=pl.Series(-often.mean(axis=1), dtype=pl.Float64),
        evidence=pl.Series(_evidence(places), dtype=pl.String),
    )
    return PREDICTIONS.sort(PREDICTIONS.check(table))


def _evidence(places: Ints) -> list[str]:
    """Return whether all words of an event have a vector, some, or none."""
    known = (places >= 0).sum(axis=1)
    return [SEEN if n == len(WORDS) else BACKED_OFF if n else UNKNOWN for n in known]


def predict_events(events: pl.DataFrame, *, model: str = "events-lite") -> pl.DataFrame:
    """Return what `events-lite` says about events.

    `score` is the probability that an event is plausible compared with one with exchanged words;
    `evidence` shows whether all of its words have a vector (seen), some (backed-off) or none.

    Args:
        events: item, subject, verb, object.
        model: The name the predictions carry.
    """
    distinct = events.unique("item", maintain_order=True)
    vectors = baked_vectors()
    places = places_of(distinct.select(WORDS).rows(), vectors)
    return predict_with(distinct, expit(event_scores(places, vectors, _shipped())), model)


def predict_with(events: pl.DataFrame, probability: Floats, model: str) -> pl.DataFrame:
    """Return the predictions a model makes of how probable each event is.

    Args:
        events: item, subject, verb, object, each item once.
        probability: That it is plausible, one each.
        model: The name the predictions carry.
    """
    places = places_of(events.select(WORDS).rows(), baked_vectors())
    table = events.select(
        "item",
        question=pl.lit(QUESTION),
        model=pl.lit(model),
        label=pl.Series([PLAUSIBLE if p >= 0.5 else IMPLAUSIBLE for p in probability]),
        score=pl.Series(probability, dtype=pl.Float64),
        evidence=pl.Series(_evidence(places), dtype=pl.String),
    )
    return PREDICTIONS.sort(PREDICTIONS.check(table))
