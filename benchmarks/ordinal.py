"""Label methods for scales beside each other, on crowds of several families.

    python benchmarks/ordinal.py [--crowds 5] [--quick]

Each crowd has 300 items, 30 annotators and 6 answers an item on a scale from 1 to 5; the seeds
are printed. Recovery is Kendall's tau-b of what a method says about an item (the mean under its
distribution; the place for `ordinal`) with the item's true place. The held-out log score is the
mean log probability of one left-out answer an item: for `ordinal` that of its model for that
annotator; for the others the item's distribution mixed with the shares of all answers (a tenth),
as they have no model of scales. Calibration is the share of true places, standardised, within the
95 % intervals of `ordinal`. Families: `probit` is ordinal's own; `logistic` has heavier noise;
`skewed` has skewed places and noise, and answers at the ends; `careless` has a quarter of
annotators who answer at random; `classes` has five true labels and confusion to neighbours.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping

import numpy as np
import polars as pl
from scipy.stats import kendalltau

from plausibly.labels import METHODS, Fitted
from plausibly.labels._layout import lay_out
from plausibly.labels._ordered import fit
from plausibly.labels.results import Effort
from plausibly.measures.coded import Floats, code
from plausibly.tables import RATINGS

ITEMS, PEOPLE, EACH = 300, 30, 6
CUTS = np.array([-1.2, -0.4, 0.4, 1.2])
METHODS_HERE = ("mean", "median", "mace", "dawid-skene", "ordinal")

Family = Callable[[np.random.Generator, Floats], Floats]


def _views(generator: np.random.Generator, places: Floats, noise: Floats) -> Floats:
    shift = generator.normal(0, 0.5, PEOPLE)
    spread = 0.8 * np.exp(generator.normal(0, 0.4, PEOPLE))
    return np.asarray(places[:, None] + shift + spread * noise)


def _probit(generator: np.random.Generator, places: Floats) -> Floats:
    noise = generator.normal(size=(ITEMS, PEOPLE))
    return np.searchsorted(CUTS, _views(generator, places, noise)).astype(np.float64)


def _logistic(generator: np.random.Generator, places: Floats) -> Floats:
    noise = generator.logistic(0, 0.8, size=(ITEMS, PEOPLE))
    return np.searchsorted(CUTS, _views(generator, places, noise)).astype(np.float64)


def _skewed(generator: np.random.Generator, places: Floats) -> Floats:
    noise = generator.exponential(1, size=(ITEMS, PEOPLE)) - 1
    cuts = np.array([-0.5, -0.2, 0.2, 0.5])
    return np.searchsorted(cuts, _views(generator, places, noise)).astype(np.float64)


def _careless(generator: np.random.Generator, places: Floats) -> Floats:
    answers = _probit(generator, places)
    lost = generator.random(PEOPLE) < 0.25
    answers[:, lost] = generator.integers(0, 5, size=(ITEMS, int(lost.sum())))
    return answers


def _classes(generator: np.random.Generator, places: Floats) -> Floats:
    truth = np.searchsorted(CUTS, places)[:, None]
    right = generator.uniform(0.4, 0.9, PEOPLE)
    moved = truth + generator.choice([-1, 1], size=(ITEMS, PEOPLE))
    keeps = generator.random((ITEMS, PEOPLE)) < right
    return np.clip(np.where(keeps, truth, moved), 0, 4).astype(np.float64)


FAMILIES: dict[str, Family] = {
    "probit": _probit,
    "logistic": _logistic,
    "skewed": _skewed,
    "careless": _careless,
    "classes": _classes,
}


def crowd(family: str, seed: int) -> tuple[Floats, pl.DataFrame, pl.DataFrame]:
    """Return true places, the ratings to fit, and one left-out rating an item."""
    generator = np.random.default_rng([seed, list(FAMILIES).index(family)])
    places = generator.normal(size=ITEMS)
    if family == "skewed":
        places = generator.gamma(2, 1, ITEMS) / np.sqrt(2) - np.sqrt(2)
    answers = FAMILIES[family](generator, places)
    people = generator.random((ITEMS, PEOPLE)).argsort(axis=1)[:, : EACH + 1]
    rows = [
        (f"t{item:03}", f"a{person:02}", "rating", str(int(answers[item, person]) + 1), place)
        for item in range(ITEMS)
        for place, person in enumerate(people[item].tolist())
    ]
    columns = ["item", "annotator", "question", "answer", "place"]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    kept = RATINGS.check(table.filter(pl.col("place") < EACH).drop("place"))
    return places, kept, table.filter(pl.col("place") == EACH)


def said(labels: pl.DataFrame, method: str) -> tuple[Floats, list[Mapping[str, float]]]:
    """Return a number for each item, and its distribution."""
    shares = [json.loads(text) for text in labels["distribution"]]
    if method in ("mean", "median"):
        return labels["label"].cast(pl.Float64).to_numpy(), shares
    return np.array([sum(float(k) * p for k, p in one.items()) for one in shares]), shares


def log_score(
    ratings: pl.DataFrame, left: pl.DataFrame, shares: list[Mapping[str, float]]
) -> float:
    """Return the mean log probability of left-out answers under mixed distributions."""
    common = dict(ratings["answer"].value_counts(normalize=True).iter_rows())
    return float(
        np.mean(
            [
                np.log(0.9 * one.get(answer, 0.0) + 0.1 * common.get(answer, 1e-3))
                for one, answer in zip(shares, left["answer"], strict=True)
            ]
        )
    )


def model_score(ratings: pl.DataFrame, left: pl.DataFrame) -> float:
    """Return the mean log probability of left-out answers under the model of scales."""
    coded = code(ratings)
    found = fit(lay_out(coded), Effort())
    chance, _, _ = found.crowd.chances()
    people = {name: number for number, name in enumerate(coded.annotators)}
    answers = {name: number for number, name in enumerate(coded.answers)}
    logs = []
    for row, (person, answer) in enumerate(left["annotator", "answer"].iter_rows()):
        if answer in answers:
            chances = chance[people[person], answers[answer]]
            logs.append(np.log(float(found.posterior[row] @ chances)))
    return float(np.mean(logs))


def main() -> None:
    """Print recovery, held-out log score, calibration and seconds, by family and method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--crowds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="one crowd a family")
    arguments = parser.parse_args()
    seeds = range(1 if arguments.quick else arguments.crowds)
    print(f"{ITEMS} items, {EACH} of {PEOPLE} annotators; seeds {list(seeds)}")
    for family in FAMILIES:
        rows: dict[str, list[tuple[float, float, float, float]]] = {}
        for seed in seeds:
            places, ratings, left = crowd(family, seed)
            for method in METHODS_HERE:
                start = time.process_time()
                outcome = METHODS[method](ratings)
                seconds = time.process_time() - start
                labels = outcome.labels if isinstance(outcome, Fitted) else outcome
                numbers, shares = said(labels, method)
                score, holds = log_score(ratings, left, shares), np.nan
                if isinstance(outcome, Fitted) and outcome.positions is not None:
                    own = outcome.positions
                    numbers = own["position"].to_numpy()
                    score = model_score(ratings, left)
                    truth = (places - places.mean()) / places.std()
                    low, high = own["low"].to_numpy(), own["high"].to_numpy()
                    holds = float(np.mean((low <= truth) & (truth <= high)))
                tau = float(kendalltau(numbers, places).statistic)
                rows.setdefault(method, []).append((tau, score, holds, seconds))
        print(family)
        for method, own_rows in rows.items():
            tau, score, holds, seconds = np.mean(own_rows, axis=0)
            within = "" if np.isnan(holds) else f"  within {holds:.3f}"
            print(f"  {method:12} tau {tau:.3f}  log score {score:.3f}  {seconds:.2f} s{within}")


if __name__ == "__main__":
    main()
