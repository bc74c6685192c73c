"""Models of events learnt from ratings: a regression on features of subject, verb and object.

Features come in named groups: word vectors and their products, frequency, concreteness, counts of
the verb with its subject and object (PP and DS), and a sentence encoder. The regression learns the
share of people who find an event plausible, weighting events by their number of answers; columns
are standardised, and every group has the same weight however many columns it has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.errors import StudyError, UnknownName, option
from plausibly.models.counts import (
    Floats,
    Ints,
    PairCounts,
    Vocabulary,
    arrays_of,
    counts_from,
    packed,
    unpacked,
)
from plausibly.models.ds import Similarity
from plausibly.models.lite.events import places_of, plain_features
from plausibly.models.lite.words import baked_vectors, lemmas
from plausibly.models.pp import Posterior, best_mass
from plausibly.models.soft import fit_soft, folds_of, soft_shares
from plausibly.models.stored import Stored
from plausibly.models.vectors import WordVectors, ppmi_svd

KIND = "events"
FREQUENCIES = 3  # the last columns of the plain features
PENALTIES = (1.0, 10.0, 100.0, 1000.0)
INNER = 3
SLOTS = {"nsubj": 0, "dobj": 2}  # relation of the verb to subject and object, by place
VERB = 1

Triples = Sequence[tuple[str, str, str]]
Encoder = Callable[[Sequence[str]], Floats]


@dataclass(frozen=True, eq=False)
class EventSources:
    """The sources of the features, besides the vectors that come with the package.

    Args:
        counts: Counts of the relations nsubj and dobj.
        vectors: Vectors by which DS compares words.
        norms: The rated concreteness of each word.
        encode: From texts to unit vectors, one row each.
    """

    counts: Mapping[str, PairCounts] = field(default_factory=dict)
    vectors: WordVectors | None = None
    norms: Mapping[str, float] = field(default_factory=dict)
    encode: Encoder | None = None


def counted_sources(counts: Mapping[str, PairCounts], *, seed: int) -> EventSources:
    """Return counts of subjects and objects, with vectors made from them; raise if missing."""
    missing = [relation for relation in SLOTS if relation not in counts]
    if missing:
        raise StudyError(
            f"the features 'counts' need the relations {' and '.join(SLOTS)}; the counts have no "
            f"{missing[0]}."
        )
    own = {relation: counts[relation] for relation in SLOTS}
    return EventSources(own, ppmi_svd(own, seed=seed))


def _plain(events: Triples) -> Floats:
    return plain_features(places_of(events, baked_vectors()), baked_vectors())


def _vectors(events: Triples, _sources: EventSources) -> Floats:
    return _plain(events)[:, :-FREQUENCIES]


def _frequency(events: Triples, _sources: EventSources) -> Floats:
    return _plain(events)[:, -FREQUENCIES:]


def _concreteness(events: Triples, sources: EventSources) -> Floats:
    """Return the rating of each word, or the mean if it has none, and which words have none."""
    middle = float(np.mean(list(sources.norms.values()))) if sources.norms else 0.0
    table = np.zeros((len(events), 6))
    for row, event in enumerate(events):
        for place, word in enumerate(event):
            form = known_form(word, sources.norms, verbs=place == VERB)
            table[row, place] = middle if form is None else sources.norms[form]
            table[row, 3 + place] = form is None
    return table


def _counted(events: Triples, sources: EventSources) -> Floats:
    """Return PP on a logarithmic scale and DS of subject and object, and their counts."""
    if sources.vectors is None:
        raise StudyError(f"the features 'counts' need counts. Pass {option('counts')}.")
    columns: list[Floats] = []
    for relation, place in SLOTS.items():
        own = sources.counts[relation]
        heads, dependents = (set(side.words) for side in (own.heads, own.dependents))
        pairs = pl.DataFrame(
            {
                "head": [known_form(e[VERB], heads, verbs=True) or e[VERB] for e in events],
                "dependent": [known_form(e[place], dependents) or e[place] for e in events],
            }
        )
        posterior = Posterior(best_mass(own)).scores(pairs, own)
        similar = Similarity().scores(pairs, own, sources.vectors)
        columns += [np.log(posterior.score), posterior.level.astype(np.float64), similar.score]
    return np.stack(columns, axis=1)


def _encoded(events: Triples, sources: EventSources) -> Floats:
    """Return the vector of each event as a sentence, and the cosines of its words."""
    if sources.encode is None:
        raise StudyError("the features 'minilm' need an encoder.")
    sentences = sources.encode([" ".join(event) for event in events])
    words = sorted({word for event in events for word in event})
    place = {word: row for row, word in enumerate(words)}
    table = sources.encode(words)
    subject, verb, object_ = (table[[place[e[role]] for e in events]] for role in range(3))
    twos = ((subject, verb), (verb, object_), (subject, object_))
    return np.hstack([sentences, *(np.sum(a * b, axis=1, keepdims=True) for a, b in twos)])


FEATURES: Mapping[str, Callable[[Triples, EventSources], Floats]] = {
    "vectors": _vectors,
    "frequency": _frequency,
    "concreteness": _concreteness,
    "counts": _counted,
    "minilm": _encoded,
}


def known_form(word: str, known: Collection[str], *, verbs: bool = False) -> str | None:
    """Return the known form of a word: itself or a lemma; for a verb, the lemma first.

    >>> known_form("permits", {"permit", "permits"}, verbs=True), known_form("news", {"news"})
    ('permit', 'news')
    """
    own = word.lower()
    forms = [*lemmas(own, verbs=verbs)]
    forms = [*forms, own] if verbs else [own, *forms]
    return next((form for form in forms if form in known), None)


def chosen_features(text: str) -> tuple[str, ...]:
    """Return the groups of features in a list with commas; raise if one is unknown.

    >>> chosen_features("vectors, minilm")
    ('vectors', 'minilm')
    """
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    unknown = next((name for name in names if name not in FEATURES), None)
    if unknown is not None or not names:
        raise UnknownName("features", unknown or text, FEATURES)
    return names


@dataclass(frozen=True, eq=False)
class EventTable:
    """Features of events, standardised, every group with the same weight."""

    values: Floats
    centre: Floats
    scale: Floats


def raw_features(events: Triples, names: Sequence[str], sources: EventSources) -> list[Floats]:
    """Return the columns of each group."""
    return [np.asarray(FEATURES[name](events, sources), dtype=np.float64) for name in names]


def standardised(groups: Sequence[Floats]) -> EventTable:
    """Return the columns of all groups on one scale."""
    table = np.hstack(list(groups))
    widths = np.concatenate([np.full(one.shape[1], np.sqrt(one.shape[1])) for one in groups])
    spread = table.std(axis=0)
    scale = np.where(spread > 1e-12, spread, 1.0) * widths
    centre = table.mean(axis=0)
    return EventTable((table - centre) / scale, centre, scale)


def best_penalty(table: Floats, answers: Floats, groups: Ints, *, seed: int) -> float:
    """Return the penalty under which events of a held-out fold are most probable."""
    fold = folds_of(groups, folds=INNER, seed=seed)
    losses = [_held_out_loss(table, answers, fold, penalty=penalty) for penalty in PENALTIES]
    return PENALTIES[int(np.argmin(losses))]


def _held_out_loss(table: Floats, answers: Floats, fold: Ints, *, penalty: float) -> float:
    loss = 0.0
    for out in np.unique(fold):
        inside = fold != out
        shares = soft_shares(
            table[~inside], fit_soft(table[inside], answers[inside], penalty=penalty)
        )
        loss -= float((answers[~inside] * np.log(np.maximum(shares, 1e-12))).sum())
    return loss


def held_out(
    groups: Sequence[Floats], answers: Floats, apart: Ints, *, folds: int, seed: int
) -> Floats:
    """Return the plausibility of each event, predicted by a regression that did not see its fold.

    The penalty is chosen within the other folds, so a fold has no influence on its predictions.

    Args:
        groups: Columns of each group of features.
        answers: How many people found each event implausible, and plausible.
        apart: Code of the verb; events with the same verb are in the same fold.
        folds: How many folds.
        seed: Seed of the random folds.
    """
    fold = folds_of(apart, folds=folds, seed=seed)
    shares = np.full(len(answers), np.nan)
    for out in np.unique(fold):
        inside = fold != out
        learnt = standardised([one[inside] for one in groups])
        code = np.unique(apart[inside], return_inverse=True)[1].astype(np.int64)
        penalty = best_penalty(learnt.values, answers[inside], code, seed=seed)
        weights = fit_soft(learnt.values, answers[inside], penalty=penalty)
        rest = (np.hstack([one[~inside] for one in groups]) - learnt.centre) / learnt.scale
        shares[~inside] = soft_shares(rest, weights)[:, 1]
    return shares


def fit_event_model(
    groups: Sequence[Floats], answers: Floats, apart: Ints, names: Sequence[str], *, seed: int
) -> Stored:
    """Return the regression on all events, without the sources it needs to be stored."""
    learnt = standardised(groups)
    penalty = best_penalty(learnt.values, answers, apart, seed=seed)
    weights = fit_soft(learnt.values, answers, penalty=penalty)
    widths = {name: one.shape[1] for name, one in zip(names, groups, strict=True)}
    settings = {"features": list(names), "columns": widths, "penalty": penalty, "seed": seed}
    arrays = {"weights": weights, "centre": learnt.centre, "scale": learnt.scale}
    return Stored(KIND, settings, arrays)


def with_sources(model: Stored, sources: EventSources) -> Stored:
    """Return the model with all it needs to judge new events, except an encoder's weights."""
    arrays: dict[str, npt.NDArray[np.generic]] = dict(model.arrays)
    if sources.vectors is not None:
        arrays |= arrays_of(sources.counts)
        arrays |= {"vectors/words": packed(sources.vectors.words.words)}
        arrays |= {"vectors/table": sources.vectors.table}
    if sources.norms:
        words = sorted(sources.norms)
        arrays |= {"norms/words": packed(tuple(words))}
        arrays |= {"norms/values": np.array([sources.norms[word] for word in words])}
    return Stored(model.kind, model.settings, arrays)


