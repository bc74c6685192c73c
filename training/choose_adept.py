"""Compare encoders that `plausibly models tune` fine-tuned, pool them, and write predictions.

    python training/choose_adept.py TUNED --data DATA -o PREDICTIONS

TUNED holds one folder per recipe and number of classes, RECIPE.CLASSES, such as `mpnet-words.5`:

    plausibly models tune --items train.json --encoder mpnet --grid mpnet.toml --folds noun
        --scheme adept-5 -o TUNED/mpnet.5
    plausibly models predict TUNED/mpnet.5 val.json -o TUNED/mpnet.5/val.parquet

with a grid file of one recipe (`--context none` for -words, `--frozen` for -frozen, rank = 16 for
-adapter). For five, four and three classes: every recipe on the nouns it held out; for each encoder
the recipe with the least cross-entropy there, with its temperature and its seeds averaged; and a
log-linear pool of the encoders, of noun and modifier alone and of `adept-lite` trained in the same
folds. Four classes take the choice of five. The pool's weights come from held-out nouns of
train.json, its figure there from folds its weights did not see, and so does the figure of the
choice. Writes one predictions table for each, for `plausibly evaluate` and `plausibly compare`, and
`choice.json` with every figure.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from scipy.optimize import minimize
from train_lite import counted, multinomial

from plausibly.backends.finetuning.encoder import ADAPTED, adapted_layers, classifier
from plausibly.backends.weights import encoder_folder
from plausibly.datasets.adept import CLASSES as NAMES
from plausibly.datasets.adept import QUESTION
from plausibly.datasets.adept.pairs import read_pairs
from plausibly.measures.graded import macro_f1s
from plausibly.models.lite import adept
from plausibly.models.lite.words import arrays, baked_vectors
from plausibly.models.tuned import FOLDS, fold_of
from plausibly.tables import PREDICTIONS

Floats = Any
LITE = "lite"
UPDATED = "minilm-adapter"
SHIPPED = Path(__file__).resolve().parents[1] / "src" / "plausibly" / "models" / "lite" / "shipped"
PENALTY = json.loads((SHIPPED / "card.json").read_text())["adept-lite"]["measured"]["penalty"]
RANK = 16
# From the five labels of a pair to its class; -1 is left out (sections 3, 4.2 and 5.3).
CLASSES = {5: (0, 1, 2, 3, 4), 4: (-1, 0, 1, 2, 3), 3: (0, 0, 1, 2, 2)}
THREE = ("decrease", "equal", "increase")
LABELS = {5: NAMES, 4: NAMES[1:], 3: THREE}
ENCODERS = ("mpnet", "minilm")
WORDS_ALONE = "mpnet-words"
NOT_RIVALS = ("-words", "-frozen", "-adapter")
TINY = 1e-6


def lite_cells(folder: Path, train: pl.DataFrame, val: pl.DataFrame) -> None:
    """Write what `adept-lite`, trained in the same folds, says about held-out pairs and val."""
    place = folder / f"{LITE}.5"
    if (place / "val.parquet").exists():
        return
    place.mkdir(exist_ok=True)
    vectors, shipped = baked_vectors(), arrays("adept")
    waves = {name: shipped[name] for name in ("direction", "phase")}
    fold = np.array([fold_of(noun) for noun in train["noun"]])
    label = train["label"].to_numpy()
    table = adept.pair_features(train, vectors, *(waves[n].astype(float) for n in waves))
    ids, shares = [], []
    for number in (*range(FOLDS), None):
        out = fold == (-1 if number is None else number)
        fitted = multinomial(table[~out], label[~out], PENALTY)
        model = {**waves, **fitted, **counted(train.filter(~out))}
        asked = val if number is None else train.filter(out)
        said = adept.effect_shares(asked, vectors, model)
        if number is None:
            written(place / "val.parquet", asked["idx"].to_numpy(), said, 5, LITE)
        else:
            ids.append(asked["idx"].to_numpy())
            shares.append(said)
    file = place / "predictions.parquet"
    written(file, np.concatenate(ids), np.concatenate(shares), 5, LITE)


def probabilities(folder: Path, name: str, classes: int, which: str) -> tuple[Floats, Floats]:
    """Return pairs and probabilities, held out or of val."""
    file = "predictions.parquet" if which == "held" else "val.parquet"
    path = folder / f"{name}.{classes}" / file
    if not path.exists():
        return np.empty(0, dtype=np.int64), np.empty((0, classes))
    said = pl.read_parquet(path)
    rows = [json.loads(text) for text in said["distribution"]]
    table = np.array([[row[label] for label in LABELS[classes]] for row in rows])
    return said["item"].cast(pl.Int64).to_numpy(), table


def logs(table: Floats, made_of: int, classes: int) -> Floats:
    """Return log-probabilities of `classes`, folded or spread from another number of classes."""
    if made_of == classes:
        return np.log(table + TINY)
    if made_of == 5 and classes == 3:
        parts = [table[:, :2].sum(axis=1), table[:, 2], table[:, 3:].sum(axis=1)]
        return np.log(np.stack(parts, axis=1) + TINY)
    if made_of == 5:
        rest = table[:, 1:] / table[:, 1:].sum(axis=1, keepdims=True)
        return np.log(rest + TINY)
    places = [0, 0, 1, 2, 2]
    return np.log(table[:, places if classes == 5 else places[1:]] + TINY)


def softmax(table: Floats) -> Floats:
    """Return probabilities of raw scores."""
    odds = np.exp(table - table.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def pooled(members: Floats, weights: Floats) -> Floats:
    """Return the log-linear pool: a weight for each member, a constant for each class."""
    count = members.shape[0]
    return softmax(np.tensordot(weights[:count], members, axes=1) + weights[count:])


def pool_weights(members: Floats, label: Floats, *, penalty: float = 1.0) -> Floats:
    """Return the weights with the least cross-entropy; constants are kept small."""
    count, _, classes = members.shape
    rows = np.arange(len(label))

    def loss(weights: Floats) -> tuple[float, Floats]:
        shares = pooled(members, weights)
        value = -np.log(shares[rows, label] + 1e-12).sum() + penalty * (weights[count:] ** 2).sum()
        gap = shares
        gap[rows, label] -= 1
        own = np.tensordot(members, gap, axes=([1, 2], [0, 1]))
        return float(value), np.append(own, gap.sum(axis=0) + 2 * penalty * weights[count:])

    start = np.concatenate([np.full(count, 1 / count), np.zeros(classes)])
    return minimize(loss, start, jac=True, method="L-BFGS-B").x


def temperature(table: Floats, label: Floats) -> float:
    """Return the temperature with the least cross-entropy on held-out pairs (Guo et al. 2017)."""
    raw, rows = np.log(table + TINY), np.arange(len(label))

    def loss(log_t: Floats) -> float:
        return float(-np.log(softmax(raw / np.exp(log_t[0]))[rows, label] + 1e-12).mean())

    return float(np.exp(minimize(loss, np.zeros(1), method="Nelder-Mead").x[0]))


def figures(table: Floats, label: Floats) -> dict[str, float]:
    """Return accuracy, macro-F1 and cross-entropy of the pairs whose class is asked for."""
    asked = label >= 0
    table, label = table[asked], label[asked]
    predicted = table.argmax(axis=1)
    confusion = np.zeros((table.shape[1],) * 2)
    np.add.at(confusion, (label, predicted), 1)
    return {
        "accuracy": round(float((predicted == label).mean()), 4),
        "macro_f1": round(float(macro_f1s(confusion[None])[0]), 4),
        "cross_entropy": round(
            float(-np.log(table[np.arange(len(label)), label] + TINY).mean()), 4
        ),
        "n": len(label),
    }


def recipes(folder: Path, classes: int) -> list[str]:
    """Return the recipes that have held-out predictions."""
    paths = folder.glob(f"*.{classes}/predictions.parquet")
    return sorted(path.parent.name.removesuffix(f".{classes}") for path in paths)


def held_out(folder: Path, classes: int, labels: dict[int, int]) -> dict[str, Any]:
    """Return the figures of every recipe on the nouns it held out."""
    table: dict[str, Any] = {}
    for name in recipes(folder, classes):
        ids, shares = probabilities(folder, name, classes, "held")
        label = np.array([CLASSES[classes][labels[n]] for n in ids])
        table[name] = {"folds": FOLDS, **figures(shares, label)}
    return table


def by_folds(
    folder: Path, classes: int, labels: dict[int, int], nouns: dict[int, str]
) -> dict[str, Any]:
    """Return the recipe each encoder's folds choose, and what choosing so reaches.

    The least cross-entropy on all folds decides; the figures of the choice are those of the recipe
    that the other four folds choose, on the fold left out. Recipes that see less of a pair, or
    train less of the encoder, answer other questions and are left out.
    """
    chosen: dict[str, Any] = {}
    for encoder in ENCODERS:
        names = [
            name
            for name in recipes(folder, classes)
            if name.startswith(encoder) and not name.endswith(NOT_RIVALS)
        ]
        if not names:
            continue
        tables = []
        for name in names:
            ids, table = probabilities(folder, name, classes, "held")
            tables.append(table[np.argsort(ids)])
        ids = np.sort(ids)
        label = np.array([CLASSES[classes][labels[n]] for n in ids])
        fold = np.array([fold_of(nouns[n]) for n in ids])
        rows = np.arange(len(label))
        each = np.stack([-np.log(table[rows, label] + TINY) * (label >= 0) for table in tables])
        losses = np.stack([each[:, fold == n].sum(axis=1) for n in range(FOLDS)], axis=1)
        others = losses.sum(axis=1, keepdims=True) - losses
        picked = others.argmin(axis=0)
        held = np.stack(tables)[picked[fold], rows]
        mean = losses.sum(axis=1) / (label >= 0).sum()
        chosen[encoder] = {
            "recipes": {name: round(float(one), 4) for name, one in zip(names, mean, strict=True)},
            "best": names[int(mean.argmin())],
            "chosen by the other folds": [names[n] for n in picked],
            "figures of the choice": figures(held, label),
        }
    return chosen


def with_weights(folder: Path, encoder: str, choice: dict[str, Any], classes: int) -> str:
    """Return the recipe of an encoder's row: the chosen one, if all of train was learnt with it.

    Otherwise it is the recipe the encoder is named after.
    """
    best = str(choice.get(encoder, {}).get("best", encoder))
    return best if (folder / f"{best}.{classes}" / "val.parquet").exists() else encoder


def nested(members: Floats, label: Floats, fold: Floats) -> dict[str, float]:
    """Return the figures of a pool whose weights come from the other folds."""
    table = np.zeros((len(label), members.shape[2]))
    for out in range(FOLDS):
        inside = fold != out
        weights = pool_weights(members[:, inside], label[inside])
        table[~inside] = pooled(members[:, ~inside], weights)
    return figures(table, label)


def written(path: Path, ids: Floats, table: Floats, classes: int, model: str) -> None:
    """Write a predictions table with the class probabilities."""
    names = LABELS[classes]
    rows = [dict(zip(names, map(float, row.round(6)), strict=True)) for row in table]
    predictions = pl.DataFrame(
        {
            "item": [str(n) for n in ids],
            "question": [QUESTION] * len(ids),
            "model": [f"adept-{model}"] * len(ids),
            "label": [names[n] for n in table.argmax(axis=1)],
            "distribution": [json.dumps(row) for row in rows],
        }
    )
    PREDICTIONS.sort(PREDICTIONS.check(predictions)).write_parquet(path)


def choose(folder: Path, classes: int, labels: dict[int, int], nouns: dict[int, str]) -> Any:
    """Return the choice for a number of classes and the tables of val it leads to."""
    report: dict[str, Any] = {"held-out nouns of train": held_out(folder, classes, labels)}
    choices = {made_of: by_folds(folder, made_of, labels, nouns) for made_of in (5, 3)}
    report["by folds"] = choices.get(classes, {})
    tables: dict[str, Any] = {}
    parts: dict[str, Any] = {"held": [], "val": []}
    for member in (*ENCODERS, WORDS_ALONE, LITE):
        for made_of in (5, 3) if classes != 4 else (5,):
            name = with_weights(folder, member, choices[made_of], made_of)
            own_ids, table = probabilities(folder, name, made_of, "held")
            own_val_ids, val = probabilities(folder, name, made_of, "val")
            if not len(own_ids) or not len(own_val_ids):
                continue
            order, val_order = np.argsort(own_ids), np.argsort(own_val_ids)
            ids, val_ids = own_ids[order], own_val_ids[val_order]
            parts["held"].append(logs(table[order], made_of, classes))
            parts["val"].append(logs(val[val_order], made_of, classes))
            report.setdefault("members", []).append(f"{name}, {made_of} classes")
            if made_of == classes and member in ENCODERS:
                known = np.array([CLASSES[classes][labels[n]] for n in ids])
                heat = temperature(table[order][known >= 0], known[known >= 0])
                tables[member] = softmax(np.log(val[val_order] + TINY) / heat)
                report.setdefault("temperature", {})[name] = round(heat, 3)
                report.setdefault("stands with", {})[member] = stands_with(folder, name, classes)
    for member in ENCODERS:
        if classes == 4:
            name = with_weights(folder, member, choices[5], 4)
            own_val_ids, val = probabilities(folder, name, 4, "val")
            tables[member] = val[np.argsort(own_val_ids)]
            report.setdefault("stands with", {})[member] = stands_with(folder, name, 4)
    members, members_val = (np.stack(parts[key]) for key in ("held", "val"))
    label = np.array([CLASSES[classes][labels[n]] for n in ids])
    fold = np.array([fold_of(nouns[n]) for n in ids])
    asked = label >= 0
    weights = pool_weights(members[:, asked], label[asked])
    report["pool, weights of members and classes"] = weights.round(3).tolist()
    report["pool, weights from the other folds"] = nested(
        members[:, asked], label[asked], fold[asked]
    )
    tables["pool"] = pooled(members_val, weights)
    return report, tables, val_ids


def stands_with(folder: Path, name: str, classes: int) -> dict[str, Any]:
    """Return the recipe of an encoder's row and how many seeds are averaged in it."""
    about = json.loads((folder / f"{name}.{classes}" / "model.json").read_text(encoding="utf-8"))
    return {"recipe": name, "seeds": len(about["weights"])}


