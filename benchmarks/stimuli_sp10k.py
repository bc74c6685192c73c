"""How long SP-10K's pairs take from a large counts table: CPU seconds and peak memory.

    python benchmarks/stimuli_sp10k.py [ROWS] [FOLDER]

The counts are made up: five relations, Zipf's law over heads and dependents. FOLDER keeps them for
the next run.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from plausibly.backends.engines import engine_named
from plausibly.datasets.sp10k import RELATIONS
from plausibly.stimuli.counts import open_counts
from plausibly.stimuli.sp10k.building import PairDesign, build_sp10k
from plausibly.stimuli.sp10k.surveys import wording

HEADS, DEPENDENTS = 60_000, 120_000


def spelt(number: int) -> str:
    """Return a number in letters, so that it passes for a word."""
    letters = ""
    for _ in range(4):
        number, rest = divmod(number, 26)
        letters += chr(ord("a") + rest)
    return letters


def invented(rows: int, path: Path, *, seed: int) -> None:
    """Write a counts table with about so many rows."""
    generator = np.random.default_rng(seed)
    heads = pl.Series([spelt(n) for n in range(HEADS)])
    dependents = pl.Series([spelt(n) for n in range(DEPENDENTS)])
    parts = []
    each = rows // len(RELATIONS)
    for relation in RELATIONS:
        half = int(each * 0.9)
        left = (HEADS ** generator.random(half)).astype(np.int64) - 1
        right = (DEPENDENTS ** generator.random(half)).astype(np.int64) - 1
        often = left * DEPENDENTS + right
        keys = np.unique(np.concatenate([often, generator.integers(HEADS * DEPENDENTS, size=each)]))
        keys = keys[generator.random(len(keys)) < each / len(keys)]
        head, dependent = keys // DEPENDENTS, keys % DEPENDENTS
        parts.append(
            pl.DataFrame(
                {
                    "head": heads.gather(head),
                    "dependent": dependents.gather(dependent),
                    "count": (1e7 / ((head + 1) * (dependent + 1)) ** 0.7 + 1).astype(np.int64),
                }
            ).select(pl.lit(relation).alias("relation"), "head", "dependent", "count")
        )
    pl.concat(parts).write_parquet(path)


def main() -> None:
    """Build once and print what it took."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000_000
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(tempfile.mkdtemp())
    path = folder / f"counts_{rows}.parquet"
    if len(sys.argv) > 3:
        invented(rows, path, seed=1)
        return
    if not path.exists():
        given = [sys.executable, __file__, str(rows), str(folder), "make"]
        subprocess.run(given, check=True)
    started, wall = time.process_time(), time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        engine = engine_named("duckdb", workers=2, scratch=Path(scratch))
        store = open_counts(path, engine, Path(scratch))
        built = build_sp10k(store, design=PairDesign(seed=1), wording=wording("en"))
        engine.close()
    spent, wall = time.process_time() - started, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    for step in built.funnel:
        print(f"{step['step']:24} {step['rows']:>9}")
    print(f"{rows} counts: {spent:.1f} CPU s, {wall:.1f} s, {peak:.2f} GB")


if __name__ == "__main__":
    main()
