"""Fifty million pairs to counts beside pandas in one run: CPU seconds and peak memory.

    python benchmarks/counts.py [--pairs 50000000] [--folder DIR]

The pairs are made up: five relations, Zipf's law over heads and dependents, in ten files as shards
leave them. Each case runs in a process of its own and ends with the sorted table on disk; `capped`
allows DuckDB 1.5 GB, so that the whole process stays below 2 GB, whatever does not fit on disk.
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
from pathlib import Path
from tempfile import TemporaryDirectory

RELATIONS = ("nsubj", "dobj", "amod", "nsubj_amod", "dobj_amod")
HEADS, DEPENDENTS, FILES = 20_000, 50_000, 10


@dataclass(frozen=True)
class Run:
    """What one case cost, and how many rows it wrote."""

    rows: int
    cpu: float
    wall: float
    peak: int


def spelt(number: int) -> str:
    """Return a number in letters, rare words longer than frequent ones."""
    letters = ""
    while number >= 0:
        number, rest = divmod(number * 7 + 11, 26)
        letters += chr(ord("a") + rest)
        number = number // 7 - 1
    return letters + letters[::-1]


def invent(pairs: int, folder: Path) -> list[Path]:
    """Write pairs as shards leave them, and return the files."""
    import numpy as np
    import polars as pl

    generator = np.random.default_rng(0)
    heads, dependents = (
        pl.Series([spelt(number) for number in range(size)]) for size in (HEADS, DEPENDENTS)
    )
    files = [folder / f"pairs-{number}.parquet" for number in range(FILES)]
    for file in files:
        size = pairs // FILES
        pl.DataFrame(
            {
                "relation": pl.Series(RELATIONS).gather(generator.integers(5, size=size)),
                "head": heads.gather((HEADS ** generator.random(size)).astype(np.int64) - 1),
                "dependent": dependents.gather(
                    (DEPENDENTS ** generator.random(size)).astype(np.int64) - 1
                ),
                "object": pl.Series([""]).gather(np.zeros(size, dtype=np.int64)),
                "count": np.ones(size, dtype=np.int64),
            }
        ).write_parquet(file, compression="lz4", statistics=False)
    return files


def _duckdb(files: list[Path], target: Path, memory: str | None) -> int:
    from plausibly.backends.duckdb import DuckdbEngine
    from plausibly.corpus._outputs import write_sorted
    from plausibly.corpus._statements import COUNTED, filled
    from plausibly.tables import COUNTS

    engine = DuckdbEngine(memory=memory, scratch=target.parent / "scratch")
    engine.register("pairs", files)
    batches = (
        batch
        for relation in sorted(RELATIONS)
        for batch in engine.rows(filled(COUNTED, relation=relation, min_count=1))
    )
    rows = write_sorted(batches, target, COUNTS)
    engine.close()
    return rows


def ours(files: list[Path], target: Path) -> int:
    """Count as `extract` does."""
    return _duckdb(files, target, None)


def capped(files: list[Path], target: Path) -> int:
    """Count as `extract` does, in little memory."""
    return _duckdb(files, target, "1500MB")


def pandas(files: list[Path], target: Path) -> int:
    """Count with pandas."""
    import pandas as pd

    keys = ["relation", "head", "dependent"]
    pairs = pd.concat([pd.read_parquet(file, columns=[*keys, "count"]) for file in files])
    counts = pairs.groupby(keys, sort=True)["count"].sum().reset_index()
    counts.to_parquet(target)
    return len(counts)


def _case(work: Callable[[list[Path], Path], int], files: list[Path], target: Path) -> Run:
    started = time.perf_counter()
    rows = work(files, target)
    cost = resource.getrusage(resource.RUSAGE_SELF)
    wall = time.perf_counter() - started
    return Run(rows, cost.ru_utime + cost.ru_stime, wall, cost.ru_maxrss)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=50_000_000)
    parser.add_argument("--folder", type=Path, help="Where to put what passes through the disk.")
    arguments = parser.parse_args()
    os.environ["POLARS_MAX_THREADS"] = "1"
    spawn = get_context("spawn")
    with TemporaryDirectory(dir=arguments.folder) as folder:
        with ProcessPoolExecutor(1, mp_context=spawn) as pool:
            files = pool.submit(invent, arguments.pairs, Path(folder)).result()
        runs = {}
        for work in (ours, capped, pandas):
            with ProcessPoolExecutor(1, mp_context=spawn) as pool:
                target = Path(folder) / f"{work.__name__}.parquet"
                run = pool.submit(_case, work, files, target).result()
            runs[work.__name__] = run
            print(
                f"{work.__name__:8} {arguments.pairs:,} pairs to {run.rows:,} rows "
                f"{run.cpu:8.1f} CPU s {run.wall:8.1f} s {run.peak / 1024:8.0f} MB"
            )
        print(f"pandas / ours {runs['pandas'].cpu / runs['ours'].cpu:.2f} in CPU seconds")
        print(f"capped / ours {runs['capped'].cpu / runs['ours'].cpu:.2f} in CPU seconds")


if __name__ == "__main__":
    main()
