"""How often `compare` finds a difference where there is none, with and without clusters.

    python benchmarks/clusters.py [--runs 1000] [--first 0] [--exact | --intervals | --recall]

Two models are equally good by construction: on every item, both are right with the same chance,
drawn apart for each model. In the clustered designs this chance is drawn per verb (or noun), so a
model's errors cluster; in the independent design it is drawn per item. Each cell is the share of
runs with p < .05 (mid-p, or with --exact the exact tests); of 1,000 runs, it is known to about 1.4
percentage points. With --intervals, it is the share of 95 % intervals that hold the truth: 0 for
differences, MEAN and AREA for a model. With --recall, it is that of balanced accuracy, by rows per
label and recall, in 400 tables without clusters, with clusters of three and of six rows.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np
import polars as pl
from scipy.special import ndtr

from plausibly.domain import LabelScheme
from plausibly.evaluation.classes import classify
from plausibly.evaluation.comparison import Chance, Comparison
from plausibly.evaluation.events import judge, score_events
from plausibly.evaluation.pairings import classes_of, events_of
from plausibly.measures.recall import mean_recall

CLUSTERS, EACH = 60, 6
TWO = LabelScheme("two", labels=("0", "1"), of={"0": "0", "1": "1"})
CHANCE = Chance(resamples=0, permutations=999)
SKILL = (1.4, 0.6)
MEAN, NOISE = SKILL[0] / sum(SKILL), 0.3
APART = float(ndtr(1 / (NOISE * 2**0.5)))
AREA = MEAN**2 * APART + (1 - MEAN) ** 2 * (1 - APART) + MEAN * (1 - MEAN)
ROWS = ((1, 50, 50, 100, 300), (2, 200), (5, 60, 100), (3, 3, 3), (30, 200), (17, 102, 186, 1070))
NAMES = ("events, auc", "events, accuracy", "classes, accuracy", "classes, macro-F1")


def world(
    seed: int, *, clustered: bool, positive: float | None = None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the truth, with its clusters, and the predictions of two equally good models."""
    generator = np.random.default_rng(seed)
    size = CLUSTERS * EACH
    items = [f"i{number}" for number in range(size)]
    labels = generator.integers(0, 2, size)
    if positive is not None:
        labels = (generator.random(size) < positive).astype(np.int64)
    truth = pl.DataFrame({"item": items, "label": labels.astype(str)})
    truth = truth.with_columns(cluster=pl.Series(np.arange(size) // EACH).cast(pl.String))
    tables = []
    for model in ("a", "b"):
        skill = generator.beta(*SKILL, CLUSTERS if clustered else size)
        right = generator.random(size) < np.repeat(skill, EACH if clustered else 1)
        said = np.where(right, labels, 1 - labels)
        score = said + generator.normal(0, NOISE, size)
        table = pl.DataFrame({"item": items, "label": said.astype(str), "score": score})
        tables.append(table.with_columns(question=pl.lit("q"), model=pl.lit(model)))
    predictions = pl.concat(tables).with_columns(distribution=pl.lit(None, dtype=pl.String))
    return truth, predictions


def compared(truth: pl.DataFrame, predictions: pl.DataFrame, chance: Chance) -> list[Comparison]:
    """Return the comparisons of both schemes."""
    judged = {model: judge(predictions, truth, model=model) for model in ("a", "b")}
    classified = {model: classify(predictions, truth, TWO, model=model) for model in ("a", "b")}
    events = events_of(judged, ("a", "b"), chance)
    return [*events, *classes_of(classified, TWO, ("a", "b"), chance)]


def rejected(seed: int, *, clustered: bool, known: bool, exact: bool) -> dict[str, bool]:
    """Return for each measure whether its p is below .05; `known` if clusters are."""
    truth, predictions = world(seed, clustered=clustered)
    if not known:
        truth = truth.with_columns(cluster=pl.lit(None, dtype=pl.String))
    chance = replace(CHANCE, seed=seed, exact=exact)
    rows = compared(truth, predictions, chance)
    return {name: (row.p or 0.0) < 0.05 for name, row in zip(NAMES, rows, strict=True)}


def held(seed: int, *, clustered: bool, positive: float) -> dict[str, bool]:
    """Return for each measure whether its 95 % interval holds the truth, clusters known."""
    truth, predictions = world(seed, clustered=clustered, positive=positive)
    rows = compared(truth, predictions, Chance(resamples=1000, permutations=1, seed=seed))
    gaps = {f"difference, {n}": row.difference for n, row in zip(NAMES, rows, strict=True)}
    found = {name: _between(gap.low, 0.0, gap.high) for name, gap in gaps.items()}
    judged = judge(predictions, truth, model="a")
    own = score_events(judged, scheme="events", model="a", resamples=1000, seed=seed)
    (measures,) = own.slices.values()
    for name, value in (("accuracy", MEAN), ("auc", AREA)):
        found[name] = _between(measures[name].low, value, measures[name].high)
    return found


def _between(low: float | None, value: float, high: float | None) -> bool:
    return low is not None and high is not None and low <= value <= high


def main() -> None:
    """Print the share of false differences by design and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0, help="First seed.")
    parser.add_argument("--exact", action="store_true", help="Exact tests, not mid-p.")
    parser.add_argument("--intervals", action="store_true")
    parser.add_argument("--recall", action="store_true")
    options = parser.parse_args()
    if options.recall:
        for sizes in ROWS:
            for recall in (0.5, 0.7, 0.9, 0.97):
                cells = [recalled(sizes, recall, each, options.first) for each in (1, 3, 6)]
                print(sizes, recall, *(f"{cell:.3f}" for cell in cells), flush=True)
        return
    seeds = range(options.first, options.first + options.runs)
    for clustered in (True, False):
        errors = "clustered errors" if clustered else "independent errors"
        if options.intervals:
            for positive in (0.5, 0.1):
                held_by = [held(seed, clustered=clustered, positive=positive) for seed in seeds]
                show(f"{errors}, {positive:.0%} positive", held_by)
            continue
        for known in (True, False):
            how = {"clustered": clustered, "known": known, "exact": options.exact}
            found = [rejected(seed, **how) for seed in seeds]
            show(f"{errors}, {'by cluster' if known else 'by item'}", found)


def recalled(sizes: tuple[int, ...], recall: float, each: int, seed: int) -> float:
    """Return how often the interval of balanced accuracy holds the truth."""
    generator = np.random.default_rng([seed, each])
    held_by = []
    for _ in range(400):
        labels = generator.permutation(np.repeat(np.arange(len(sizes)), sizes))
        cluster = np.arange(len(labels)) // each
        skill = np.full(len(labels), recall)
        if each > 1:
            skill = generator.beta(7 / 3 * recall, 7 / 3 * (1 - recall), len(labels))[cluster]
        right = generator.random(len(labels)) < skill
        tables = np.zeros((int(cluster.max()) + 1, len(sizes), len(sizes)))
        np.add.at(tables, (cluster, labels, np.where(right, labels, labels - 1)), 1)
        measure = mean_recall(tables)
        held_by.append(_between(measure.low, recall, measure.high))
    return float(np.mean(held_by))


def show(design: str, found: list[dict[str, bool]]) -> None:
    """Print the share of runs of each measure."""
    print(f"{design}:")
    for name in found[0]:
        print(f"  {name:30} {np.mean([one[name] for one in found]):.3f}", flush=True)


if __name__ == "__main__":
    main()
