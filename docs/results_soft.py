"""How people's answers spread: the part of docs/results/events.md on pap-soft.

Called by `docs/make_results_labels.py`.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import plausibly as pb
from plausibly.datasets.pap.events import read_pap
from plausibly.evaluation.soft import ADDED, rating_counts, split_half
from plausibly.evaluation.truth import PAP_SCALE
from plausibly.measures.distances import LEAST
from plausibly.models.lite.events import event_features, event_scores, places_of
from plausibly.models.lite.words import arrays, baked_vectors
from plausibly.models.soft import fit_soft, folds_of, soft_shares

OF_SHARES = (
    *("cross_entropy", "kl_people_model", "jsd", "manhattan", "wasserstein_1"),
    *("soft_accuracy", "entropy_correlation"),
)
# The features of events-lite before its waves.
NO_WAVES = 306
# Fixed beforehand; no other was tried on these events in this form.
PENALTY = 3000.0
FOLDS = 5
SOFT = [
    "",
    "## How people's answers spread (pap-soft)",
    "",
    "A regression (`models/soft.py`) learns the shares of the four answers (at 1, 2, 4 and 5)",
    "from the features and the score of events-lite. Every event is predicted by a fit that did",
    "not see its fold (of five), with one penalty not tried out before. For comparison: the",
    "shares of all events; what a random half of an event's people reaches against the other",
    "half; and what a model that knows the truth would reach against as many people (the floor,",
    "Dirichlet-multinomial; for soft accuracy and the correlation of entropies a ceiling).",
    "Intervals draw verbs, each with all of its events.",
    "",
]


CUTS = (1e-6, 1e-4, 1e-2)


def cut_entropy(least: float, people: Any, other: Any) -> Any:
    """Return the cross-entropy with probabilities cut at a floor."""
    return -(people * np.log(np.maximum(other, least))).sum(axis=1)


def log_scores(answers: Any, smallest: float) -> list[str]:
    """Return how log scores treat what a row rules out, and what a cut would give instead."""
    by_cut = split_half(answers, {f"{one:g}": partial(cut_entropy, one) for one in CUTS}, seed=0)
    cut = ", ".join(f"{by_cut[f'{one:g}']:.2f} at {one:g}" for one in CUTS)
    return [
        f"For the log scores (cross_entropy, kl_people_model), a model's probabilities are cut at "
        f"{LEAST:g};",
        f"the smallest probability of the two models is {smallest:.2g}. A half of the people gets "
        f"{ADDED:g} ratings more",
        f"of each answer. With a cut instead, its cross-entropy would depend on the cut: {cut}.",
        "",
    ]


def cell(measure: dict[str, Any]) -> str:
    """Return a measure with its interval."""
    if measure["value"] is None:
        return "undefined"
    if measure["low"] is None:
        return f"{measure['value']:.3f}"
    return f"{measure['value']:.3f} ({measure['low']:.3f} to {measure['high']:.3f})"


def soft(file: Path) -> list[str]:
    """Return the part on distributions of answers."""
    counts = rating_counts(read_pap(file, names={}).ratings, PAP_SCALE)
    answers = counts.select(PAP_SCALE.answers).to_numpy().astype(float)
    places = places_of([item.split() for item in counts["item"]], baked_vectors())
    model = {name: part.astype(float) for name, part in arrays("events").items()}
    features = event_features(places, baked_vectors(), model["direction"], model["phase"])
    logit = event_scores(places, baked_vectors(), model)
    features = np.hstack([features[:, :NO_WAVES], logit[:, None]])
    features = (features - features.mean(axis=0)) / np.maximum(features.std(axis=0), 1e-9)
    fold = folds_of(np.arange(len(answers)), folds=FOLDS, seed=1)
    shares = np.zeros_like(answers)
    alike = np.zeros_like(answers)
    for out in range(FOLDS):
        inside = fold != out
        weights = fit_soft(features[inside], answers[inside], penalty=PENALTY)
        shares[~inside] = soft_shares(features[~inside], weights)
        alike[~inside] = answers[inside].sum(axis=0) / answers[inside].sum()
    tables = {"the shares of all events": alike, "soft regression": shares}
    found = {
        name: pb.evaluate(
            as_predictions(counts["item"].to_list(), one, name), against=file, scheme="pap-soft"
        ).as_json()
        for name, one in tables.items()
    }
    compared = pb.compare(
        [as_predictions(counts["item"].to_list(), one, name) for name, one in tables.items()],
        against=file,
        scheme="pap-soft",
    ).as_json()["comparisons"]
    scored = log_scores(answers, float(min(alike.min(), shares.min())))
    return [*SOFT, *scored, *soft_table(found), *soft_gaps(compared)]


def soft_table(found: dict[str, dict[str, Any]]) -> list[str]:
    """Return every distance of both models, with its floor and the human row."""
    first = next(iter(found.values()))
    heads = (*OF_SHARES, "n")
    lines = ["| row | " + " | ".join(heads) + " |", "|" + "---|" * (1 + len(heads))]
    for name, one in found.items():
        cells = [*(cell(one[key]) for key in OF_SHARES), str(one["jsd"]["n"])]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    for name, key in (("one half of the people", "people"), ("a perfect model", "floor")):
        cells = [*(f"{first[key][metric]:.3f}" for metric in OF_SHARES), str(first["jsd"]["n"])]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def soft_gaps(compared: list[dict[str, Any]]) -> list[str]:
    """Return the difference of the two models, metric by metric."""
    return [
        f"{row['b']} minus {row['a']}, {row['metric']}: {-row['difference']:.4f} "
        f"({-row['high']:.4f} to {-row['low']:.4f}), p = {row['p']:.4f}.  "
        for row in compared
    ]


def as_predictions(items: list[str], shares: Any, model: str) -> pl.DataFrame:
    """Return a predictions table of distributions over PAP's answers."""
    texts = [
        json.dumps(dict(zip(PAP_SCALE.answers, map(float, row), strict=True))) for row in shares
    ]
    return pl.DataFrame(
        {"item": items, "question": "plausible", "model": model, "distribution": texts}
    )
