"""CPU time of `extract` with its repair, next to `--repair none`: from texts and from parsed trees.

    python benchmarks/repair.py [--text FILE] [--trees FILE] [--articles 300] [--times 5]

Texts are parsed by the embedded parser, and the whole command is timed, as a user runs it. Parsed
trees are timed twice: the whole command, and counting alone, without start-up, sorting and
writing. By default the files are those in $PLAUSIBLY_DATA. Of several runs, taken in turn, the
quickest counts.
"""

from __future__ import annotations

import argparse
import gzip
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

DATA = Path(os.environ.get("PLAUSIBLY_DATA", "."))
TEXT = DATA / "wikipedia" / "enwiki_extract.txt.gz"
TREES = DATA / "ud" / "en_ewt-ud-train.conllu.gz"


def command(*arguments: str) -> float:
    """Return the CPU seconds of one run of `plausibly extract`."""
    with TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        call = [sys.executable, "-m", "plausibly", "extract", *arguments, "--workers", "1"]
        subprocess.run([*call, "-o", f"{folder}/out"], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def counting(content: bytes, repair: str) -> float:
    """Return the CPU seconds of counting parsed sentences, nothing else."""
    from plausibly.corpus._columns import ColumnCounter
    from plausibly.corpus._shards import BLOCK
    from plausibly.corpus.relations import Patterns
    from plausibly.io.conllu import blocks_of
    from plausibly.io.conllu.columns import read_columns

    started = time.process_time()
    counter = ColumnCounter(Patterns(repair="none" if repair == "none" else "on"))
    for block in blocks_of(content, BLOCK):
        counter.add(read_columns(block)[0])
    counter.frame()
    return time.process_time() - started


def compare(name: str, run: Callable[[str], float], times: int) -> None:
    """Print the CPU seconds with and without repair, and their ratio."""
    seconds: dict[str, list[float]] = {"on": [], "none": []}
    for _ in range(times):
        for repair, row in seconds.items():
            row.append(run(repair))
    on, none = (min(row) for row in seconds.values())
    print(f"{name:42} on {on:7.2f}  none {none:7.2f} CPU s  ratio {on / none:.3f}")


def main() -> None:
    """Print three lines."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--text", type=Path, default=TEXT)
    parser.add_argument("--trees", type=Path, default=TREES)
    parser.add_argument("--articles", type=int, default=300)
    parser.add_argument("--times", type=int, default=5)
    arguments = parser.parse_args()
    os.environ |= {"OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
    text, trees, times = arguments.text, arguments.trees, arguments.times
    some = ("--articles", str(arguments.articles))
    compare("texts, whole command", lambda on: command(str(text), *some, "--repair", on), times)
    compare("trees, whole command", lambda on: command(str(trees), "--repair", on), times)
    packed = trees.read_bytes()
    content = gzip.decompress(packed) if trees.suffix == ".gz" else packed
    counting(content, "on")
    compare("trees, counting alone", lambda on: counting(content, on), times)


if __name__ == "__main__":
    main()