def stored_sources(model: Stored, encode: Encoder | None) -> EventSources:
    """Return the sources of a stored model's features."""
    arrays = model.arrays
    counts: Mapping[str, PairCounts] = {}
    vectors, norms = None, {}
    if "vectors/table" in arrays:
        counts = counts_from(arrays, list(SLOTS))
        words = Vocabulary(unpacked(arrays["vectors/words"]))
        vectors = WordVectors("counts", words, arrays["vectors/table"].astype(np.float32))
    if "norms/words" in arrays:
        values = arrays["norms/values"].astype(np.float64)
        norms = dict(zip(unpacked(arrays["norms/words"]), map(float, values), strict=True))
    return EventSources(counts, vectors, norms, encode)


def event_shares(model: Stored, events: Triples, encode: Encoder | None) -> Floats:
    """Return the plausibility of each event according to a stored model, from 0 to 1."""
    names = [str(name) for name in _names(model)]
    sources = stored_sources(model, encode)
    raw = partial(raw_features, names=names, sources=sources)
    centre, scale, weights = (
        model.arrays[name].astype(np.float64) for name in ("centre", "scale", "weights")
    )
    table = (np.hstack(raw(events)) - centre) / scale
    shares: Floats = soft_shares(table, weights)[:, 1]
    return shares


def needs_encoder(model: Stored) -> bool:
    """Return whether a stored model needs a sentence encoder."""
    return "minilm" in _names(model)


def _names(model: Stored) -> list[object]:
    names = model.settings.get("features")
    if not isinstance(names, list) or any(name not in FEATURES for name in names):
        raise StudyError("the model's settings are damaged. Fit it again.")
    return names
