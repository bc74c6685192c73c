"""Models of selectional preference, by kind: fitted on counts, stored, and asked about pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.errors import StudyError, UnknownName
from plausibly.models import nn, ppmi, resnik
from plausibly.models.combined import Parts, groups, mean_claim
from plausibly.models.counts import (
    PairCounts,
    Vocabulary,
    arrays_of,
    counts_from,
    packed,
    unpacked,
)
from plausibly.models.ds import Similarity
from plausibly.models.pairs import Scores, known_relation, places_of
from plausibly.models.pp import Posterior, best_mass
from plausibly.models.regression import fit_regression, regression_from
from plausibly.models.stored import Stored
from plausibly.models.vectors import WordVectors

KINDS = ("combined", "ds", "nn", "pp", "ppmi", "resnik")
NEED_VECTORS = ("combined", "ds")


@dataclass(frozen=True)
class Choices:
    """What may be chosen when a model is fitted.

    Args:
        smoothed: PP: back off where nothing was seen, with the mass that fits best.
        similarity: DS: weights, and whether a pair itself counts.
        network: NN: sizes and training.
        scores: Combined: people's scores (relation, head, dependent, score) to learn from.
        frequency: Combined: from lower-cased words to their frequency on a logarithmic scale.
        classes: Resnik: the classes of nouns.
        seed: Random seed; the same seed gives the same model.
    """

    smoothed: bool = False
    similarity: Similarity = field(default_factory=Similarity)
    network: nn.Network = field(default_factory=nn.Network)
    scores: pl.DataFrame | None = None
    frequency: Mapping[str, float] = field(default_factory=dict)
    classes: resnik.NounClasses | None = None
    seed: int = 1


def fit_pairs(
    kind: str,
    counts: Mapping[str, PairCounts],
    vectors: WordVectors | None = None,
    choices: Choices | None = None,
) -> Stored:
    """Return a fitted model of one kind, ready to be stored or asked."""
    if kind not in KINDS:
        raise UnknownName("kind of model", kind, KINDS)
    chosen = choices or Choices()
    if kind in NEED_VECTORS and vectors is None:
        raise StudyError(f"a model of kind {kind!r} needs word vectors.")
    settings: dict[str, object] = {"relations": list(counts), "seed": chosen.seed}
    arrays = arrays_of(counts)
    if vectors is not None and kind in NEED_VECTORS:
        settings["vectors"] = vectors.name
        arrays |= {"vectors/words": packed(vectors.words.words), "vectors/table": vectors.table}
    if kind == "pp":
        settings["mass"] = _masses(counts) if chosen.smoothed else dict.fromkeys(counts, 0.0)
    elif kind == "resnik":
        if chosen.classes is None:
            raise StudyError("a model of kind 'resnik' needs the classes of nouns (WordNet).")
        arrays |= chosen.classes.arrays()
    elif kind == "ds":
        settings["similarity"] = asdict(chosen.similarity)
    elif kind == "nn":
        settings["network"] = asdict(chosen.network)
        arrays |= _networks(counts, chosen)
    elif kind == "combined" and vectors is not None:
        settings["mass"] = _masses(counts)
        settings["learnt"] = sorted(_learn(counts, vectors, chosen, arrays))
        settings["frequency"] = dict(chosen.frequency)
    return Stored(kind, settings, arrays)


def _masses(counts: Mapping[str, PairCounts]) -> dict[str, float]:
    return {relation: best_mass(own) for relation, own in counts.items()}


def _networks(
    counts: Mapping[str, PairCounts], chosen: Choices
) -> dict[str, npt.NDArray[np.generic]]:
    return {
        f"{relation}/nn/{name}": value
        for relation, own in counts.items()
        for name, value in nn.fit(own, chosen.network, seed=chosen.seed).items()
    }


def _learn(
    counts: Mapping[str, PairCounts],
    vectors: WordVectors,
    chosen: Choices,
    arrays: dict[str, npt.NDArray[np.generic]],
) -> list[str]:
    """Add a regression for every relation that has scores; return those relations."""
    if chosen.scores is None:
        return []
    learnt: list[str] = []
    masses = _masses(counts)
    for relation, own in counts.items():
        pairs = chosen.scores.filter(pl.col("relation") == relation)
        if pairs.is_empty():
            continue
        parts = Parts(own, vectors, masses[relation], chosen.frequency)
        score = pairs["score"].to_numpy().astype(np.float64)
        heads = pairs["head"].to_list()
        fitted = fit_regression(groups(pairs, parts), score, heads, seed=chosen.seed)
        arrays |= fitted.arrays(f"{relation}/regression")
        learnt.append(relation)
    return learnt


Ask = Callable[[str, pl.DataFrame], Scores]


def relations_of(model: Stored) -> list[str]:
    """Return the relations a stored model was fitted on."""
    return [str(name) for name in _list(model.settings["relations"])]


def asked(model: Stored) -> Ask:
    """Return what a stored model says: from a relation and its pairs to scores."""
    if model.kind not in KINDS:
        raise UnknownName("kind of model", model.kind, KINDS)
    settings = model.settings
    counts = counts_from(model.arrays, relations_of(model))
    vectors = _vectors(model)

    def ask(relation: str, pairs: pl.DataFrame) -> Scores:
        relation = relation if relation in counts else relation.lower()
        own = known_relation(relation, counts)
        if model.kind == "pp":
            return Posterior(_mass(settings, relation)).scores(pairs, own)
        if model.kind == "ppmi":
            return ppmi.scores(pairs, own)
        if model.kind == "resnik":
            return resnik.scores(relation, pairs, own, resnik.stored_classes(model.arrays))
        if model.kind == "nn":
            prefix = f"{relation}/nn/"
            weights = {
                name.removeprefix(prefix): value.astype(np.float32)
                for name, value in model.arrays.items()
                if name.startswith(prefix)
            }
            return nn.scores(pairs, own, weights)
        if model.kind == "ds":
            return Similarity(**_dict(settings["similarity"])).scores(pairs, own, vectors)
        return _combination(
            model,
            relation,
            pairs,
            Parts(own, vectors, _mass(settings, relation), _dict(settings["frequency"])),
        )

    return ask


def _combination(model: Stored, relation: str, pairs: pl.DataFrame, parts: Parts) -> Scores:
    if relation not in _list(model.settings["learnt"]):
        return mean_claim(pairs, parts)
    fitted = regression_from(f"{relation}/regression", model.arrays)
    score = fitted.predict(groups(pairs, parts), pairs["head"].to_list())
    return Scores(score, places_of(pairs, parts.counts).level)


def _vectors(model: Stored) -> WordVectors:
    if "vectors/table" not in model.arrays:
        return WordVectors("none", Vocabulary(()), np.zeros((0, 0), dtype=np.float32))
    words = Vocabulary(unpacked(model.arrays["vectors/words"]))
    table = model.arrays["vectors/table"].astype(np.float32)
    return WordVectors(str(model.settings["vectors"]), words, table)


def _mass(settings: Mapping[str, object], relation: str) -> float:
    return float(_dict(settings["mass"])[relation])


def _dict(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise StudyError("the model's settings are damaged. Fit it again.")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise StudyError("the model's settings are damaged. Fit it again.")
    return value
