"""MACE beside crowd-kit in one run: CPU seconds, ratio, peak memory, log likelihood.

    python benchmarks/mace.py [--quick] [--huge]

Each case runs in a process of its own with one thread, so that its peak memory is its own; the
generated ratings and the libraries are part of it. All run 10 restarts of 50 iterations. "Plain
random starts" is the published procedure, for its likelihood: ours must not be lower. `--huge`
adds 1,000,000 items with 10 ratings from 10,000 annotators, without the peer.

The bound is memory: an iteration reads each rating's cell of a table annotators x labels x
restarts and writes another, 80 bytes for ten restarts each. All restarts share that pass.
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
from scipy.special import digamma

from plausibly.labels._kernel import kernel
from plausibly.labels._layout import lay_out
from plausibly.labels._mace_fit import fit
from plausibly.labels.mace import Training, mace
from plausibly.measures.coded import Coded

LABELS = ("1", "2", "3", "4", "5")


@dataclass(frozen=True)
class Size:
    """How many items, ratings an item, and annotators; and how long to train."""

    items: int
    each: int
    annotators: int
    restarts: int = 10
    iterations: int = 50

    def __str__(self) -> str:
        training = f"{self.restarts} x {self.iterations}"
        return f"{self.items:,} x {self.each} from {self.annotators:,} annotators, {training}"


def crowd(size: Size, *, seed: int = 0) -> Coded:
    """Return ratings by annotators who know the label in 5 to 95 % of cases and else guess."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(len(LABELS), size=size.items, dtype=np.int32)
    knowing = generator.uniform(0.05, 0.95, size.annotators)
    annotator = np.empty((size.items, size.each), dtype=np.int32)
    answer = np.empty((size.items, size.each), dtype=np.int32)
    for low in range(0, size.items, 10_000):
        block = slice(low, min(low + 10_000, size.items))
        shape = annotator[block].shape
        first = generator.integers(size.annotators, size=(shape[0], 1))
        stride = generator.integers(1, size.annotators // size.each, size=(shape[0], 1))
        annotator[block] = (first + stride * np.arange(size.each)) % size.annotators
        guess = generator.integers(len(LABELS), size=shape)
        knows = generator.random(shape) < knowing[annotator[block]]
        answer[block] = np.where(knows, truth[block, None], guess)
    return Coded(
        np.repeat(np.arange(size.items, dtype=np.int32), size.each),
        annotator.ravel(),
        answer.ravel(),
        pl.int_range(size.items, eager=True).cast(pl.String),
        pl.int_range(size.annotators, eager=True).cast(pl.String),
        LABELS,
    )


def frame(coded: Coded) -> pl.DataFrame:
    """Return the ratings as a table."""
    return pl.DataFrame(
        {
            "item": coded.items.gather(coded.item),
            "annotator": coded.annotators.gather(coded.annotator),
            "question": pl.repeat("rating", coded.n_ratings, eager=True),
            "answer": pl.Series(coded.answers).gather(coded.answer),
        }
    )


Timed = tuple[float, float | None]


def with_numpy(coded: Coded, size: Size) -> Timed:
    """Return seconds and likelihood of our kernel in NumPy."""
    return _fitted(coded, Training(False, size.restarts, size.iterations, backend="numpy"))


def with_numba(coded: Coded, size: Size) -> Timed:
    """Return seconds and likelihood of our kernel in numba, compiling included."""
    return _fitted(coded, Training(False, size.restarts, size.iterations, backend="numba"))


def _fitted(coded: Coded, training: Training) -> Timed:
    start = time.process_time()
    found = fit(coded, training, seed=1)
    return time.process_time() - start, found.log_likelihood


def from_table(coded: Coded, size: Size) -> Timed:
    """Return seconds and likelihood of the whole function, from table to table."""
    ratings = frame(coded)
    start = time.process_time()
    found = mace(ratings, training=Training(False, size.restarts, size.iterations))
    return time.process_time() - start, found.log_likelihood["rating"]


def compiled(coded: Coded, size: Size) -> Timed:
    """Return seconds and likelihood of our kernel in numba, compiled before."""
    with_numba(crowd(Size(100, 3, 10)), Size(100, 3, 10, 2, 2))
    return with_numba(coded, size)


def crowdkit(coded: Coded, size: Size) -> Timed:
    """Return the seconds crowd-kit takes."""
    warnings.simplefilter("ignore")
    import pandas as pd
    from crowdkit.aggregation import MACE

    table = pd.DataFrame({"task": coded.item, "worker": coded.annotator, "label": coded.answer})
    start = time.process_time()
    MACE(n_restarts=size.restarts, n_iter=size.iterations).fit(table)
    return time.process_time() - start, None


def plain_starts(coded: Coded, size: Size) -> Timed:
    """Return seconds and likelihood of the published procedure on our kernel."""
    start = time.process_time()
    generator = np.random.default_rng(0)
    layout = lay_out(coded)
    e_step = kernel(layout)
    used = layout.used[:, :, None]
    spam = 1 + 0.5 * generator.random((2, coded.n_annotators, 1, size.restarts))
    spam /= spam.sum(axis=0)
    strategy = 1 + 0.5 * generator.random((*layout.used.shape, size.restarts))
    strategy /= strategy.sum(axis=1, keepdims=True)
    likelihood = np.empty(size.restarts)
    for _ in range(size.iterations + 1):
        chance = spam[0] * strategy
        ratio = spam[1] / chance
        sums, logs = e_step(np.log1p(ratio).reshape(layout.n_cells, -1))
        likelihood = (used * np.log(chance)).sum(axis=(0, 1)) + logs
        known = sums.reshape(ratio.shape) * ratio / (1 + ratio)
        guessed = used - known
        counts = np.stack([guessed.sum(axis=1), known.sum(axis=1)])[:, :, None]
        spam = np.exp(digamma(counts + 0.5) - digamma(counts.sum(axis=0) + 1))
        whole = digamma(guessed.sum(axis=1, keepdims=True) + 10 * coded.n_answers)
        strategy = np.exp(digamma(guessed + 10) - whole)
    best = float(likelihood.max()) - coded.n_items * float(np.log(coded.n_answers))
    return time.process_time() - start, best


Case = Callable[[Coded, Size], Timed]


def measured(run: Case, size: Size) -> tuple[float, float | None, float, float]:
    """Return seconds, likelihood, and the process's peak megabytes before and after."""
    coded = crowd(size)
    before = _peak()
    return *run(coded, size), before, _peak()


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def compare(size: Size, ours: dict[str, Case], peers: dict[str, Case]) -> None:
    """Print one size: ours, then each peer with its ratio to each of ours."""
    print(size)
    own: list[float] = []
    for name, run in {**ours, **peers}.items():
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            seconds, likelihood, before, peak = pool.submit(measured, run, size).result()
        ratios = "  ".join(f"{seconds / one:7.1f} x" for one in own) if name in peers else ""
        own += [seconds] if name in ours else []
        shown = "" if likelihood is None else f"log likelihood {likelihood:.4f}"
        memory = f"{peak:6.0f} MB peak ({before:.0f} before)"
        print(f"  {name:30} {seconds:8.2f} CPU s  {memory}  {shown}{ratios}", flush=True)


def main() -> None:
    """Run every case; `--quick` keeps all of them small."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, a few seconds")
    parser.add_argument("--huge", action="store_true", help="ten million ratings as well")
    chosen = parser.parse_args()
    for threads in ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[threads] = "1"
    ours: dict[str, Case] = {
        "plausibly, table to table": from_table,
        "plausibly, numpy": with_numpy,
        "plausibly, numba": with_numba,
        "plausibly, numba compiled": compiled,
    }
    peers: dict[str, Case] = {"plain random starts": plain_starts, "crowd-kit": crowdkit}
    compare(Size(1_000, 10, 60, 3, 20) if chosen.quick else Size(10_000, 13, 125), ours, peers)
    if chosen.huge:
        few: dict[str, Case] = {"plausibly, numpy": with_numpy, "plausibly, numba": with_numba}
        compare(Size(1_000_000, 10, 10_000), few, {})


if __name__ == "__main__":
    main()
