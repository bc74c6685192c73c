"""Strict majority and distributions on ten million ratings: CPU and wall seconds, peak memory.

    python benchmarks/majority.py [--quick]

Each case runs in a process of its own with one thread; the generated ratings and the libraries
are part of its peak memory. The peer is crowd-kit's majority vote with its shares, from a table
of the same names. The bound is checking that no rating is given twice, which is most of our time.
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

from plausibly.labels.strict_majority import strict_majority
from plausibly.tables import RATINGS


@dataclass(frozen=True)
class Size:
    """How many items, ratings an item, and annotators."""

    items: int
    each: int
    annotators: int

    def __str__(self) -> str:
        return f"{self.items:,} x {self.each} from {self.annotators:,} annotators"


def crowd(size: Size, *, seed: int = 0) -> pl.DataFrame:
    """Return ratings of which seven in ten are the item's own answer."""
    generator = np.random.default_rng(seed)
    first = generator.integers(size.annotators, size=(size.items, 1), dtype=np.int32)
    annotator = (first + np.arange(size.each, dtype=np.int32)) % size.annotators
    own = generator.integers(4, size=(size.items, 1), dtype=np.int8)
    guess = generator.integers(4, size=annotator.shape, dtype=np.int8)
    answer = np.where(generator.random(annotator.shape, dtype=np.float32) < 0.7, own, guess)
    items = pl.select(name=pl.format("t{}", pl.int_range(size.items)))["name"]
    people = pl.select(name=pl.format("a{}", pl.int_range(size.annotators)))["name"]
    return pl.DataFrame(
        {
            "item": items.gather(np.repeat(np.arange(size.items, dtype=np.int32), size.each)),
            "annotator": people.gather(annotator.ravel()),
            "question": pl.repeat("rating", annotator.size, eager=True),
            "answer": pl.Series(["1", "2", "4", "5"]).gather(answer.ravel()),
        }
    )


Timed = tuple[float, float]


def _clocks() -> tuple[float, float]:
    return time.process_time(), time.perf_counter()


def ours(ratings: pl.DataFrame) -> Timed:
    """Return CPU and wall seconds of our function: labels, support and distributions."""
    cpu, wall = _clocks()
    strict_majority(ratings)
    return time.process_time() - cpu, time.perf_counter() - wall


def check_only(ratings: pl.DataFrame) -> Timed:
    """Return CPU and wall seconds of checking the table at the door."""
    cpu, wall = _clocks()
    RATINGS.check(ratings)
    return time.process_time() - cpu, time.perf_counter() - wall


def crowdkit(ratings: pl.DataFrame) -> Timed:
    """Return CPU and wall seconds of crowd-kit's majority vote with its shares."""
    warnings.simplefilter("ignore")
    import pandas as pd
    from crowdkit.aggregation import MajorityVote

    names = {"task": "item", "worker": "annotator", "label": "answer"}
    table = pd.DataFrame({new: ratings[old].to_list() for new, old in names.items()})
    cpu, wall = _clocks()
    MajorityVote().fit_predict_proba(table)
    return time.process_time() - cpu, time.perf_counter() - wall


Case = Callable[[pl.DataFrame], Timed]


def measured(run: Case, size: Size) -> tuple[float, float, float, float]:
    """Return CPU and wall seconds, and the process's peak megabytes before and after."""
    ratings = crowd(size)
    before = _peak()
    return *run(ratings), before, _peak()


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Run every case; `--quick` keeps them small."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small size, a few seconds")
    quick = parser.parse_args().quick
    for threads in ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[threads] = "1"
    size = Size(20_000, 10, 500) if quick else Size(1_000_000, 10, 10_000)
    print(size)
    cases: dict[str, Case] = {
        "plausibly": ours,
        "  of which the check": check_only,
        "crowd-kit": crowdkit,
    }
    own = 0.0
    for name, run in cases.items():
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            cpu, wall, before, peak = pool.submit(measured, run, size).result()
        own = own or cpu
        ratio = f"{cpu / own:7.1f} x" if name == "crowd-kit" else ""
        memory = f"{peak:6.0f} MB peak ({before:.0f} before)"
        print(f"  {name:22} {cpu:7.2f} CPU s  {wall:7.2f} wall s  {memory}  {ratio}", flush=True)


if __name__ == "__main__":
    main()
