"""How often `compare` finds a difference where there is none, with and without clusters.

    python benchmarks/clusters.py [--runs 1000] [--first 0]

Two models are equally good by construction: on every item, both are right with the same chance,
drawn apart for each model. In the clustered designs this chance is drawn per verb (or noun), so a
model's errors cluster; in the independent design it is drawn per item. Each cell is the share of
runs with p < .05; of 1,000 runs, it is known to about 1.4 percentage points.
"""

from __future__ import annotations

import argparse

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.evaluation.classes import classify
from plausibly.evaluation.comparison import Chance, Comparison
from plausibly.evaluation.events import judge
from plausibly.evaluation.pairings import classes_of, events_of

CLUSTERS, EACH = 60, 6
TWO = LabelScheme("two", labels=("0", "1"), of={"0": "0", "1": "1"})
CHANCE = Chance(resamples=0, permutations=999)


def world(seed: int, *, clustered: bool) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the truth, with its clusters, and the predictions of two equally good models."""
    generator = np.random.default_rng(seed)
    size = CLUSTERS * EACH
    items = [f"i{number}" for number in range(size)]
    labels = generator.integers(0, 2, size)
    truth = pl.DataFrame({"item": items, "label": labels.astype(str)})
    truth = truth.with_columns(cluster=pl.Series(np.arange(size) // EACH).cast(pl.String))
    tables = []
    for model in ("a", "b"):
        skill = generator.beta(1.4, 0.6, CLUSTERS if clustered else size)
        right = generator.random(size) < np.repeat(skill, EACH if clustered else 1)
        said = np.where(right, labels, 1 - labels)
        score = said + generator.normal(0, 0.3, size)
        table = pl.DataFrame({"item": items, "label": said.astype(str), "score": score})
        tables.append(table.with_columns(question=pl.lit("q"), model=pl.lit(model)))
    predictions = pl.concat(tables).with_columns(distribution=pl.lit(None, dtype=pl.String))
    return truth, predictions


def compared(truth: pl.DataFrame, predictions: pl.DataFrame, seed: int) -> list[Comparison]:
    """Return the comparisons of both schemes."""
    chance = Chance(resamples=0, permutations=CHANCE.permutations, seed=seed)
    judged = {model: judge(predictions, truth, model=model) for model in ("a", "b")}
    classified = {model: classify(predictions, truth, TWO, model=model) for model in ("a", "b")}
    events = events_of(judged, ("a", "b"), chance)
    return [*events, *classes_of(classified, TWO, ("a", "b"), chance)]


def rejected(seed: int, *, clustered: bool, known: bool) -> dict[str, bool]:
    """Return for each measure whether its p is below .05; `known` if clusters are."""
    truth, predictions = world(seed, clustered=clustered)
    if not known:
        truth = truth.with_columns(cluster=pl.lit(None, dtype=pl.String))
    names = ("events, auc", "events, accuracy", "classes, accuracy", "classes, macro-F1")
    rows = compared(truth, predictions, seed)
    return {name: (row.p or 0.0) < 0.05 for name, row in zip(names, rows, strict=True)}


def main() -> None:
    """Print the share of false differences by design and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0, help="First seed.")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.runs)
    for clustered in (True, False):
        for known in (True, False):
            found = [rejected(seed, clustered=clustered, known=known) for seed in seeds]
            errors = "clustered errors" if clustered else "independent errors"
            print(f"{errors}, {'by cluster' if known else 'by item'}:")
            for name in found[0]:
                print(f"  {name:20} {np.mean([one[name] for one in found]):.3f}", flush=True)


if __name__ == "__main__":
    main()
