"""Agreement measures beside their peers in one run: CPU seconds, ratio, peak memory.

    python benchmarks/agreement.py [--quick]

Each case runs in a process of its own with one thread, so that its peak memory is its own; the
generated ratings and the libraries are part of it. Peers: the krippendorff package, fed with
value counts and with a dense table of raters by units, and a plain loop over pairs of annotators.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import krippendorff
import numpy as np
import polars as pl

from plausibly.measures.agreement import agreement
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.jaccard import parse_sides, soft_jaccard
from plausibly.measures.krippendorff import Metric, krippendorff_alpha
from plausibly.measures.resampling import Resampling

METRICS: tuple[Metric, ...] = ("nominal", "ordinal", "interval")
SIDES = "1,2|4,5"
BLOCK = 50_000


@dataclass(frozen=True)
class Size:
    """How many items, ratings an item, and annotators."""

    items: int
    each: int
    annotators: int

    def __str__(self) -> str:
        return f"{self.items:,} x {self.each} from {self.annotators:,}"


def crowd(size: Size, *, seed: int = 0) -> Coded:
    """Return random ratings on a scale of five, six in ten of them the item's own answer.

    They are drawn in blocks, so that the peak memory of a case is not that of making its data.
    """
    generator = np.random.default_rng(seed)
    annotators = np.empty((size.items, size.each), dtype=np.int32)
    answers = np.empty_like(annotators)
    for start in range(0, size.items, BLOCK):
        rows = slice(start, min(start + BLOCK, size.items))
        n = rows.stop - rows.start
        first = generator.integers(size.annotators, size=(n, 1))
        step = generator.integers(1, max(2, size.annotators // size.each), size=(n, 1))
        annotators[rows] = (first + step * np.arange(size.each)) % size.annotators
        guess = generator.integers(5, size=(n, size.each))
        knows = generator.random(guess.shape) < 0.6
        answers[rows] = np.where(knows, generator.integers(5, size=(n, 1)), guess)
    return Coded(
        np.repeat(np.arange(size.items, dtype=np.int32), size.each),
        annotators.ravel(),
        answers.ravel(),
        pl.int_range(size.items, eager=True).cast(pl.String),
        pl.int_range(size.annotators, eager=True).cast(pl.String),
        ("1", "2", "3", "4", "5"),
    )


def ours_alpha(coded: Coded) -> list[float | None]:
    """Return three alphas by our function."""
    return [krippendorff_alpha(coded, metric).value for metric in METRICS]


def package_alpha(coded: Coded) -> list[float | None]:
    """Return three alphas by the package, from value counts made by us."""
    counts = coded.counts
    domain = [1, 2, 3, 4, 5]
    return [
        krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=metric)
        for metric in METRICS
    ]


def package_alpha_dense(coded: Coded) -> list[float | None]:
    """Return three alphas by the package, from raters by units."""
    grid = _grid(coded)
    return [krippendorff.alpha(grid, level_of_measurement=metric) for metric in METRICS]


def ours_jaccard(coded: Coded) -> list[float | None]:
    """Return the soft Jaccard coefficient by our function."""
    return [soft_jaccard(coded, sides=parse_sides(SIDES)).value]


def loop_jaccard(coded: Coded) -> list[float | None]:
    """Return the soft Jaccard coefficient by a loop over pairs of annotators."""
    side = np.array([0, 0, -1, 1, 1])[coded.answer]
    given: list[dict[int, int]] = [{} for _ in range(coded.n_annotators)]
    for item, annotator, where in zip(
        coded.item.tolist(), coded.annotator.tolist(), side.tolist(), strict=True
    ):
        given[annotator][item] = where
    values = []
    for place, one in enumerate(given):
        for other in given[:place]:
            shared = one.keys() & other.keys()
            if shared:
                same = sum(one[item] == other[item] != -1 for item in shared)
                values.append(same / len(shared))
    return [float(np.mean(values))]


def every_measure(coded: Coded) -> list[float | None]:
    """Return every measure with its interval, as the command computes them."""
    ratings = pl.DataFrame(
        {
            "item": coded.items.gather(coded.item),
            "annotator": coded.annotators.gather(coded.annotator),
            "question": pl.repeat("rating", coded.n_ratings, eager=True),
            "answer": pl.Series(coded.answers).gather(coded.answer),
        }
    )
    found = agreement(ratings, sides=parse_sides(SIDES), resampling=Resampling())["rating"]
    return [measure.value for measure in found.measures.values()]


def _grid(coded: Coded) -> Floats:
    grid = np.full((coded.n_annotators, coded.n_items), np.nan)
    grid[coded.annotator, coded.item] = coded.answer + 1
    return grid


def measured(
    run: Callable[[Coded], list[float | None]], size: Size
) -> tuple[float, float, list[float | None]]:
    """Return CPU seconds, peak megabytes of the process, and the values."""
    coded = crowd(size)
    run(crowd(Size(50, 3, 5)))
    start = time.process_time()
    values = run(coded)
    seconds = time.process_time() - start
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, values


def alone(
    run: Callable[[Coded], list[float | None]], size: Size
) -> tuple[float, float, list[float | None]]:
    """Return what `measured` says in a fresh process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measured, run, size).result()


def compare(
    title: str,
    size: Size,
    ours: Callable[[Coded], list[float | None]],
    peers: dict[str, Callable[[Coded], list[float | None]]],
) -> None:
    """Print one case: ours, then each peer with its ratio to ours."""
    print(f"{title}: {size}")
    own_seconds, own_memory, own = alone(ours, size)
    print(f"  {'plausibly':28} {own_seconds:9.3f} CPU s  {own_memory:8.0f} MB")
    for name, peer in peers.items():
        seconds, memory, values = alone(peer, size)
        gaps = [abs(a - b) for a, b in zip(own, values, strict=True) if a is not None and b]
        print(
            f"  {name:28} {seconds:9.3f} CPU s  {memory:8.0f} MB  "
            f"{seconds / own_seconds:8.1f} x  largest difference {max(gaps):.1e}"
        )


def main() -> None:
    """Run every case; `--quick` keeps all of them small."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, a few seconds")
    quick = parser.parse_args().quick
    for threads in ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[threads] = "1"
    compare(
        "Krippendorff x 3",
        Size(20_000 if quick else 1_000_000, 10, 500 if quick else 10_000),
        ours_alpha,
        {"krippendorff, value counts": package_alpha},
    )
    compare(
        "Krippendorff x 3",
        Size(2_000 if quick else 20_000, 10, 100 if quick else 500),
        ours_alpha,
        {"krippendorff, raters x units": package_alpha_dense},
    )
    compare(
        "Soft Jaccard, all pairs",
        Size(2_000 if quick else 100_000, 10, 200 if quick else 2_000),
        ours_jaccard,
        {"loop over pairs": loop_jaccard},
    )
    compare(
        "Every measure, default intervals",
        Size(500 if quick else 2_000, 10, 125),
        every_measure,
        {},
    )


if __name__ == "__main__":
    main()
