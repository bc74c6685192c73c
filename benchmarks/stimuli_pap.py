"""Building PAP's two sets from generated triples: CPU seconds and peak memory.

    python benchmarks/stimuli_pap.py [--rows 62843 1000000]

Triples and norms come from an invented lexicon (4,500 nouns, 1,200 verbs, as the paper's footnote
8 has it). Each size runs in a process of its own with one thread; reading the triples from
Parquet and writing every file of the command is part of it.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SIZES = (62_843, 1_000_000)


def generate(rows: int, folder: Path) -> None:
    """Write that many invented triples and the norms of their words."""
    sys.path.insert(0, str(ROOT / "tests"))
    from worlds.svo import invented_norms, invented_svo, write_norms

    norms = invented_norms(nouns=4500, verbs=1200)
    invented_svo(norms, rows=rows).write_parquet(folder / "svo.parquet")
    write_norms(norms, folder / "norms.tsv")


def measure(folder: Path) -> tuple[float, float, float]:
    """Run the command and return CPU seconds, wall seconds and peak memory in MB."""
    from plausibly.cli import run

    files = ["--svo", str(folder / "svo.parquet"), "--norms", str(folder / "norms.tsv")]
    command = ["build", "pap", *files, "--seed", "1", "--min-zipf", "0"]
    wall, cpu = time.perf_counter(), time.process_time()
    code = run([*command, "-o", str(folder / "out")])
    if code:
        raise SystemExit(code)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return time.process_time() - cpu, time.perf_counter() - wall, peak


def main() -> None:
    """Measure every size and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=SIZES)
    sizes: list[int] = parser.parse_args().rows
    for name in ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    lines = []
    for rows in sizes:
        with tempfile.TemporaryDirectory() as folder:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                pool.submit(generate, rows, Path(folder)).result()
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                cpu, wall, peak = pool.submit(measure, Path(folder)).result()
        lines.append(f"{rows:>12,} {cpu:>8.2f} {wall:>8.2f} {peak:>10.0f}")
    print(f"{'triples':>12} {'CPU s':>8} {'wall s':>8} {'peak MB':>10}")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