def low_rank(tuned: Path) -> dict[str, Any]:
    """Return the layer on top and the factors of every layer's update, in half precision."""
    before, after = (classifier(one, 5).encoder for one in (encoder_folder("minilm"), tuned))
    parts = {f"head.{name}": array for name, array in np.load(tuned / "head.npz").items()}
    for (name, old), (_, new) in zip(adapted_layers(before), adapted_layers(after), strict=True):
        gap = (new.weight - old.weight).detach().cpu().numpy().T / ADAPTED
        left, size, right = np.linalg.svd(gap, full_matrices=False)
        parts[f"{name}.first"] = left[:, :RANK] * size[:RANK]
        parts[f"{name}.second"] = right[:RANK]
    return {name: array.astype(np.float16) for name, array in parts.items()}


def shipped_update(
    folder: Path, labels: dict[int, int], nouns: dict[int, str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return `adept-minilm`: the low-rank update, its pool with `adept-lite`, and its figures."""
    held, val = [], []
    for name in (UPDATED, LITE):
        ids, table = probabilities(folder, name, 5, "held")
        val_ids, of_val = probabilities(folder, name, 5, "val")
        held.append(logs(table[np.argsort(ids)], 5, 5))
        val.append(logs(of_val[np.argsort(val_ids)], 5, 5))
    label = np.array([labels[n] for n in np.sort(ids)])
    fold = np.array([fold_of(nouns[n]) for n in np.sort(ids)])
    weights = pool_weights(np.stack(held), label)
    parts = low_rank(folder / f"{UPDATED}.5" / "seed-1")
    truth = np.array([labels[n] for n in np.sort(val_ids)])
    return {**parts, "pool": weights.astype(np.float32)}, {
        "nouns held out of train": nested(np.stack(held), label, fold),
        "val, never trained on": figures(pooled(np.stack(val), weights), truth),
    }


def main() -> None:
    """Read what was tuned, choose, and write."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("tuned", type=Path)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("-o", "--out", type=Path, required=True)
    options = arguments.parse_args()
    train, val = (read_pairs(options.data / "adept" / f"{s}.json") for s in ("train", "val"))
    lite_cells(options.tuned, train, val)
    labels = dict(pl.concat([train, val]).select("idx", "label").iter_rows())
    nouns = dict(train.select("idx", "noun").iter_rows())
    options.out.mkdir(parents=True, exist_ok=True)
    document: dict[str, Any] = {}
    for classes in (5, 4, 3):
        report, tables, ids = choose(options.tuned, classes, labels, nouns)
        truth = np.array([CLASSES[classes][labels[n]] for n in ids])
        report["val"] = {name: figures(table, truth) for name, table in tables.items()}
        for name, table in tables.items():
            path = options.out / f"adept-{classes}.{name}.parquet"
            written(path, ids, table, classes, name if name == "pool" else f"{name}-full")
        document[f"adept-{classes}"] = report
    update, measured = shipped_update(options.tuned, labels, nouns)
    np.savez_compressed(SHIPPED / "adept_minilm.npz", **update)
    card = json.loads((SHIPPED / "card.json").read_text(encoding="utf-8"))
    card["adept-minilm"] = {
        "what": "Low-rank update (rank 16) of all-MiniLM-L6-v2, pooled with adept-lite",
        "trained on": {"ADEPT train.json": train.height},
        "licence": "CC BY-SA 4.0: learnt from ADEPT (CC BY-SA 3.0 or later)",
        "measured": measured,
        "made by": "plausibly models tune and training/choose_adept.py",
    }
    text = json.dumps(card, indent=2, ensure_ascii=False)
    (SHIPPED / "card.json").write_text(text + "\n", encoding="utf-8")
    document["adept-minilm"] = measured
    text = json.dumps(document, indent=2)
    (options.out / "choice.json").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
