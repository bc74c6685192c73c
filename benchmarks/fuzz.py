"""Call every command with something made wrong, thousands of times, and count how it ends.

    PYTHONPATH=tests python -m benchmarks.fuzz [--cases 4000] [--seed 1]

No case may end in a traceback, in an error nobody foresaw, without a word, or leave a file behind.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path
from time import monotonic

from fuzzing import cases, make_world, outcome


def main() -> None:
    """Run the cases and print how they ended; exit 1 if any ended badly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    codes: Counter[int | None] = Counter()
    faults = []
    started = monotonic()
    with tempfile.TemporaryDirectory() as name:
        world = Path(name) / "world"
        world.mkdir()
        make_world(world)
        for case in islice(cases(arguments.seed), arguments.cases):
            verdict = outcome(case, world, Path(name) / "case")
            codes[verdict.code] += 1
            if verdict.fault:
                faults.append(case)
                line = f"{case.what}\n  plausibly {' '.join(case.words)[:300]}\n{verdict.fault}\n"
                print(line.encode(errors="backslashreplace").decode(), flush=True)
    print(f"{arguments.cases} cases in {monotonic() - started:.0f} s, seed {arguments.seed}")
    print("exit codes: " + ", ".join(f"{code}: {n}" for code, n in sorted(codes.items(), key=str)))
    print(f"{len(faults)} ended badly")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
