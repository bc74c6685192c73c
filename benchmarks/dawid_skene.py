"""Dawid-Skene beside crowd-kit in one run: CPU seconds, ratio, peak memory.

    python benchmarks/dawid_skene.py [--quick]

Both make the same number of iterations from the same table, each in a process of its own with one
thread; the generated ratings and the libraries are part of the peak memory. The bound is memory:
an iteration is two sparse products that touch a row of an annotator's errors for each rating.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np
import polars as pl

from plausibly.labels import Effort
from plausibly.labels.dawid_skene import dawid_skene

LABELS = 5


@dataclass(frozen=True)
class Size:
    """How many items, ratings an item, annotators, and iterations."""

    items: int
    each: int
    annotators: int
    iterations: int

    def __str__(self) -> str:
        who = f"{self.annotators:,} annotators"
        return f"{self.items:,} x {self.each} from {who}, {self.iterations} iterations"


def crowd(size: Size, *, seed: int = 0) -> pl.DataFrame:
    """Return ratings by annotators who know the label in 20 to 95 % of cases and else guess."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(LABELS, size=(size.items, 1))
    knowing = generator.uniform(0.2, 0.95, size.annotators)
    first = generator.integers(size.annotators, size=(size.items, 1))
    stride = generator.integers(1, size.annotators // size.each, size=(size.items, 1))
    annotator = (first + stride * np.arange(size.each)) % size.annotators
    guess = generator.integers(LABELS, size=annotator.shape)
    knows = generator.random(annotator.shape) < knowing[annotator]
    answer = np.where(knows, truth, guess)
    return pl.DataFrame(
        {
            "item": pl.Series(np.repeat(np.arange(size.items), size.each)).cast(pl.String),
            "annotator": pl.Series(annotator.ravel()).cast(pl.String),
            "question": pl.repeat("rating", annotator.size, eager=True),
            "answer": pl.Series(answer.ravel()).cast(pl.String),
        }
    )


Labels = dict[str, str]


def ours(ratings: pl.DataFrame, size: Size) -> tuple[float, Labels]:
    """Return seconds and labels of our function, from table to table."""
    effort = Effort(iterations=size.iterations, tolerance=-np.inf)
    start = time.process_time()
    found = dawid_skene(ratings, prior="none", effort=effort)
    seconds = time.process_time() - start
    return seconds, dict(found.labels["item", "label"].iter_rows())


def crowdkit(ratings: pl.DataFrame, size: Size) -> tuple[float, Labels]:
    """Return seconds and labels of crowd-kit."""
    warnings.simplefilter("ignore")
    import pandas as pd
    from crowdkit.aggregation import DawidSkene

    names = {"task": "item", "worker": "annotator", "label": "answer"}
    table = pd.DataFrame({new: ratings[old].to_list() for new, old in names.items()})
    start = time.process_time()
    labels = DawidSkene(n_iter=size.iterations, tol=-np.inf).fit_predict(table)
    return time.process_time() - start, {str(k): str(v) for k, v in labels.to_dict().items()}


Case = Callable[[pl.DataFrame, Size], tuple[float, Labels]]


def measured(run: Case, size: Size) -> tuple[float, Labels, float]:
    """Return seconds, labels and the process's peak megabytes."""
    seconds, labels = run(crowd(size), size)
    return seconds, labels, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Run both; `--quick` keeps them small."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small size, a few seconds")
    quick = parser.parse_args().quick
    for threads in ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[threads] = "1"
    size = Size(2_000, 10, 100, 5) if quick else Size(100_000, 10, 2_000, 20)
    print(size)
    found = []
    for name, run in {"plausibly": ours, "crowd-kit": crowdkit}.items():
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            seconds, labels, peak = pool.submit(measured, run, size).result()
        found.append((seconds, labels))
        ratio = f"{seconds / found[0][0]:7.1f} x" if len(found) > 1 else ""
        print(f"  {name:12} {seconds:8.2f} CPU s  {peak:6.0f} MB peak  {ratio}", flush=True)
    (_, one), (_, two) = found
    print(f"  equal labels: {sum(one[item] == two[item] for item in one) / len(one):.4f}")


if __name__ == "__main__":
    main()
