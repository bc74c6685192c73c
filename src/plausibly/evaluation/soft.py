"""Distributions over answers against those of people, with the floor a perfect model meets.

PAP's point (Eichel and Schulte im Walde 2023, section 7) is that disagreement says something. A
handful of ratings is a sample, though: even the true distribution is not at distance 0 from it.
Every measure therefore comes with its `floor` (for measures that grow with quality, its
ceiling), what a perfect model reaches against as many ratings, and with `people`, what one
random half of an item's ratings reaches against the other half.

Log scores of a model cut its probabilities at a stated floor (`least`). A half of a few ratings
lacks answers that people give, so that its log score would be that of the floor: it gets half a
rating more of each answer instead (Krichevsky and Trofimov 1981), so every answer is possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from plausibly.domain import Measure
from plausibly.errors import TableError
from plausibly.evaluation.answers import matched, probabilities
from plausibly.evaluation.clusters import cluster_codes, summed
from plausibly.evaluation.pairs import pooled
from plausibly.evaluation.report import WHOLE, Evaluation
from plausibly.measures.correlation import spearman
from plausibly.measures.dirichlet import perfect_models
from plausibly.measures.distances import DISTANCES, LEAST, Distance, entropy, wasserstein
from plausibly.measures.ranking import Floats, Ints
from plausibly.measures.ratios import ratio_bootstrap

SPLITS = 100
ENTROPY = "entropy_correlation"
LOG_SCORES = ("cross_entropy", "kl_people_model")
# Ratings of each answer that a half of the people gets in addition, for log scores.
ADDED = 0.5


@dataclass(frozen=True, eq=False)
class Scale:
    """Answers in order, and where each lies.

    Args:
        answers: As the ratings have them.
        positions: Places on the scale; PAP's slider has no 3, so 2 and 4 lie two apart.
    """

    answers: tuple[str, ...]
    positions: tuple[float, ...]

    def distances(self) -> dict[str, Distance]:
        """Return every distance by name."""
        return {**DISTANCES, "wasserstein_1": wasserstein(np.asarray(self.positions))}


@dataclass(frozen=True, eq=False)
class Shared:
    """How often each answer was given to the items a model judged, and what the model says."""

    item: pl.Series
    counts: Floats
    model: Floats
    asked: int
    cluster: Ints


def rating_counts(ratings: pl.DataFrame, scale: Scale) -> pl.DataFrame:
    """Return one row per item: how often each answer of the scale was given."""
    strangers = ratings.filter(~pl.col("answer").is_in(scale.answers))
    if not strangers.is_empty():
        raise TableError(
            f"ratings: {strangers.height} of {ratings.height} answers are not on the scale "
            f"{', '.join(scale.answers)} (first: {strangers['answer'][0]!r})."
        )
    columns = [(pl.col("answer") == answer).sum().alias(answer) for answer in scale.answers]
    return ratings.group_by("item").agg(columns).sort("item")


def share(predictions: pl.DataFrame, counts: pl.DataFrame, scale: Scale, *, model: str) -> Shared:
    """Return answers and model side by side for the items that have a distribution."""
    rows = matched(predictions, counts, model=model)
    judged = rows.drop_nulls("distribution")
    if judged.is_empty():
        raise TableError(
            f"predictions of {model!r} carry no distribution. Soft measures need one over "
            f"{', '.join(scale.answers)} for each item."
        )
    names = {answer: answer for answer in scale.answers}
    table = probabilities(judged["distribution"], names, labels=scale.answers)
    if table is None:
        raise TableError(f"predictions of {model!r} lack a distribution.")
    answers = judged.select(scale.answers).to_numpy().astype(np.float64)
    return Shared(judged["item"], answers, table, rows.height, cluster_codes(judged))


def score_soft(
    shared: Shared, scale: Scale, *, model: str, resamples: int, seed: int
) -> Evaluation:
    """Return every distance with its interval, its floor and the human row."""
    people = shared.counts / shared.counts.sum(axis=1, keepdims=True)
    n = len(people)
    distances = scale.distances()
    measures: dict[str, Measure] = {
        name: replace(
            ratio_bootstrap(
                summed(distance(people, shared.model), shared.cluster),
                summed(np.ones(n), shared.cluster),
                resamples=resamples,
                seed=seed,
            ),
            n=n,
        )
        for name, distance in distances.items()
    }
    measures |= _means(people, shared, scale, {"resamples": resamples, "seed": seed})
    measures["decided_accuracy"] = _decided(people, shared, {"resamples": resamples, "seed": seed})
    measures[ENTROPY] = spearman(entropy(people), entropy(shared.model))
    measures["coverage"] = Measure(n / shared.asked, shared.asked)
    details = {
        "floor": floors(shared.counts, distances, seed=seed),
        "people": split_half(shared.counts, distances, seed=seed),
        "positions": dict(zip(scale.answers, scale.positions, strict=True)),
        "least": LEAST,
        "added": ADDED,
        "n": n,
    }
    return Evaluation("pap-soft", model, {WHOLE: measures}, details)


def _means(
    people: Floats, shared: Shared, scale: Scale, drawn: Mapping[str, int]
) -> dict[str, Measure]:
    """Return how well the model's mean answer ranks the items, and how far it is from people's."""
    ours, theirs = (table @ np.asarray(scale.positions) for table in (shared.model, people))
    far = summed(np.abs(ours - theirs), shared.cluster)
    once = summed(np.ones(len(people)), shared.cluster)
    return {
        "mean_spearman": pooled(ours, theirs, shared.cluster, **drawn),
        "mean_mae": replace(ratio_bootstrap(far, once, **drawn), n=len(people)),
    }


def _decided(people: Floats, shared: Shared, drawn: Mapping[str, int]) -> Measure:
    """Return how often the model's likeliest answer is what more than half of the people say.

    Items without such an answer are left out. A model whose likeliest answers are tied is not
    right: a tie is never broken.
    """
    decided = people.max(axis=1) > 0.5
    likeliest = shared.model >= shared.model.max(axis=1, keepdims=True)
    alone = likeliest.sum(axis=1) == 1
    right = alone & (shared.model.argmax(axis=1) == people.argmax(axis=1)) & decided
    hits, counted = (summed(one.astype(np.float64), shared.cluster) for one in (right, decided))
    kept = counted > 0
    return replace(ratio_bootstrap(hits[kept], counted[kept], **drawn), n=int(decided.sum()))


def floors(
    counts: Floats, distances: Mapping[str, Distance], *, seed: int, draws: int = 200
) -> dict[str, float | None]:
    """Return what a perfect model reaches on average against as many ratings."""
    if len(counts) < 2:
        return dict.fromkeys(distances)
    totals: dict[str, list[float]] = {name: [] for name in (*distances, ENTROPY)}
    for answers, truth in perfect_models(counts, draws=draws, seed=seed):
        for name, distance in distances.items():
            totals[name].append(float(distance(answers, truth).mean()))
        rho = spearman(entropy(answers), entropy(truth)).value
        totals[ENTROPY] += [] if rho is None else [rho]
    return {name: float(np.mean(found)) if found else None for name, found in totals.items()}


def split_half(
    counts: Floats, distances: Mapping[str, Distance], *, seed: int
) -> dict[str, float | None]:
    """Return what half of an item's ratings reaches against the other half, over many splits."""
    rated = counts[counts.sum(axis=1) >= 2].astype(np.int64)
    if len(rated) == 0:
        return dict.fromkeys(distances)
    generator = np.random.default_rng(seed)
    halves = rated.sum(axis=1) // 2
    totals: dict[str, list[float]] = {name: [] for name in (*distances, ENTROPY)}
    for _ in range(SPLITS):
        first = _half(rated, halves, generator)
        second = rated - first
        sides = [side / side.sum(axis=1, keepdims=True) for side in (first, second)]
        possible = second + ADDED
        possible /= possible.sum(axis=1, keepdims=True)
        for name, distance in distances.items():
            other = possible if name in LOG_SCORES else sides[1]
            totals[name].append(float(distance(sides[0], other).mean()))
        rho = spearman(entropy(sides[0]), entropy(sides[1])).value
        totals[ENTROPY] += [] if rho is None else [rho]
    return {name: float(np.mean(found)) if found else None for name, found in totals.items()}


def _half(counts: Ints, sizes: Ints, generator: np.random.Generator) -> Ints:
    """Return how often each answer falls into a random half of each item's ratings."""
    left, wanted = counts.sum(axis=1), sizes.copy()
    taken = np.zeros_like(counts)
    for answer in range(counts.shape[1] - 1):
        rest = left - counts[:, answer]
        taken[:, answer] = generator.hypergeometric(counts[:, answer], rest, wanted)
        wanted -= taken[:, answer]
        left = rest
    taken[:, -1] = wanted
    return taken
