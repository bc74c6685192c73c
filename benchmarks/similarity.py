"""DS: 10,000 pairs against 10 million counts, as one product and pair by pair.

    python benchmarks/similarity.py [--counts 10000000] [--pairs 10000] [--loop 50]

The loop is timed on `--loop` pairs and scaled up. Times are CPU seconds of this process.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import polars as pl
from scipy import sparse

from plausibly.models.counts import PairCounts, Vocabulary
from plausibly.models.ds import Similarity
from plausibly.models.vectors import WordVectors

HEADS, DEPENDENTS, SIZE = 5_000, 100_000, 50


def made_up(counts: int) -> tuple[PairCounts, WordVectors]:
    """Return counts spread as words are (few frequent, many rare), and vectors."""
    generator = np.random.default_rng(1)
    rows = generator.integers(HEADS, size=counts).astype(np.int32)
    columns = (DEPENDENTS * generator.beta(0.4, 2.0, size=counts)).astype(np.int32)
    table = sparse.csr_array(
        sparse.coo_array((np.ones(counts), (rows, columns)), shape=(HEADS, DEPENDENTS))
    )
    heads = Vocabulary(tuple(f"h{n}" for n in range(HEADS)))
    dependents = Vocabulary(tuple(f"d{n}" for n in range(DEPENDENTS)))
    drawn = generator.standard_normal((DEPENDENTS, SIZE)).astype(np.float32)
    return PairCounts(heads, dependents, table), WordVectors("drawn", dependents, drawn)


def pair_by_pair(pairs: pl.DataFrame, counts: PairCounts, vectors: WordVectors) -> list[float]:
    """Return equation 2 of Zhang et al. (2019), a pair at a time over attested dependents."""
    found = []
    for head, dependent in pairs.select("head", "dependent").iter_rows():
        row = counts.table[[int(counts.heads.places([head])[0])]].tocoo()
        own = vectors.unit([dependent])[0][0]
        total = norm = 0.0
        for column, count in zip(row.col, row.data, strict=True):
            total += count * float(own @ vectors.unit_at(np.array([column]))[0][0])
            norm += count
        found.append(total / norm)
    return found


def main() -> None:
    """Time both ways and print what each took."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--counts", type=int, default=10_000_000)
    arguments.add_argument("--pairs", type=int, default=10_000)
    arguments.add_argument("--loop", type=int, default=20)
    options = arguments.parse_args()
    counts, vectors = made_up(options.counts)
    generator = np.random.default_rng(2)
    pairs = pl.DataFrame(
        {
            "head": [f"h{n}" for n in generator.integers(HEADS, size=options.pairs)],
            "dependent": [f"d{n}" for n in generator.integers(DEPENDENTS, size=options.pairs)],
        }
    )
    Similarity().scores(pairs.head(10), counts, vectors)
    start, wall = time.process_time(), time.perf_counter()
    scores = Similarity().scores(pairs, counts, vectors).score
    once, waited = time.process_time() - start, time.perf_counter() - wall
    start = time.process_time()
    looped = pair_by_pair(pairs.head(options.loop), counts, vectors)
    loop = (time.process_time() - start) * options.pairs / options.loop
    np.testing.assert_allclose(scores[: options.loop], looped, atol=1e-4)
    print(f"counts in the table: {counts.table.nnz} distinct, {int(counts.total)} in all")
    print(f"one product, {options.pairs} pairs: {once:.2f} CPU s ({waited:.2f} s waited)")
    print(f"pair by pair, scaled up from {options.loop}: {loop:.0f} CPU s, {loop / once:.0f} times")


if __name__ == "__main__":
    main()
